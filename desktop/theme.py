"""How the window looks: two themes as data, and what Qt needs made from them.

Distances are multiples of `GRID`. Every pair in `TEXT_PAIRS` has a contrast of at least 4.5 to 1.
"""

from dataclasses import asdict, dataclass
from string import Template

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

import resources
from core.claims.verdict import Verdict

GRID = 4
"""The distance, in device-independent pixels, that every margin and gap is a multiple of."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by role, as `#rrggbb`."""

    name: str
    window: str
    surface: str
    raised: str
    rail: str
    line: str
    field_line: str
    text: str
    quiet: str
    accent: str
    accent_hover: str
    on_accent: str
    selected: str
    supported: str
    supported_tint: str
    contradicted: str
    contradicted_tint: str
    not_verifiable: str
    not_verifiable_tint: str
    warning: str
    warning_tint: str
    marker: str
    marker_text: str
    closest: str
    closest_text: str
    desk: str


LIGHT = Theme(
    name="light",
    window="#f6f5f2",
    surface="#ffffff",
    raised="#fbfaf8",
    rail="#ecebe6",
    line="#dedbd3",
    field_line="#8d897f",
    text="#1f2328",
    quiet="#5a5f66",
    accent="#23527c",
    accent_hover="#1a4064",
    on_accent="#ffffff",
    selected="#dce6ef",
    supported="#1d6249",
    supported_tint="#e9f3ee",
    contradicted="#92321f",
    contradicted_tint="#faece8",
    not_verifiable="#474d6b",
    not_verifiable_tint="#eeeff5",
    warning="#7a4b00",
    warning_tint="#fbf1dc",
    marker="#ffe38a",
    marker_text="#1f2328",
    closest="#d3dcea",
    closest_text="#1f2328",
    desk="#e6e4de",
)

DARK = Theme(
    name="dark",
    window="#1b1d21",
    surface="#24272c",
    raised="#2a2d33",
    rail="#16181b",
    line="#383c43",
    field_line="#7d838c",
    text="#e7e5e0",
    quiet="#aab0b8",
    accent="#8db9e2",
    accent_hover="#a9cbeb",
    on_accent="#11202e",
    selected="#2f3f50",
    supported="#85cbaa",
    supported_tint="#1f322a",
    contradicted="#efa08d",
    contradicted_tint="#3a2520",
    not_verifiable="#b7bde0",
    not_verifiable_tint="#2a2d3d",
    warning="#e8bd6a",
    warning_tint="#362c18",
    marker="#6b5713",
    marker_text="#fff6d8",
    closest="#3d4960",
    closest_text="#eef2fa",
    desk="#131518",
)

THEMES = (LIGHT, DARK)

TEXT_PAIRS = (
    ("text", "window"),
    ("text", "surface"),
    ("text", "raised"),
    ("text", "rail"),
    ("text", "selected"),
    ("text", "supported_tint"),
    ("text", "contradicted_tint"),
    ("text", "not_verifiable_tint"),
    ("text", "warning_tint"),
    ("quiet", "window"),
    ("quiet", "surface"),
    ("quiet", "raised"),
    ("quiet", "rail"),
    ("quiet", "selected"),
    ("quiet", "supported_tint"),
    ("quiet", "contradicted_tint"),
    ("quiet", "not_verifiable_tint"),
    ("accent", "window"),
    ("accent", "surface"),
    ("accent", "rail"),
    ("accent", "selected"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("supported", "surface"),
    ("supported", "supported_tint"),
    ("contradicted", "surface"),
    ("contradicted", "contradicted_tint"),
    ("not_verifiable", "surface"),
    ("not_verifiable", "not_verifiable_tint"),
    ("warning", "window"),
    ("warning", "surface"),
    ("warning", "warning_tint"),
    ("marker_text", "marker"),
    ("closest_text", "closest"),
    ("quiet", "desk"),
    ("text", "desk"),
)
"""Pairs of (text, background) that the window uses."""

FOCUS_PAIRS = (
    *(
        ("accent", ground)
        for ground in (
            "window",
            "surface",
            "raised",
            "rail",
            "selected",
            "desk",
            "line",
            "supported_tint",
            "contradicted_tint",
            "not_verifiable_tint",
            "warning_tint",
        )
    ),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
)
"""Pairs of (focus ring, what it is drawn on); each has a contrast of at least 3 to 1."""


def contrast(first: str, second: str) -> float:
    """WCAG 2 contrast ratio of two `#rrggbb` colours, in 1..21."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def theme_for(app: QGuiApplication) -> Theme:
    """The theme that follows the system's colour scheme."""
    dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


def current_theme() -> Theme:
    """The theme that the running program shows."""
    app = QApplication.instance()
    name = app.property("theme") if app is not None else None
    return DARK if name == DARK.name else LIGHT


def apply(app: QApplication, theme: Theme) -> None:
    """Give the whole program the theme: palette first, then the style sheet for what is ours."""
    app.setProperty("theme", theme.name)
    app.setStyle("Fusion")
    app.setPalette(palette(theme))
    app.setStyleSheet(style_sheet(theme))


def palette(theme: Theme) -> QPalette:
    """The theme as Qt's own colour roles."""
    role = QPalette.ColorRole
    made = QPalette()
    for target, colour in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.surface),
        (role.AlternateBase, theme.raised),
        (role.Text, theme.text),
        (role.Button, theme.surface),
        (role.ButtonText, theme.text),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.quiet),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Link, theme.accent),
        (role.Accent, theme.accent),
    ):
        made.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, target, QColor(theme.quiet))
    return made


def style_sheet(theme: Theme) -> str:
    """The style sheet with the theme's colours filled in."""
    template = Template(resources.path("styles/window.qss").read_text(encoding="utf-8"))
    icons = resources.path("icons").as_posix()
    return template.substitute(asdict(theme), icons=icons)


def icon(name: str, colour: str, size: int = 20) -> QIcon:
    """A shipped icon in the given colour, sharp at one, two and three device pixels a pixel."""
    made = QIcon()
    for ratio in (1.0, 2.0, 3.0):
        made.addPixmap(pixmap(name, colour, size, ratio))
    return made


def pixmap(name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
    """A shipped icon drawn `size` device-independent pixels wide and high."""
    source = resources.path(f"icons/{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))
    drawn = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    renderer.render(painter, QRectF(0, 0, size * ratio, size * ratio))
    painter.end()
    drawn.setDevicePixelRatio(ratio)
    return drawn


def verdict_colours(theme: Theme, verdict: Verdict) -> tuple[str, str]:
    """Foreground and tint of a verdict."""
    return {
        Verdict.SUPPORTED: (theme.supported, theme.supported_tint),
        Verdict.CONTRADICTED: (theme.contradicted, theme.contradicted_tint),
        Verdict.NOT_VERIFIABLE: (theme.not_verifiable, theme.not_verifiable_tint),
    }[verdict]
