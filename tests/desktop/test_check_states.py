"""The states of a check: the table, and the view model walked through all of it."""

from collections.abc import Callable
from itertools import product
from typing import Any, ClassVar

import pytest

from core.claims.verdict import Verdict
from core.documents.errors import DamagedFile, PasswordNeeded
from desktop.pages.check.model import DROPPED, STOPPED, TOO_LATE, CheckModel
from desktop.pages.check.operations import OpenSource
from desktop.pages.check.reopening import OpenedCheck
from desktop.pages.check.source_choice import PASTED
from desktop.pages.check.states import BUSY, TRANSITIONS, Event, State, after
from desktop.services import Services
from desktop.tasks import TaskRunner
from tests.desktop.conftest import (
    SENTENCE,
    WaitingWorkspaces,
    document,
    pump,
    result,
    stored,
    wait_for,
)


@pytest.fixture
def model(qtbot: Any, runner: TaskRunner, services: Services) -> CheckModel:
    made = CheckModel(runner)
    made.set_services(services)
    made.set_workspace(1)
    made.set_claim(SENTENCE)
    wait_for(qtbot, lambda: made.choice.document is not None)
    return made


@pytest.mark.parametrize(("state", "event"), list(product(State, Event)))
def test_only_the_ways_of_the_table_exist(state: State, event: Event) -> None:
    if (state, event) in TRANSITIONS:
        assert after(state, event) is TRANSITIONS[state, event]
    else:
        with pytest.raises(ValueError, match=f"no way from {state} by {event}"):
            after(state, event)


def test_every_state_is_reached_and_every_busy_state_can_be_left() -> None:
    assert {*TRANSITIONS.values()} == set(State)
    for state in BUSY:
        assert any(
            begin is state and end not in BUSY for (begin, _), end in TRANSITIONS.items()
        ) or any(begin is state and end is not state for (begin, _), end in TRANSITIONS.items())


def test_reading_checking_done(qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces) -> None:
    seen: list[State] = []
    progress: list[tuple[int, int, str]] = []
    model.state_changed.connect(lambda: seen.append(model.state))
    model.progress_changed.connect(lambda *at: progress.append(at))
    model.check()
    assert model.state is State.READING
    assert not model.can_check
    wait_for(qtbot, lambda: (1, 4, "Reading page 1") in progress)
    waiting.reading.go.set()
    wait_for(qtbot, lambda: model.state is State.CHECKING)
    wait_for(qtbot, lambda: (3, 9, "Comparing sentences") in progress)
    assert model.answer is None
    waiting.checking.go.set()
    wait_for(qtbot, lambda: model.state is State.DONE)
    assert model.answer is not None
    assert model.answer.claim == SENTENCE
    assert model.answer.source_key == stored().sha256
    assert model.answer.result.verdict is Verdict.SUPPORTED
    assert model.source is not None
    assert list(dict.fromkeys(seen)) == [State.READING, State.CHECKING, State.DONE]


@pytest.mark.parametrize("phase", ["reading", "checking"])
def test_an_error_says_what_happened_and_can_be_tried_again(
    qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces, phase: str
) -> None:
    waiting.reading.go.set()
    step = getattr(waiting, phase)
    step.error = DamagedFile("The file is cut short. Ask for it again.")
    waiting.checking.go.set()
    model.check()
    wait_for(qtbot, lambda: model.state is State.FAILED)
    assert model.answer is None
    assert model.message is not None
    assert model.message.happened == "The file is cut short. Ask for it again."
    assert model.message.kept
    step.error = None
    assert model.can_check
    model.check()
    wait_for(qtbot, lambda: model.state is State.DONE)
    assert model.message is None


@pytest.mark.parametrize("phase", ["reading", "checking"])
def test_cancel_stops_and_records_nothing(
    qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces, phase: str
) -> None:
    recorded: list[bool] = []
    model.recorded.connect(lambda: recorded.append(True))
    if phase == "checking":
        waiting.reading.go.set()
    model.check()
    wait_for(qtbot, getattr(waiting, phase).entered.is_set)
    wait_for(qtbot, lambda: model.state.value == phase)
    model.cancel()
    assert model.state is State.CANCELLING
    wait_for(qtbot, lambda: model.state is State.IDLE)
    assert model.answer is None
    assert model.message == STOPPED
    assert recorded == []


