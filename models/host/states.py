"""The states of a worker, and every way from one to another."""

from enum import StrEnum


class State(StrEnum):
    """Where a worker stands."""

    IDLE = "idle"
    """No process runs; the next call starts one."""
    STARTING = "starting"
    READY = "ready"
    """The process runs and waits for a call."""
    BUSY = "busy"
    CANCELLING = "cancelling"
    """The process was asked to stop its call; it is killed if it does not within the grace."""
    FAILED = "failed"
    """The process ended by a fault; the next call starts another, within the restart limit."""
    STOPPED = "stopped"
    """The supervisor is closed, for good."""


class Event(StrEnum):
    """What moves a worker from one state to another."""

    START = "start"
    STARTED = "started"
    CALL = "call"
    ANSWER = "answer"
    CANCEL = "cancel"
    END = "end"
    """The process ended without a call being at fault: killed on cancel, replaced, or gone."""
    FAULT = "fault"
    CLOSE = "close"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.IDLE, Event.START): State.STARTING,
    (State.FAILED, Event.START): State.STARTING,
    (State.STARTING, Event.STARTED): State.READY,
    (State.STARTING, Event.FAULT): State.FAILED,
    (State.STARTING, Event.END): State.IDLE,
    (State.READY, Event.CALL): State.BUSY,
    (State.READY, Event.END): State.IDLE,
    (State.BUSY, Event.ANSWER): State.READY,
    (State.BUSY, Event.CANCEL): State.CANCELLING,
    (State.BUSY, Event.FAULT): State.FAILED,
    (State.CANCELLING, Event.ANSWER): State.READY,
    (State.CANCELLING, Event.END): State.IDLE,
    (State.IDLE, Event.CLOSE): State.STOPPED,
    (State.STARTING, Event.CLOSE): State.STOPPED,
    (State.READY, Event.CLOSE): State.STOPPED,
    (State.BUSY, Event.CLOSE): State.STOPPED,
    (State.CANCELLING, Event.CLOSE): State.STOPPED,
    (State.FAILED, Event.CLOSE): State.STOPPED,
}
