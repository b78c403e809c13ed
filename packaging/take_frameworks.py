"""Make the closed lists in `resources/frameworks/` from their sources.

    python packaging/take_frameworks.py FOLDER

FOLDER holds one JSON file a list: its framework, edition, licence and origin, and `ids`, each with
an `id` and a `title`. What is wrong in them is mended as `framework_mends.json` says, which also
says why; a mend that no longer applies is an error. The result is one compact file a list, an
index of them, and `README.md`.
"""

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "resources" / "frameworks"

CUT = 160
"""Characters after which the sources cut a title off."""

_BRACKET = re.compile(r"\(([^()]+)\)")
_GROUP = re.compile(r"\([^()]+\)\Z")
_FOOTNOTES = re.compile(r"[.\s]*(?:\[\d+\][.\s]*)+\Z")


def main(folder: Path) -> None:
    """Write every list, the index and the notes."""
    mends = json.loads((HERE / "framework_mends.json").read_text(encoding="utf-8"))["lists"]
    sources = {file.stem: file for file in sorted(folder.glob("*.json"))}
    if set(sources) != set(mends):
        raise SystemExit(f"Lists without their mends, or mends without a list: "
                         f"{sorted(set(sources) ^ set(mends))}")  # fmt: skip
    index, notes = [], []
    for stem, file in sources.items():
        name = stem.removesuffix("-numbers")
        source = json.loads(file.read_text(encoding="utf-8"))
        made = mended(source, mends[stem], stem)
        _write(TARGET / f"{name}.json", made)
        index.append(
            {
                "file": f"{name}.json",
                "framework": made["framework"],
                "names": mends[stem]["names"],
                "edition": made["edition"],
                "editions": mends[stem]["editions"],
            }
        )
        notes.append((name, made, mends[stem], len(source["ids"])))
    _write(TARGET / "index.json", {"about": _ABOUT, "lists": index})
    (TARGET / "README.md").write_text(_readme(notes), encoding="utf-8")


def mended(source: dict[str, Any], mend: dict[str, Any], stem: str) -> dict[str, Any]:
    """The list as it is shipped. Raises SystemExit for a mend that does not apply."""
    ids: dict[str, str] = {}
    withdrawn: dict[str, list[str]] = {}
    for row in source["ids"]:
        number = row["id"].removeprefix(mend.get("prefix", ""))
        if number in ids:
            raise SystemExit(f"{stem}: {number} occurs twice")
        ids[number] = _title(row["title"])
        if row.get("withdrawn"):
            withdrawn[number] = []
    for pattern in mend.get("remove", ()):
        gone = [number for number in ids if re.fullmatch(pattern, number)]
        if not gone:
            raise SystemExit(f"{stem}: nothing to remove for {pattern}")
        for number in gone:
            del ids[number]
    rename = mend.get("rename", {})
    for number in set(rename) - set(ids):
        raise SystemExit(f"{stem}: {number} to be renamed is not there")
    ids = {rename.get(number, number): title for number, title in ids.items()}
    for number, title in mend.get("titles", {}).items():
        if number not in ids or ids[number] == title:
            raise SystemExit(f"{stem}: the title of {number} needs no mending")
        ids[number] = title
    for number, title in mend.get("add", {}).items():
        if number in ids:
            raise SystemExit(f"{stem}: {number} to be added is there already")
        ids[number] = title
    for number, instead in mend.get("withdrawn", {}).items():
        ids.setdefault(number, "")
        withdrawn[number] = instead
    if mend.get("implied"):
        for number in list(ids):
            while _GROUP.search(number):
                number = _GROUP.sub("", number)
                ids.setdefault(number, "")
    for number in {other for instead in withdrawn.values() for other in instead} - set(ids):
        raise SystemExit(f"{stem}: {number} replaces another and is not there")
    ids = {number: ids[number] for number in ordered(ids)}
    return {
        "framework": mend["framework"],
        "edition": source["edition"],
        "licence": source["licence"].strip(" ;"),
        "origin": source["origin"],
        "beyond": mend["beyond"],
        "unit": mend["unit"],
        "covers": mend["covers"],
        "ids": ids if any(ids.values()) else list(ids),
        "withdrawn": {number: withdrawn[number] for number in ids if number in withdrawn},
    }


def ordered(numbers: Iterable[str]) -> list[str]:
    """The numbers as a person counts: A.5.9, A.5.10; (9), (10); (z), (aa); (iv), (v); II, IX.

    Whether the "i" of a bracket is a letter or a numeral is told by what stands beside it.
    """
    numbers = list(numbers)
    beside: dict[str, set[str]] = {}
    for number in numbers:
        for match in _BRACKET.finditer(number):
            beside.setdefault(number[: match.start()], set()).add(match[1])

    def key(number: str) -> list[tuple[int, int, str]]:
        made = []
        for match in re.finditer(r"\d+|[A-Za-z]+", number):
            text, labels = match[0], beside.get(number[: match.start() - 1], set())
            numeral = number.startswith("Annex ") or bool(labels & {"ii", "II"}) or labels == {"i"}
            if text.isdigit():
                made.append((0, int(text), ""))
            elif numeral and set(text.upper()) <= set("IVXLC"):
                made.append((1, _roman(text.upper()), ""))
            else:
                made.append((2, len(text) if text.islower() else 0, text))
        return made

    return sorted(numbers, key=key)


def _roman(text: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def _title(text: str) -> str:
    title = _FOOTNOTES.sub(".", " ".join(text.split()))
    if len(text) < CUT:
        return title
    return title.rsplit(" ", 1)[0].rstrip(",;:.—– ") + " …"


def _write(file: Path, data: dict[str, Any]) -> None:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    file.write_text(text + "\n", encoding="utf-8")


def _readme(notes: list[tuple[str, dict[str, Any], dict[str, Any], int]]) -> str:
    lines = [_HEAD]
    for name, made, mend, before in notes:
        lines += [
            f"## {made['framework']}, {made['edition']} (`{name}.json`)",
            "",
            f"{len(made['ids'])} numbers; the source has {before}.",
            "",
            f"- Licence: {made['licence']}",
            f"- Origin: {made['origin']}",
            f"- {made['beyond']}",
            *(f"- Mended: {why}" for why in mend.get("why", ())),
            "",
        ]
    return "\n".join(lines)


_ABOUT = (
    "The shipped lists. names: what a citation may call the framework. editions: how it may write "
    "the edition, in lower case and without “Rev.” or “v”."
)
_HEAD = """# Closed lists of frameworks

Which articles, clauses and controls a framework has, so that a citation can be checked without a
model. Made by `python packaging/take_frameworks.py FOLDER`; edit `packaging/framework_mends.json`,
not these files.

Each file keeps its own licence and origin. `unit` is the form of a number that stands for a whole
of its own (an article, a control); `covers` is the form of all the numbers that the list claims to
have: what is written in another form is never said to be missing. `withdrawn` names what took a
number's place, where that is known. Where a source's titles are not free the list has numbers
alone.

The sources were checked for numbers that occur twice, gaps in a count, levels without the level
above them and numbers under the wrong level. For the acts of the Union, the labels in the text of
every article were counted against the list. Where nothing is mentioned below, nothing was found.
A title that the source cuts off ends in “…”.
"""

if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
