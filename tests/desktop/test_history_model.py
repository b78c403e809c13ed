"""The history's model: pages of rows, fetched as they are needed."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.claims.verdict import Verdict
from core.storage.rows import CheckRecord
from desktop.pages.history.model import CHECK_ID, PAGE_ROWS, VERDICT_ID, HistoryModel
from desktop.services import Services
from desktop.tasks import TaskRunner
from tests.desktop.conftest import record, result, stored, wait_for

ROWS = 2 * PAGE_ROWS + 50


class Checks:
    """Answers pages as the store does, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int | None, str | None, Verdict | None]] = []
        self.error: Exception | None = None

    def page(
        self,
        workspace_id: int,
        *,
        before: int | None = None,
        limit: int = 100,
        search: str | None = None,
        verdict: Verdict | None = None,
    ) -> list[CheckRecord]:
        self.asked.append((workspace_id, before, search, verdict))
        if self.error is not None:
            raise self.error
        newest = ROWS if before is None else before - 1
        ids = range(newest, max(0, newest - limit), -1)
        one = record("A claim.", stored(), result())
        return [replace(one, verdict_id=number, claim=f"Claim {number}.") for number in ids]


@pytest.fixture
def checks(services: Services) -> Checks:
    made = Checks()
    services.store.checks = made  # type: ignore[assignment]
    return made


@pytest.fixture
def model(qtbot: Any, runner: TaskRunner, services: Services, checks: Checks) -> HistoryModel:
    made = HistoryModel(runner)
    made.set_workspace(1)
    made.set_services(services)
    wait_for(qtbot, lambda: made.rowCount() == PAGE_ROWS)
    return made


def test_rows_come_page_by_page_to_the_last(
    qtbot: Any, model: HistoryModel, checks: Checks
) -> None:
    for expected in (2 * PAGE_ROWS, ROWS):
        assert model.canFetchMore(QModelIndex())
        model.fetchMore(QModelIndex())
        assert not model.canFetchMore(QModelIndex()), "one page at a time"
        wait_for(qtbot, lambda expected=expected: model.rowCount() == expected)
    assert not model.canFetchMore(QModelIndex())
    ids = [model.data(model.index(row, 0), VERDICT_ID) for row in range(ROWS)]
    assert ids == list(range(ROWS, 0, -1))
    assert [asked[1] for asked in checks.asked] == [None, ROWS - 99, ROWS - 199]


def test_a_row_says_verdict_claim_source_and_time(model: HistoryModel) -> None:
    words = [model.data(model.index(0, column)) for column in range(model.columnCount())]
    assert words[:3] == ["Supported", f"Claim {ROWS}.", "trial.txt"]
    assert words[3].startswith("2026-11-01")
    assert model.data(model.index(0, 0), Qt.ItemDataRole.DecorationRole) is not None
    assert model.data(model.index(0, 0), CHECK_ID) == 7


def test_a_filter_begins_again_at_the_newest(
    qtbot: Any, model: HistoryModel, checks: Checks
) -> None:
    with qtbot.waitSignal(model.filled):
        model.set_filter("stroke", Verdict.CONTRADICTED)
    assert checks.asked[-1] == (1, None, "stroke", Verdict.CONTRADICTED)
    asked = len(checks.asked)
    model.set_filter("stroke", Verdict.CONTRADICTED)
    assert len(checks.asked) == asked


@pytest.mark.parametrize("fails", [False, True])
def test_another_workspace_never_shows_the_rows_of_the_first(
    qtbot: Any, model: HistoryModel, checks: Checks, fails: bool
) -> None:
    checks.error = OSError(5, "Input/output error") if fails else None
    model.set_workspace(2)
    assert model.rowCount() == 0
    assert not model.canFetchMore(QModelIndex())
    with qtbot.waitSignal(model.said if fails else model.filled):
        pass
    assert model.rowCount() == (0 if fails else PAGE_ROWS)
    assert checks.asked[-1][0] == 2


def test_an_error_is_said_and_the_rows_stay(
    qtbot: Any, model: HistoryModel, checks: Checks
) -> None:
    checks.error = OSError(5, "Input/output error")
    with qtbot.waitSignal(model.said) as said:
        model.fetchMore(QModelIndex())
    assert "Input/output error" in said.args[0].happened
    assert model.rowCount() == PAGE_ROWS


def test_the_model_keeps_the_rules_of_qt(qtbot: Any, model: HistoryModel) -> None:
    strict = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, strict, model)

    def all_there() -> bool:
        if model.canFetchMore(QModelIndex()):
            model.fetchMore(QModelIndex())
        return model.rowCount() == ROWS

    wait_for(qtbot, all_there)
    with qtbot.waitSignal(model.filled):
        model.reload()
    assert tester.model() is model
