"""The states of a check in the window, and every way from one to the next."""

from enum import StrEnum


class State(StrEnum):
    """What the Check page is doing."""

    IDLE = "idle"
    READING = "reading"
    CHECKING = "checking"
    CANCELLING = "cancelling"
    DONE = "done"
    FAILED = "failed"


class Event(StrEnum):
    """What can happen to a check."""

    START = "start"
    READ = "read"
    VERDICT = "verdict"
    FAIL = "fail"
    CANCEL = "cancel"
    STOPPED = "stopped"
    DROP = "drop"
    CLEAR = "clear"
    OPEN = "open"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.IDLE, Event.START): State.READING,
    (State.DONE, Event.START): State.READING,
    (State.FAILED, Event.START): State.READING,
    (State.READING, Event.READ): State.CHECKING,
    (State.READING, Event.FAIL): State.FAILED,
    (State.READING, Event.CANCEL): State.CANCELLING,
    (State.CHECKING, Event.VERDICT): State.DONE,
    (State.CHECKING, Event.DROP): State.IDLE,
    (State.CHECKING, Event.FAIL): State.FAILED,
    (State.CHECKING, Event.CANCEL): State.CANCELLING,
    (State.CANCELLING, Event.STOPPED): State.IDLE,
    (State.IDLE, Event.CLEAR): State.IDLE,
    (State.DONE, Event.CLEAR): State.IDLE,
    (State.FAILED, Event.CLEAR): State.IDLE,
    (State.IDLE, Event.FAIL): State.FAILED,
    (State.DONE, Event.FAIL): State.FAILED,
    (State.FAILED, Event.FAIL): State.FAILED,
    (State.IDLE, Event.OPEN): State.DONE,
    (State.DONE, Event.OPEN): State.DONE,
    (State.FAILED, Event.OPEN): State.DONE,
}

BUSY = frozenset({State.READING, State.CHECKING, State.CANCELLING})
"""States in which a check is on its way."""


def after(state: State, event: Event) -> State:
    """The state that `event` leads to from `state`. Raises `ValueError` where there is no way."""
    try:
        return TRANSITIONS[state, event]
    except KeyError:
        raise ValueError(f"no way from {state} by {event}") from None
