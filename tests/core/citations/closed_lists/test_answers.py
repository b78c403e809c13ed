"""What is said of a citation: sentences, editions, ranges, choices, and how a text writes it."""

import pytest

from core.citations.closed_lists.answer import Alteration, Answer, Standing
from core.citations.closed_lists.closed_lists import ClosedLists
from core.citations.model import FrameworkCitation
from core.citations.read import read_frameworks

LISTS = ClosedLists()


def check(instrument: str, locator: str = "", lists: ClosedLists = LISTS) -> Answer:
    return lists.check(FrameworkCitation(instrument=instrument, locator=locator, start=0, end=0))


SENTENCES = [
    (
        "GDPR",
        "Article 28",
        "Article 28 (“Processor”) is in GDPR (Regulation (EU) 2016/679).",
    ),
    (
        "GDPR",
        "Article 28(3)(a)",
        "Article 28(3)(a) (under “Processor”) is in GDPR (Regulation (EU) 2016/679).",
    ),
    (
        "ISO/IEC 27001",
        "A.9.4.3",
        "A.9.4.3 is in ISO/IEC 27001 (2013). It is not so in ISO/IEC 27001 (2022): the citation "
        "names no edition, and the edition decides.",
    ),
    (
        "ISO/IEC 27001:2022",
        "A.9.4.3",
        "A.9.4.3 is not in ISO/IEC 27001 (2022). It is of another edition: ISO/IEC 27001 (2013) "
        "has A.9.4.3.",
    ),
    (
        "GDPR",
        "Article 9(1)(a)",
        "Article 9(1)(a) is not in GDPR (Regulation (EU) 2016/679): Article 9(1) is, but has no "
        "such part. The nearest in the list: Article 9(2)(a) (under “Processing of special "
        "categories of personal data”).",
    ),
    (
        "NIST CSF 2.0",
        "ID.AM-1",
        "ID.AM-1 is not written so in NIST CSF (2.0), but as ID.AM-01 (“Inventories of hardware "
        "managed by the organization are maintained”). NIST CSF (1.1) writes ID.AM-1, and means "
        "ID.AM-1 (“Physical devices and systems within the organization are inventoried.”).",
    ),
    (
        "NIST SP 800-53",
        "CM-5(3)",
        "CM-5(3) (“Access Restrictions for Change | Signed Components”) has been withdrawn from "
        "NIST SP 800-53 (Rev. 5 (update 1)). It went into CM-14 (“Signed Components”).",
    ),
    (
        "SOC 2",
        "CC6.9",
        "CC6.9 is not in SOC 2 (2017 rev. 2022). The nearest in the list: CC6.8.",
    ),
    (
        "PCI DSS 3.2.1",
        "8.2.3",
        "There is no list of this edition of PCI DSS (“3.2.1”), so nothing was looked up. There "
        "is one of 4.0.1.",
    ),
    (
        "UK GDPR",
        "Article 6",
        "There is no list of UK GDPR, so nothing was looked up. You can add one of your own.",
    ),
    (
        "NIST SP 800-53",
        "AC-2c",
        "The list of NIST SP 800-53 (Rev. 5 (update 1)) does not go as far as AC-2c, so it was "
        "not looked up. AC-2 (“Account Management”), above it, is in the list. The list goes down "
        "to control enhancements. The parts of a control’s statement (“AC-2c”) are not in it.",
    ),
    (
        "45 CFR",
        "164.400-164.414",
        "Both ends of 164.400-164.414 are in 45 CFR (2013).",
    ),
    (
        "ISO/IEC 27001",
        "",
        "There is a list of ISO/IEC 27001 (2013) and ISO/IEC 27001 (2022).",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("instrument", "locator", "sentence"), SENTENCES)
def test_a_person_is_told_in_a_plain_sentence(instrument: str, locator: str, sentence: str) -> None:
    assert check(instrument, locator).sentence == sentence


@pytest.mark.parametrize(
    "name",
    [
        "ISO/IEC 27001:2022", "ISO 27001:2022", "iso/iec 27001 (2022)", "ISO/IEC 27001, 2022",
        "ISO/IEC  27001 : 2022",
    ],
)  # fmt: skip
def test_an_edition_is_read_however_it_is_written(name: str) -> None:
    assert check(name, "A.5.19").editions == ("2022",)


@pytest.mark.parametrize("name", ["NIST SP 800-53 Rev. 5", "NIST SP 800-53 r5", "NIST 800-53 Rev 5",
                                  "NIST SP 800-53 Revision 5", "NIST SP 800-53"])  # fmt: skip
def test_a_revision_is_read_however_it_is_written(name: str) -> None:
    assert check(name, "AC-2").standing is Standing.IN_LIST


@pytest.mark.parametrize("name", ["NIST SP 800-53A", "NIST SP 800-533", "GDPRX", "SOC 21", "DORA2"])
def test_a_longer_name_is_another_instrument(name: str) -> None:
    assert check(name, "AC-2").standing is Standing.NOT_AVAILABLE


def test_an_act_may_be_named_by_its_number() -> None:
    assert check("Regulation (EU) 2016/679", "Article 6(1)(f)").standing is Standing.IN_LIST
    assert check("Regulation (EU) 2016/6790", "Article 6").standing is Standing.NOT_AVAILABLE


def test_a_place_of_all_editions_leaves_nothing_to_decide() -> None:
    answer = check("ISO/IEC 27001", "6.1.2")
    assert answer.editions == ("2013", "2022")
    assert [entry.edition for entry in answer.entries] == ["2013", "2022"]
    assert not answer.edition_decides


@pytest.mark.parametrize(
    ("locator", "standing"),
    [
        ("164.400-164.414", Standing.IN_LIST),
        ("164.308-164.312(a)(1)", Standing.IN_LIST),
        ("164.400-164.415", Standing.NOT_IN_LIST),
        ("164.309-164.312", Standing.NOT_IN_LIST),
        ("164.308-164.524", Standing.NOT_AVAILABLE),
    ],
)
def test_a_range_is_as_good_as_its_worse_end(locator: str, standing: Standing) -> None:
    assert check("45 CFR", locator).standing is standing


def test_a_choice_of_editions_stands_for_the_edition_that_is_not_named() -> None:
    lists = ClosedLists(chosen=["ISO/IEC 27001 2022", "GDPR Regulation (EU) 2016/679"])
    assert check("ISO/IEC 27001", "A.5.19", lists).editions == ("2022",)
    altered = check("ISO/IEC 27001", "A.9.4.3", lists)
    assert (altered.standing, altered.alteration) == (Standing.ALTERED, Alteration.EDITION)
    # An edition that is named is the one that is asked, and said to be none of the chosen.
    named = check("ISO/IEC 27001:2013", "A.9.4.3", lists)
    assert named.standing is Standing.IN_LIST
    assert not named.chosen
    assert check("GDPR", "Article 6", lists).chosen
    other = check("SOC 2", "CC6.1", lists)
    assert other.standing is Standing.IN_LIST
    assert not other.chosen
    assert not check("Unheard of", "1", lists).chosen


def test_to_choose_nothing_is_not_the_same_as_not_to_choose() -> None:
    assert not check("GDPR", "Article 6", ClosedLists(chosen=[])).chosen
    assert check("GDPR", "Article 6", ClosedLists()).chosen


@pytest.mark.parametrize(
    ("text", "standings"),
    [
        ("See NIST SP 800-53 AC-02.", ["altered"]),
        ("See NIST SP 800-53 AC-2.", ["in_list"]),
        ("See NIST SP 800-53 AC-2(05) for it.", ["altered"]),
        ("See NIST SP 800-53 AC-2(5) for it.", ["in_list"]),
        ("See NIST CSF GV.OC-01.", ["in_list"]),
        ("See ISO/IEC 27001:2022 A.5.19.", ["in_list"]),
        ("See GDPR Art. 6(1)(f).", ["in_list"]),
        ("See GDPR Articles 12 to 14.", ["in_list", "in_list", "in_list"]),
    ],
)
def test_zeros_of_the_text_are_seen_where_it_is_given(text: str, standings: list[str]) -> None:
    found = read_frameworks(text).citations
    answers = [LISTS.check(citation, text[citation.start : citation.end]) for citation in found]
    assert [answer.standing.value for answer in answers] == standings
    for answer in answers:
        padded = answer.standing is Standing.ALTERED
        assert (answer.alteration is Alteration.PADDING) == padded
        assert bool(answer.nearest) == padded


def test_the_numbers_of_a_list_can_be_listed() -> None:
    numbers = [entry.number for entry in LISTS.numbers("NIST CSF 2.0")]
    assert len(numbers) == 134
    assert "ID.AM-06" not in numbers
    with pytest.raises(KeyError):
        LISTS.numbers("NIST CSF 9")
