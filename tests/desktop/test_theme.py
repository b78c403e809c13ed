"""The two themes: contrast, completeness, icons, and distances on the grid."""

import re
from dataclasses import asdict
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

import resources
from core.claims.verdict import Outcome, Verdict
from desktop import theme
from desktop.theme import DARK, LIGHT, THEMES, Theme

STYLES = resources.path("styles/window.qss").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#123456", "#123456", 1.0)],
)
def test_contrast_is_that_of_wcag(first: str, second: str, ratio: float) -> None:
    assert theme.contrast(first, second) == pytest.approx(ratio, abs=0.01)
    assert theme.contrast(second, first) == theme.contrast(first, second)


@pytest.mark.parametrize("pair", theme.TEXT_PAIRS, ids="-on-".join)
@pytest.mark.parametrize("one", THEMES, ids=lambda one: one.name)
def test_text_has_enough_contrast(one: Theme, pair: tuple[str, str]) -> None:
    text, ground = (asdict(one)[name] for name in pair)
    assert theme.contrast(text, ground) >= 4.5


@pytest.mark.parametrize("one", THEMES, ids=lambda one: one.name)
def test_edges_of_fields_can_be_seen(one: Theme) -> None:
    assert theme.contrast(one.field_line, one.surface) >= 3.0
    assert theme.contrast(one.accent, one.surface) >= 3.0


@pytest.mark.parametrize("pair", theme.FOCUS_PAIRS, ids="-on-".join)
@pytest.mark.parametrize("one", THEMES, ids=lambda one: one.name)
def test_focus_rings_can_be_seen(one: Theme, pair: tuple[str, str]) -> None:
    ring, ground = (asdict(one)[name] for name in pair)
    assert theme.contrast(ring, ground) >= 3.0


def test_every_focus_ring_is_among_the_pairs() -> None:
    rings = {ring for ring, _ in theme.FOCUS_PAIRS}
    rules = re.findall(r":focus[^{]*\{([^}]*)\}", STYLES)
    named = [name for rule in rules for name in re.findall(r"border[^;]*\$(\w+)", rule)]
    assert named
    assert set(named) <= rings


def test_every_text_colour_is_among_the_pairs() -> None:
    measured = {text for text, _ in theme.TEXT_PAIRS}
    for rule in re.findall(r"(?<![-\w])color: \$(\w+)", STYLES):
        assert rule in measured


def test_the_themes_are_designed_and_not_inverted() -> None:
    light, dark = asdict(LIGHT), asdict(DARK)
    inverted = {
        name: f"#{0xFFFFFF - int(light[name][1:], 16):06x}" for name in light if name != "name"
    }
    assert not any(inverted[name] == dark[name] for name in inverted)


@pytest.mark.parametrize("one", THEMES, ids=lambda one: one.name)
def test_the_style_sheet_has_every_colour_it_names(one: Theme) -> None:
    assert "$" not in theme.style_sheet(one)


def test_distances_are_on_the_grid() -> None:
    """Focus rings take their extra pixel from the padding, so 3 + 2 stands for 4 + 1."""
    rules = re.findall(r"[^{}]*\{[^{}]*\}", STYLES)
    for rule in rules:
        thick = re.search(r"border: 2px", rule) is not None
        for values in re.findall(r"(?:padding|margin): ([^;]+);", rule):
            for value in re.findall(r"(\d+)(?:px)?", values):
                on_grid = int(value) % 4 == 0 or int(value) == 2
                assert on_grid or (thick and (int(value) + 1) % 4 == 0), rule


@pytest.mark.parametrize("name", [*Verdict, *Outcome], ids=str)
def test_verdicts_and_outcomes_have_icons_that_draw(qapp: QApplication, name: str) -> None:
    image = theme.pixmap(name, "#123456", 24, 2.0).toImage()
    assert image.width() == 48
    inked = sum(
        image.pixelColor(x, y).alpha() > 128
        for x in range(image.width())
        for y in range(image.height())
    )
    assert inked > 20


def test_verdicts_differ_by_word_icon_and_colour(qapp: QApplication) -> None:
    words = {verdict.words for verdict in Verdict}
    drawn = {
        bytes(theme.pixmap(verdict, "#000000", 24).toImage().constBits()) for verdict in Verdict
    }
    assert len(words) == len(drawn) == len(Verdict)
    for one in THEMES:
        assert len({theme.verdict_colours(one, verdict) for verdict in Verdict}) == len(Verdict)


def test_not_verifiable_is_not_shown_as_an_error() -> None:
    for one in THEMES:
        colour, _ = theme.verdict_colours(one, Verdict.NOT_VERIFIABLE)
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        assert red <= max(green, blue)


def test_the_theme_follows_the_system(qapp: QApplication, monkeypatch: Any) -> None:
    class Hints:
        scheme = Qt.ColorScheme.Dark

        def colorScheme(self) -> Qt.ColorScheme:  # noqa: N802
            return self.scheme

    class App:
        def styleHints(self) -> Hints:  # noqa: N802
            return Hints()

    assert theme.theme_for(App()) is DARK  # type: ignore[arg-type]
    Hints.scheme = Qt.ColorScheme.Light
    assert theme.theme_for(App()) is LIGHT  # type: ignore[arg-type]
    Hints.scheme = Qt.ColorScheme.Unknown
    assert theme.theme_for(App()) is LIGHT  # type: ignore[arg-type]
