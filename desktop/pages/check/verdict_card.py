"""The answer: word, icon and colour, the reason in one sentence, and what it rests on."""

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.claims.verdict import CheckResult, Verdict
from core.documents.model import Notice, NoticeKind, TextScope
from desktop import theme
from desktop.pages.check.model import Answer
from desktop.widgets.announce import announce
from desktop.widgets.buttons import push_button
from desktop.widgets.typography import Type, label

SCOPE_WORDS = {TextScope.FULL_TEXT: "Full text", TextScope.ABSTRACT_ONLY: "Abstract only"}

NOTICE_WORDS = {
    NoticeKind.RETRACTED: "This work has been retracted",
    NoticeKind.CONCERN: "An expression of concern stands on this work",
    NoticeKind.CORRECTED: "This work has been corrected",
    NoticeKind.RETRACTION_NOTICE: "This source is a notice of retraction",
    NoticeKind.CORRECTION_NOTICE: "This source is a notice of correction",
    NoticeKind.COMMENTARY: "This source is a commentary, not the work itself",
}

RANGE_AT_LINE_END = re.compile(r"(?<=\d[\u2012\u2013\u2212])[^\S\n]*\n\s*(?=\d)")
"""The break in a range of numbers whose dash ends a line."""


class VerdictCard(QFrame):
    """Shows one `Answer`, and marks it when the claim has changed since."""

    def __init__(
        self,
        repeat: Callable[[], object],
        copy: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("verdict")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._answer: Answer | None = None
        self._icon = QLabel()
        self._word = label("", Type.HEADLINE, "word")
        self._earlier = label("", Type.SMALL, "earlierNote", wrap=True)
        self._reason = label("", Type.BODY, "reason", wrap=True)
        self._scope = label("", Type.SMALL, "scope", wrap=True)
        self._standing = label("", Type.STRONG, "standing", wrap=True)
        self._compared = label("", Type.BODY, "compared", wrap=True)
        for words in (self._reason, self._scope, self._standing, self._compared, self._earlier):
            words.setTextFormat(Qt.TextFormat.PlainText)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self._icon)
        head.addWidget(self._word)
        head.addStretch(1)
        self.copy_button = push_button(
            "Copy as note", copy, kind="link", tooltip="Copy claim, verdict, reason and passage"
        )
        self.repeat_button = push_button(
            "Repeat", repeat, kind="link", tooltip="Run this check again and compare"
        )
        head.addWidget(self.copy_button)
        head.addWidget(self.repeat_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 12, 16)
        column.setSpacing(8)
        column.addWidget(self._earlier)
        column.addLayout(head)
        column.addWidget(self._reason)
        column.addWidget(self._standing)
        column.addWidget(self._scope)
        column.addWidget(self._compared)
        self.setVisible(False)

    def show_answer(self, answer: Answer | None, scope: str) -> None:
        """Show a verdict with what it rests on; None hides the card."""
        fresh = answer is not None and (
            self._answer is None or answer.result is not self._answer.result
        )
        self._answer = answer
        self.setVisible(answer is not None)
        if answer is None:
            self._compared.setText("")
            return
        result = answer.result
        word = result.verdict.words
        self._word.setText(word)
        self._reason.setText(result.reason)
        self._scope.setText(scope)
        standing = standing_words(result.scope.notices)
        self._standing.setText(standing)
        self._standing.setVisible(bool(standing))
        self._earlier.setText(f"For the earlier claim: “{shorten(answer.claim)}”")
        self._earlier.setVisible(answer.earlier)
        self._compared.setVisible(bool(self._compared.text()))
        for widget in (self, self._word):
            widget.setProperty("verdict", result.verdict.value)
            widget.setProperty("earlier", "true" if answer.earlier else "false")
            widget.style().unpolish(widget)
            widget.style().polish(widget)
        self._draw_icon()
        spoken = f"{word}. {result.reason} {standing} {scope}"
        if answer.earlier:
            spoken = f"For the earlier claim: {spoken}"
        self.setAccessibleName(f"Verdict: {spoken}")
        if fresh:
            announce(self, f"Verdict: {spoken}", urgent=True)

    def show_comparison(self, words: str) -> None:
        """What a repeated check gave, in a sentence; empty hides the line."""
        self._compared.setText(words)
        self._compared.setVisible(bool(words))
        if words:
            announce(self, words)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw the icon again in the colours of a new theme."""
        if event.type() == QEvent.Type.PaletteChange and self._answer is not None:
            self._draw_icon()
        super().changeEvent(event)

    def _draw_icon(self) -> None:
        assert self._answer is not None
        colours = theme.current_theme()
        verdict = self._answer.result.verdict
        colour = theme.verdict_colours(colours, verdict)[0]
        if self._answer.earlier:
            colour = colours.quiet
        self._icon.setPixmap(theme.pixmap(verdict.value, colour, 28, self.devicePixelRatioF()))
        self._icon.setAccessibleName(verdict.words)


def shorten(text: str, length: int = 120) -> str:
    """The text on one line, cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[:length].rsplit(" ", 1)[0] + " …"


def standing_words(notices: tuple[Notice, ...]) -> str:
    """What is said of the work's standing, as a sentence; empty when nothing is."""
    kinds = dict.fromkeys(NOTICE_WORDS[notice.kind] for notice in notices)
    return ". ".join(kinds) + "." if kinds else ""


def scope_words(answer: Answer, pages: int, pasted: bool) -> str:
    """What the verdict rests on: source, how much of it, and its pages."""
    scope = "Pasted text only" if pasted else SCOPE_WORDS[answer.result.scope.text]
    parts = [scope] if pasted else [answer.source_name, scope]
    if pages:
        parts.append(f"{pages} page" + ("s" if pages > 1 else ""))
    return " · ".join(parts)


def passage_title(decides: bool) -> str:
    """What a passage is called: a passage that decides nothing must not look like proof."""
    return "Deciding passage" if decides else "Closest passage"


def plain_passage(text: str) -> str:
    """A passage on one line, with words that were broken at a line's end written whole."""
    from core.text.hygiene import clean, readable

    return readable(clean(RANGE_AT_LINE_END.sub("", text)).text)


def as_note(answer: Answer, scope: str) -> str:
    """Claim, verdict, reason, passages and scope as plain text for a report."""
    result: CheckResult = answer.result
    lines = [
        f"Claim: {answer.claim}",
        f"Verdict: {result.verdict.words}",
        f"Reason: {result.reason}",
    ]
    decides = result.verdict is not Verdict.NOT_VERIFIABLE
    for passage in result.evidence:
        page = f" (page {passage.page})" if passage.page is not None else ""
        lines.append(f"{passage_title(decides)}{page}: “{plain_passage(passage.text)}”")
    standing = standing_words(result.scope.notices)
    if standing:
        lines.append(f"Standing: {standing}")
    lines.append(f"Source: {scope}")
    return "\n".join(lines)
