"""The evidence pane's model: which page, which marks, and no drawing of a page that was left."""

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from core.claims.verdict import Evidence
from core.documents.errors import DamagedFile, PasswordNeeded
from core.documents.model import Block, BlockKind, Document, Format, Fragment
from core.ports import PageImage
from desktop.pages.check.evidence_model import MAX_ZOOM, MIN_ZOOM, EvidenceModel
from desktop.pages.check.evidence_pane import EvidencePane
from desktop.pages.check.operations import OpenSource
from desktop.services import Services
from desktop.tasks import TaskRunner
from tests.desktop.conftest import pump, wait_for

TEXT = "One on page two. Two runs over\nto page three. Three."
"""Characters 0 to 30 stand on page 2 from its character 100, the rest on page 3."""
SPLIT = 31


def png(width: int = 60, height: int = 80) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


class Drawer:
    """A reader that draws white pages and notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, float, tuple[tuple[int, int], ...], str | None]] = []
        self.go = Event()
        self.go.set()
        self.locked = False
        self.broken = False
        self.png = png()

    def draw_page(
        self,
        path: Path,
        page: int,
        *,
        scale: float,
        marks: tuple[tuple[int, int], ...],
        password: str | None,
    ) -> PageImage:
        self.asked.append((page, scale, tuple(marks), password))
        self.go.wait(10)
        if self.broken:
            raise DamagedFile("The page cannot be drawn.")
        if self.locked and password != "right":
            raise PasswordNeeded("This file needs its password.")
        boxes = tuple((float(first), 2.0, 3.0, 4.0) for first, _ in marks)
        return PageImage(self.png, 60, 80, boxes)

    def close(self) -> None:
        self.go.set()


def source(key: str = "k") -> OpenSource:
    made = Document(
        Format.PDF,
        TEXT,
        (Block(BlockKind.PARAGRAPH, 0, len(TEXT)),),
        fragments=(Fragment(0, SPLIT, 2, 100), Fragment(SPLIT, len(TEXT), 3, 0)),
        page_count=4,
    )
    return OpenSource(key, "paper.pdf", made, Path("paper.pdf"))


def passages() -> list[Evidence]:
    ends = (16, 47, len(TEXT))
    starts = (0, 17, 48)
    return [
        Evidence(TEXT[start:end], start, end, page)
        for start, end, page in zip(starts, ends, (2, 2, 3), strict=True)
    ]


@pytest.fixture
def drawer() -> Drawer:
    return Drawer()


@pytest.fixture
def model(runner: TaskRunner, services: Services, drawer: Drawer) -> EvidenceModel:
    services.reader = drawer  # type: ignore[assignment]
    made = EvidenceModel(runner)
    made.set_services(services)
    return made


def test_a_passage_is_shown_on_its_page_with_its_characters_marked(
    qtbot: Any, model: EvidenceModel, drawer: Drawer
) -> None:
    model.show(source(), passages())
    assert model.page == 2
    wait_for(qtbot, lambda: model.drawn is not None)
    assert drawer.asked[-1][0] == 2
    assert drawer.asked[-1][2] == ((100, 116),)
    assert model.drawn is not None
    assert model.drawn.image.width() == 60
    assert len(model.drawn.boxes) == 1


def test_a_passage_that_runs_over_is_marked_on_both_pages(model: EvidenceModel) -> None:
    model.show(source(), passages()[1:2])
    assert model.page == 2
    assert model.marks(2) == [(117, 131)]
    assert model.marks(3) == [(0, 16)]
    assert model.marks(4) == []


def test_next_and_previous_go_round(model: EvidenceModel) -> None:
    model.show(source(), passages())
    pages = [model.page]
    for _ in range(3):
        model.next()
        pages.append(model.page)
    assert pages == [2, 2, 3, 2]
    model.previous()
    assert (model.index, model.page) == (2, 3)


def test_pages_outside_of_the_document_are_not_gone_to(model: EvidenceModel) -> None:
    model.show(source())
    assert model.page == 1
    for page in (0, -1, 5):
        model.go_to_page(page)
        assert model.page == 1
    model.go_to_page(4)
    assert model.page == 4


def test_a_page_that_was_left_is_not_shown_when_its_drawing_comes(
    qtbot: Any, model: EvidenceModel, drawer: Drawer
) -> None:
    drawer.go.clear()
    shown: list[int] = []
    model.drawn_changed.connect(
        lambda: shown.append(model.drawn.page if model.drawn is not None else 0)
    )
    model.show(source())
    wait_for(qtbot, lambda: drawer.asked)
    for page in (2, 3, 4):
        model.go_to_page(page)
    drawer.go.set()
    wait_for(qtbot, lambda: shown)
    pump(qtbot)
    assert shown == [4]
    assert [asked[0] for asked in drawer.asked] == [1, 4], "pages passed by are not drawn"


def test_another_source_does_not_get_the_first_ones_page(
    qtbot: Any, model: EvidenceModel, drawer: Drawer
) -> None:
    drawer.go.clear()
    model.show(source("first"), passages())
    wait_for(qtbot, lambda: drawer.asked)
    model.show(None)
    drawer.go.set()
    pump(qtbot)
    assert model.drawn is None
    assert model.evidence == ()


def test_another_passage_of_the_page_never_gets_the_first_ones_boxes(
    qtbot: Any, model: EvidenceModel, drawer: Drawer
) -> None:
    drawer.go.clear()
    boxes: list[tuple[tuple[float, float, float, float], ...]] = []
    model.drawn_changed.connect(
        lambda: boxes.append(model.drawn.boxes if model.drawn is not None else ())
    )
    model.show(source(), passages())
    wait_for(qtbot, lambda: drawer.asked)
    model.next()
    assert model.page == 2
    drawer.go.set()
    wait_for(qtbot, lambda: boxes)
    pump(qtbot)
    assert [drawn[0][0] for drawn in boxes] == [117.0], "only the boxes of the passage shown"


@pytest.mark.parametrize("broken", [False, True])
def test_boxes_go_at_once_when_the_passage_changes(
    qtbot: Any, model: EvidenceModel, drawer: Drawer, broken: bool
) -> None:
    model.show(source(), passages())
    wait_for(qtbot, lambda: model.drawn is not None)
    drawer.broken = broken
    drawer.go.clear()
    model.next()
    assert model.page == 2
    assert model.drawn is None
    drawer.go.set()
    if broken:
        wait_for(qtbot, lambda: model.message is not None)
        assert model.drawn is None
    else:
        wait_for(qtbot, lambda: model.drawn is not None)
        assert model.drawn is not None
        assert model.drawn.boxes[0][0] == 117.0


def test_the_page_stays_in_sight_without_marks_until_it_is_drawn_anew(
    qtbot: Any, model: EvidenceModel, drawer: Drawer
) -> None:
    pane = EvidencePane(model)
    qtbot.addWidget(pane)
    model.show(source(), passages())
    wait_for(qtbot, lambda: model.drawn is not None)
    assert pane.page_view.marked == 1
    drawer.go.clear()
    model.next()
    assert pane.page_view.marked == 0
    assert pane.page_view.has_page
    model.go_to_page(4)
    assert not pane.page_view.has_page
    drawer.go.set()


def test_zoom_stays_within_its_limits(model: EvidenceModel) -> None:
    model.set_zoom(100)
    assert model.zoom == MAX_ZOOM
    model.set_zoom(0.001)
    assert model.zoom == MIN_ZOOM


def test_a_sharper_screen_has_the_page_drawn_again(
    qtbot: Any, model: EvidenceModel, drawer: Drawer
) -> None:
    model.show(source())
    wait_for(qtbot, lambda: model.drawn is not None)
    model.set_scale(3.0)
    wait_for(qtbot, lambda: drawer.asked[-1][1] == 3.0)


def test_a_locked_page_asks_and_is_drawn_with_the_password(
    qtbot: Any, model: EvidenceModel, drawer: Drawer, services: Services
) -> None:
    drawer.locked = True
    with qtbot.waitSignal(model.password_needed):
        model.show(source())
    assert model.message is not None
    assert model.message.happened == "This file needs its password."
    services.passwords["k"] = "right"
    model.draw()
    wait_for(qtbot, lambda: model.drawn is not None)
    assert model.message is None
