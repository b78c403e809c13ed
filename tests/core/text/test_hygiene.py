"""Gate 1: what differs only in typography becomes the same, what differs in meaning does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.hygiene import LINE_HYPHEN, clean, lookalikes, readable

SAME = [
    ("ﬁve ofﬁcers", "five officers"),
    ("un\u00adrequired", "unrequired"),
    ("n\u200bot 5\u200b.\u200b0", "not 5.0"),
    ("“quoted” it’s", '"quoted" it\'s'),
    ("1,204 and 1\u202f204 and 1’204", "1204 and 1204 and 1204"),
    ("61·4%", "61.4%"),
    ("−15.8% and –3", "-15.8% and -3"),
    ("12–14 mg", "12-14 mg"),
    ("a\u00a0b\tc\n\nd", "a b c d"),
    ("chance—in form—plays", "chance — in form — plays"),
    ("chance - in form -- plays", "chance — in form — plays"),
    ("37 ºC and 37 ℃", "37 °C and 37 °C"),
    ("ｆｕｌｌ width ５", "full width 5"),
    ("𝐧𝐨𝐭 significant", "not significant"),
    ("Cafe\u0301", "Café"),
]


@pytest.mark.parametrize(("raw", "plain"), SAME, ids=[plain for _, plain in SAME])
def test_typography_is_made_plain(raw: str, plain: str) -> None:
    assert clean(raw).text == plain


DIFFERENT = [
    ("10³ cells", "103 cells"),
    ("5½ years", "51/2 years"),
    ("0,512 mg", "0512 mg"),
    ("12 345", "12345"),
    ("12345,678", "12345678"),
    ("-5", "5"),
    ("10-\n20 mg", "1020 mg"),
    ("CD4-\nCD8", "CD4CD8"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=[one for one, _ in DIFFERENT])
def test_meaning_stays_different(one: str, other: str) -> None:
    assert clean(one).text != clean(other).text


def test_a_word_broken_at_a_line_end_is_marked() -> None:
    cleaned = clean("erased on re-\nquest").text
    assert cleaned == f"erased on re{LINE_HYPHEN}quest"
    assert readable(cleaned) == "erased on request"


def test_a_soft_hyphen_at_a_line_end_joins() -> None:
    assert readable(clean("re\u00ad\nquest").text) == "request"


TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from(list(" \n-–—−·,.'’“”ﬁ³½\u00a0\u00ad\u200b\u202f0123456789abcXYZμαе")),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=80,
)


@given(TEXT)
def test_offsets_lead_back_into_the_original(raw: str) -> None:
    cleaned = clean(raw)
    assert len(cleaned.origin) == len(cleaned.text)
    assert list(cleaned.origin) == sorted(cleaned.origin)
    for at in range(len(cleaned.text)):
        start, end = cleaned.original_span(at, at + 1)
        assert 0 <= start < end <= len(raw)


@given(TEXT)
def test_cleaned_text_has_single_spaces_and_nothing_invisible(raw: str) -> None:
    text = clean(raw).text
    assert text == text.strip()
    assert "  " not in text
    assert not set(text) & set("\n\t\u200b\u2060\ufeff\u202e")


@given(st.text(alphabet="abc XYZ.,0123", max_size=60))
def test_an_unchanged_character_maps_to_itself(raw: str) -> None:
    cleaned = clean(raw)
    for at, character in enumerate(cleaned.text):
        if character not in " ":
            assert raw[cleaned.origin[at]] == character


DISGUISED = [
    "Customer dаta were lost",  # Cyrillic а
    "Zinc did nоt reduce",  # Cyrillic о
    "аll vendors",  # Cyrillic а
    "nοt permitted",  # Greek ο
    "ΑTP binding",  # Greek Α
    "ɑspirin works",  # phonetic ɑ
    "not̶ required",  # struck through
    "is \u202enot\u202c allowed",  # bidirectional override
    "а policy",  # a single Cyrillic letter
    "the ѕсоре is narrow",  # a whole word of Cyrillic letters
]


@pytest.mark.parametrize("text", DISGUISED)
def test_disguised_words_are_found(text: str) -> None:
    assert lookalikes(text)


HONEST = [
    "TNFα and IFNγ rose; NF-κB, μg, β-actin, αvβ3, IκBα, Δp and χ² did not.",
    "Café, naïve, Ångström, Müller, Señor, Łódź, Dvořák",
    "Москва и Санкт-Петербург",
    "日本語の文章 と English",
    "Ω = 3, π-stacking, λ phage, ρ = 0.3",
    "5 µm, 37 °C, 95 % CI ± 2",
]


@pytest.mark.parametrize("text", HONEST)
def test_honest_spelling_is_left_alone(text: str) -> None:
    assert lookalikes(text) == ()