def test_cancel_of_work_that_does_not_listen_ends_within_its_limit(
    qtbot: Any,
    model: CheckModel,
    waiting: WaitingWorkspaces,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("desktop.tasks.STOP_WAIT_MS", 50)
    waiting.reading.go.set()
    waiting.checking.deaf = True
    model.check()
    wait_for(qtbot, waiting.checking.entered.is_set)
    wait_for(qtbot, lambda: model.state is State.CHECKING)
    model.cancel()
    wait_for(qtbot, lambda: model.state is State.IDLE)
    waiting.checking.go.set()
    pump(qtbot)
    assert model.answer is None, "a verdict of a check that was stopped must not be shown"
    model.check()
    wait_for(qtbot, lambda: model.state is State.DONE)


def test_a_verdict_that_was_too_late_to_stop_is_not_shown(
    qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces
) -> None:
    waiting.reading.go.set()
    waiting.checking.deaf = True
    model.check()
    wait_for(qtbot, lambda: model.state is State.CHECKING)
    wait_for(qtbot, waiting.checking.entered.is_set)
    model.cancel()
    waiting.checking.go.set()
    wait_for(qtbot, lambda: model.state is State.IDLE)
    assert model.message == TOO_LATE
    assert model.answer is None


EDITS: dict[str, Callable[[CheckModel], None]] = {
    "claim": lambda model: model.set_claim("Another claim."),
    "document": lambda model: model.choice.set_document(stored("b" * 64, "other.txt")),
    "kind": lambda model: (
        model.choice.set_pasted("Some text."),
        model.choice.set_kind(PASTED),
    )[0],
}


@pytest.mark.parametrize("reading", ["document", "pasted", "failing"])
def test_cancel_of_reading_that_does_not_listen_leaves_the_page_usable(
    qtbot: Any,
    model: CheckModel,
    waiting: WaitingWorkspaces,
    reading: str,
) -> None:
    """Reading may end, well or badly, after it was asked to stop."""
    waiting.reading.deaf = True
    if reading == "pasted":
        waiting.reading.go.set()
        model.choice.set_kind(PASTED)
        model.choice.set_pasted(f"First. {SENTENCE}")
    elif reading == "failing":
        waiting.reading.error = DamagedFile("The file is cut short.")
    model.check()
    if reading != "pasted":
        wait_for(qtbot, waiting.reading.entered.is_set)
    assert model.state is State.READING
    model.cancel()
    waiting.reading.go.set()
    wait_for(qtbot, lambda: model.state is State.IDLE)
    pump(qtbot)
    assert model.state is State.IDLE
    assert model.message == STOPPED
    assert waiting.claims == [], "what was stopped while it was read must not be checked"
    waiting.reading.error = None
    waiting.checking.go.set()
    assert model.can_check
    model.check()
    wait_for(qtbot, lambda: model.state is State.DONE)


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
@pytest.mark.parametrize("phase", ["reading", "checking"])
def test_a_result_for_what_was_edited_meanwhile_is_dropped(
    qtbot: Any,
    model: CheckModel,
    waiting: WaitingWorkspaces,
    phase: str,
    edit: Callable[[CheckModel], None],
) -> None:
    if phase == "checking":
        waiting.reading.go.set()
    model.check()
    wait_for(qtbot, getattr(waiting, phase).entered.is_set)
    wait_for(qtbot, lambda: model.state.value == phase)
    edit(model)
    waiting.reading.go.set()
    waiting.checking.go.set()
    wait_for(qtbot, lambda: model.state is State.IDLE)
    assert model.answer is None
    assert model.message == DROPPED


def finish(qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces) -> None:
    waiting.reading.go.set()
    waiting.checking.go.set()
    model.check()
    wait_for(qtbot, lambda: model.state is State.DONE)


def test_editing_the_claim_marks_the_verdict_as_earlier(
    qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces
) -> None:
    finish(qtbot, model, waiting)
    model.set_claim(SENTENCE + " And more.")
    assert model.answer is not None
    assert model.answer.earlier
    assert model.answer.claim == SENTENCE
    model.set_claim(SENTENCE + "  ")
    assert not model.answer.earlier


@pytest.mark.parametrize("edit", [EDITS["document"], EDITS["kind"]], ids=["document", "kind"])
def test_changing_the_source_takes_the_verdict_away(
    qtbot: Any,
    model: CheckModel,
    waiting: WaitingWorkspaces,
    edit: Callable[[CheckModel], None],
) -> None:
    finish(qtbot, model, waiting)
    edit(model)
    assert model.answer is None
    assert model.state is State.IDLE


@pytest.mark.parametrize("edit", [EDITS["document"], EDITS["kind"]], ids=["document", "kind"])
def test_a_source_changed_while_a_check_is_repeated_takes_the_verdict_away(
    qtbot: Any,
    model: CheckModel,
    waiting: WaitingWorkspaces,
    edit: Callable[[CheckModel], None],
) -> None:
    finish(qtbot, model, waiting)
    waiting.checking.entered.clear()
    waiting.checking.go.clear()
    model.repeat(7)
    assert model.answer is None, "the verdict of before is not that of the run on its way"
    wait_for(qtbot, waiting.checking.entered.is_set)
    edit(model)
    assert model.answer is None
    model.cancel()
    wait_for(qtbot, lambda: model.state is State.IDLE)
    assert model.answer is None


def test_a_file_added_during_a_check_does_not_take_the_check_away(
    qtbot: Any, model: CheckModel, services: Services, waiting: WaitingWorkspaces
) -> None:
    waiting.reading.go.set()
    model.check()
    wait_for(qtbot, lambda: model.state is State.CHECKING)
    services.store.rows.append(stored("b" * 64, "other.txt"))  # type: ignore[attr-defined]
    model.choice.refresh("b" * 64)
    wait_for(qtbot, lambda: len(model.choice.documents) == 2)
    assert model.choice.key == stored().sha256
    waiting.checking.go.set()
    wait_for(qtbot, lambda: model.state is State.DONE)
    assert model.answer is not None
    assert model.answer.source_key == stored().sha256


def test_a_document_that_left_the_workspace_is_chosen_no_more(
    qtbot: Any, model: CheckModel, services: Services, waiting: WaitingWorkspaces
) -> None:
    finish(qtbot, model, waiting)
    rows = services.store.rows  # type: ignore[attr-defined]
    rows[:] = [stored("b" * 64, "other.txt")]
    model.choice.forget(stored().sha256)
    assert model.answer is None
    wait_for(qtbot, lambda: model.choice.key == "b" * 64)
    rows.clear()
    model.choice.forget("b" * 64)
    assert model.choice.missing == "Choose a document, or drop one here."


class Text(str):
    """Pasted text that counts how often all of it is gone through."""

    __slots__ = ()
    walked: ClassVar[list[str]] = []

    def encode(self, *_: Any, **__: Any) -> bytes:
        self.walked.append("encode")
        return super().encode(*_, **__)

    def strip(self, *_: Any) -> str:
        self.walked.append("strip")
        return super().strip(*_)

    def __format__(self, spec: str) -> str:
        self.walked.append("format")
        return super().__format__(spec)


def test_long_pasted_text_is_gone_through_once_and_not_at_every_key(model: CheckModel) -> None:
    text = Text("It rained again. " * 100)
    text.walked.clear()
    model.choice.set_kind(PASTED)
    model.choice.set_pasted(text)
    model.set_claim("A")
    for letters in range(2, 20):
        model.set_claim("A" * letters)
        assert model.missing == ""
        assert model.can_check
    assert text.walked == ["format"]


def test_different_texts_have_different_keys(model: CheckModel) -> None:
    model.choice.set_kind(PASTED)
    keys = set()
    for text in ("", " \n", "One.", "One. ", "Two.", "a" * 64):
        model.choice.set_pasted(text)
        keys.add(model.choice.key)
    assert len(keys) == 5
    assert "a" * 64 not in keys, "a text is never taken for the document with that hash"


def test_editing_pasted_text_takes_the_verdict_away(
    qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces
) -> None:
    waiting.checking.go.set()
    model.choice.set_kind(PASTED)
    model.choice.set_pasted(f"First. {SENTENCE}")
    model.check()
    wait_for(qtbot, lambda: model.state is State.DONE)
    assert model.source is not None
    assert model.source.document.text == f"First. {SENTENCE}"
    model.choice.set_pasted(f"First. {SENTENCE} More.")
    assert model.answer is None


def test_another_workspace_takes_everything_of_the_first_away(
    qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces
) -> None:
    waiting.reading.go.set()
    model.check()
    wait_for(qtbot, lambda: model.state is State.CHECKING)
    model.set_workspace(2)
    assert model.state is State.IDLE
    assert model.claim == ""
    waiting.checking.go.set()
    pump(qtbot)
    assert model.answer is None


@pytest.mark.parametrize(
    ("claim", "kind", "pasted", "missing"),
    [
        ("", "document", "", "Write the claim to check."),
        ("  \n", "document", "", "Write the claim to check."),
        ("Some.", PASTED, " ", "Paste the text of the source."),
        ("Some.", PASTED, "Text.", ""),
        ("Some.", "document", "", ""),
    ],
)
def test_what_is_missing_is_said(
    model: CheckModel, claim: str, kind: str, pasted: str, missing: str
) -> None:
    model.set_claim(claim)
    model.choice.set_kind(kind)
    model.choice.set_pasted(pasted)
    assert model.missing == missing
    assert model.can_check == (not missing)


def test_without_a_document_the_person_is_told_to_choose_one(
    qtbot: Any, runner: TaskRunner, services: Services
) -> None:
    services.store.rows.clear()  # type: ignore[attr-defined]
    model = CheckModel(runner)
    assert model.missing == "The workspace is being opened."
    model.set_services(services)
    model.set_workspace(1)
    model.set_claim("Some.")
    assert model.missing == "Choose a document, or drop one here."
    model.check()
    assert model.state is State.IDLE


def test_a_locked_document_asks_for_its_password_and_goes_on(
    qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces
) -> None:
    waiting.reading.go.set()
    waiting.reading.error = PasswordNeeded("This file needs its password.")
    with qtbot.waitSignal(model.password_wanted) as asked:
        model.check()
    assert asked.args == ["trial.txt"]
    assert model.state is State.FAILED
    waiting.reading.error = None
    model.unlock("secret")
    wait_for(qtbot, lambda: model.source is not None)
    assert waiting.passwords[-1] == "secret"


def opened(verdict: Verdict, source: OpenSource | None, missing: str = "") -> OpenedCheck:
    return OpenedCheck(
        1, 7, "Earlier.", result(verdict), source, stored(), None, "trial.txt", missing
    )


def test_a_check_of_the_history_is_shown_with_its_own_claim_and_source(model: CheckModel) -> None:
    source = OpenSource(stored().sha256, "trial.txt", document())
    model.open(opened(Verdict.NOT_VERIFIABLE, source))
    assert model.state is State.DONE
    assert model.claim == "Earlier."
    assert model.answer is not None
    assert not model.answer.earlier
    assert model.source is source


def test_a_check_whose_source_is_gone_is_shown_with_a_word_on_it(model: CheckModel) -> None:
    model.open(opened(Verdict.SUPPORTED, None, "The kept copy is gone. Add it again."))
    assert model.answer is not None
    assert model.source is None
    assert model.message is not None
    assert model.message.happened == "The kept copy is gone. Add it again."


@pytest.mark.parametrize("same", [True, False])
def test_repeating_says_how_it_compares(
    qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces, same: bool
) -> None:
    waiting.reading.go.set()
    waiting.checking.go.set()
    waiting.same = same
    with qtbot.waitSignal(model.compared) as compared:
        model.repeat(7)
        assert model.state is State.CHECKING
    assert model.state is State.DONE
    assert model.answer is not None
    assert model.answer.claim == "The earlier claim."
    expected = (
        "Checked again: same verdict, and nothing has changed."
        if same
        else "Checked again: another verdict. The program was version 0 and is now version 1."
    )
    assert compared.args == [expected]


def test_a_repeat_during_which_the_claim_was_edited_is_dropped(
    qtbot: Any, model: CheckModel, waiting: WaitingWorkspaces
) -> None:
    waiting.reading.go.set()
    model.repeat(7)
    wait_for(qtbot, waiting.checking.entered.is_set)
    model.set_claim("Edited.")
    waiting.checking.go.set()
    wait_for(qtbot, lambda: model.state is State.IDLE)
    assert model.claim == "Edited."
    assert model.message == DROPPED
