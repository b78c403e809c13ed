"""The shipped lists: what is in them, and that each of their numbers is found and no other."""

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citations.closed_lists.answer import Alteration, Answer, ListInfo, Standing
from core.citations.closed_lists.closed_list import ClosedList
from core.citations.closed_lists.closed_lists import ClosedLists
from core.citations.closed_lists.numbers import above, ancestors, notation, unpadded
from core.citations.closed_lists.shelf import Place, Shelf
from core.citations.frameworks.places import ROMANS
from core.citations.model import FrameworkCitation

ROOT = Path(__file__).resolve().parents[4]
FOLDER = ROOT / "resources" / "frameworks"
LISTS = ClosedLists()
PLACES = Shelf().all()
FILES = sorted(file.name for file in FOLDER.glob("*.json") if file.name != "index.json")


def check(instrument: str, locator: str = "", lists: ClosedLists = LISTS) -> Answer:
    return lists.check(FrameworkCitation(instrument=instrument, locator=locator, start=0, end=0))


def instrument(info: ListInfo) -> str:
    """The framework with the edition, as citations write it."""
    if info.framework.startswith("ISO"):
        return f"{info.framework}:{info.edition}"
    numbered = re.match(r"Rev\.? \d|\d(?:\.\d)+", info.edition)
    return f"{info.framework} {numbered[0]}" if numbered else info.framework


def every_number() -> Iterator[tuple[ClosedList, str]]:
    for place in PLACES:
        found = place.read()
        for number in found:
            yield found, number


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_every_number_is_in_the_list_as_it_is_written(place: Place) -> None:
    found = place.read()
    name = instrument(found.info)
    for number in found:
        answer = check(name, number)
        if found.withdrawn(number):
            assert answer.standing is Standing.ALTERED, number
            assert answer.alteration is Alteration.WITHDRAWN, number
            assert [entry.number for entry in answer.nearest] == list(answer.replaced_by)
            continue
        assert answer.standing is Standing.IN_LIST, number
        assert answer.alteration is None
        assert [(e.number, e.edition) for e in answer.entries] == [(number, found.info.edition)]
        # Without its edition it is still in the list; which editions have it is said.
        anywhere = check(found.info.framework, number)
        assert anywhere.standing is Standing.IN_LIST, number
        assert found.info.edition in [entry.edition for entry in anywhere.entries]
        assert anywhere.edition_decides == (len(anywhere.entries) < len(anywhere.editions))


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_zeros_put_before_a_number_are_noticed(place: Place) -> None:
    found = place.read()
    name = instrument(found.info)
    for number in found:
        padded = re.sub(r"\d+", lambda match: "0" + match[0], number)
        if padded == number or found.withdrawn(number):
            continue
        answer = check(name, padded)
        assert (answer.standing, answer.alteration) == (Standing.ALTERED, Alteration.PADDING), (
            padded
        )
        assert answer.nearest[0].number == number


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_an_invented_part_is_never_in_the_list(place: Place) -> None:
    found = place.read()
    name = instrument(found.info)
    for number in found:
        for invented in (f"{number}(99)", f"{number}.99", f"{number}(zz)", f"{number}-99"):
            assert found.find(invented).standing is not Standing.IN_LIST, invented
        for asked in (name, found.info.framework):
            assert check(asked, f"{number}(99)").standing is not Standing.IN_LIST, number


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_a_number_without_a_part_that_it_needs_is_never_in_the_list(place: Place) -> None:
    found = place.read()
    numbers = set(found)
    for number in found:
        pieces = re.findall(r"\([^()]*\)|[^()]+", number)
        for left_out in range(len(pieces)):
            shorter = "".join(pieces[:left_out] + pieces[left_out + 1 :]).strip()
            if shorter and shorter not in numbers:
                assert found.find(shorter).standing is not Standing.IN_LIST, shorter


def test_a_number_of_one_edition_under_another_is_of_that_edition_or_not_there() -> None:
    for place in PLACES:
        others = [other for other in Shelf().places(place.framework) if other != place]
        for other in others:
            theirs = other.read()
            ours = place.read()
            for number in theirs:
                if number in set(ours) or theirs.withdrawn(number):
                    continue
                answer = check(instrument(ours.info), number)
                assert answer.standing is not Standing.IN_LIST
                if answer.alteration is Alteration.EDITION:
                    assert theirs.info.edition in [entry.edition for entry in answer.nearest]


def test_no_two_numbers_of_a_list_differ_in_zeros_or_notation_alone() -> None:
    for place in PLACES:
        found = place.read()
        assert len({unpadded(number) for number in found}) == len(found), place.key
        assert len({notation(number) for number in found}) == len(found), place.key


def test_every_bracket_hangs_on_a_number_of_the_list() -> None:
    for found, number in every_number():
        if number.endswith(")"):
            assert above(number) in set(found), (found.info.key, number)


COUNTED = [
    place for place in PLACES
    if place.framework not in ("FedRAMP", "45 CFR", "CCPA", "ISO/IEC 42001")
]  # fmt: skip


@pytest.mark.parametrize("place", COUNTED, ids=lambda place: place.key)
def test_numbers_count_without_a_gap(place: Place) -> None:
    """A selection (FedRAMP), sections of a code, and objectives with no number have gaps."""
    found = place.read()
    groups: dict[str, list[int]] = {}
    for number in found:
        match = re.fullmatch(r"(.*?)(\d+)(\)?)", number)
        if match:
            groups.setdefault(match[1] + match[3], []).append(int(match[2]))
    for group, values in groups.items():
        first = min(values)
        assert first <= 1 or group in ("A.", "Article 3(49", ""), (group, values)
        # The final version 2.0 passes over a number of its draft.
        unused = {9} if (place.key, group) == ("NIST CSF 2.0", "PR.DS-") else set()
        whole = set(range(first, max(values) + 1)) - unused
        assert sorted(values) == sorted(whole), (group, values)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_letters_follow_each_other(place: Place) -> None:
    romans = [numeral.lower() for numeral in ROMANS]
    alphabet = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    alphabet += [f"a{letter}" for letter in alphabet]
    found = place.read()
    groups: dict[str, list[str]] = {}
    for number in found:
        match = re.fullmatch(r"(.*)\(([a-z]+)\)", number)
        if match:
            groups.setdefault(match[1], []).append(match[2])
    for group, letters in groups.items():
        expected = romans if "ii" in letters or letters == ["i"] else alphabet
        assert letters == expected[: len(letters)], (group, letters)


@pytest.mark.parametrize("name", FILES)
def test_every_list_keeps_its_licence_and_origin(name: str) -> None:
    data = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert data["licence"]
    assert data["origin"]
    for pattern in (data["unit"], data["covers"]):
        re.compile(pattern)
    covers = re.compile(data["covers"])
    assert data["beyond"].endswith(".")
    free = "titles withheld" not in data["licence"]
    assert isinstance(data["ids"], dict) == free
    # What the list has is of the form that it says to have all of, or a part of a list.
    odd = [number for number in data["ids"] if not covers.fullmatch(number)]
    assert data["framework"] in ("45 CFR", "CER") or not odd, odd


def test_the_licence_and_the_origin_are_shown() -> None:
    infos = {info.key: info for info in LISTS.lists()}
    assert len(infos) == len(FILES) == 26
    assert "public domain" in infos["NIST CSF 2.0"].licence
    assert "ISO copyright" in infos["ISO/IEC 27001 2022"].licence
    assert all(info.licence and info.origin and not info.own for info in infos.values())


def test_numbers_alone_have_no_titles() -> None:
    for info in LISTS.lists():
        if "titles withheld" in info.licence:
            assert not any(entry.title or entry.heading for entry in LISTS.numbers(info.key))


def test_the_lists_are_the_sources_with_their_mends(shared: Path, tmp_path: Path) -> None:
    script = taking()
    script.__dict__["TARGET"] = tmp_path
    script.main(shared / "frameworks")
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert made == {file.name: file.read_bytes() for file in FOLDER.iterdir()}


@pytest.mark.parametrize(
    "mend",
    [
        {"remove": ["9"]},
        {"rename": {"9": "10"}},
        {"titles": {"1": "One"}},
        {"titles": {"9": "Nine"}},
        {"add": {"1": ""}},
        {"withdrawn": {"3": ["9"]}},
    ],
    ids=str,
)
def test_a_mend_that_does_not_apply_is_an_error(mend: dict[str, object]) -> None:
    source = {
        "edition": "1", "licence": "l", "origin": "o",
        "ids": [{"id": "1", "title": "One"}, {"id": "2", "title": "Two"}],
    }  # fmt: skip
    base = {"framework": "F", "beyond": ".", "unit": "", "covers": ""}
    assert taking().mended(source, base, "f")["ids"] == {"1": "One", "2": "Two"}
    with pytest.raises(SystemExit, match="f: "):
        taking().mended(source, {**base, **mend}, "f")


def taking() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "take_frameworks", ROOT / "packaging" / "take_frameworks.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_the_lists_that_are_asked_for_are_read() -> None:
    program = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from core.citations.closed_lists.closed_lists import ClosedLists
from core.citations.frameworks.places import ROMANS
from core.citations.model import FrameworkCitation
def lists():
    found = sorted({path.replace("\\\\", "/").rsplit("/", 1)[1] for path in opened
                    if "resources/frameworks/" in path.replace("\\\\", "/")})
    return ",".join(found)
print(lists())
closed = ClosedLists()
print(lists())
closed.check(FrameworkCitation(instrument="GDPR", locator="Article 6", start=0, end=0))
closed.check(FrameworkCitation(instrument="UK GDPR", locator="Article 6", start=0, end=0))
print(lists())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n") == ["", "index.json", "gdpr.json,index.json", ""]


@given(st.text(max_size=60), st.text(max_size=60))
def test_an_unknown_framework_has_no_list(name: str, locator: str) -> None:
    answer = check(f"Unheard-of {name}", locator)
    assert answer.standing is Standing.NOT_AVAILABLE
    assert answer.entries == answer.nearest == ()


NAMES = sorted({place.framework for place in PLACES})
WRITTEN = st.text(st.sampled_from("AC.-(12)[] 0aivArticleRecital§ٱ²٣"), max_size=300)


@given(st.sampled_from(NAMES), st.sampled_from(["", " 2.0", ":2022", " Rev. 5", " (x)"]), WRITTEN)
def test_no_text_is_in_a_list_unless_it_is_one_of_its_numbers(
    name: str, edition: str, locator: str
) -> None:
    answer = check(name + edition, locator)
    assert answer.sentence
    assert (answer.alteration is not None) == (answer.standing is Standing.ALTERED)
    if answer.standing is Standing.IN_LIST and locator.strip(" §"):
        numbers = {number for place in Shelf().places(name) for number in place.read()}
        squeezed = re.sub(r"[\s§]", "", locator)
        assert squeezed in {re.sub(r"\s", "", number) for number in numbers}
    for entry in (*answer.entries, *answer.nearest):
        assert any(entry.number in set(place.read()) for place in Shelf().places(name))


def test_a_long_locator_is_answered() -> None:
    for filler in ("(", ")", "1", ".1", "(1)", "0", " (", "a", "-1"):
        assert check("GDPR", "Article 1" + filler * 100_000).standing is not Standing.IN_LIST
        assert ancestors(filler * 100) is not None
