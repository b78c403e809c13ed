"""Messages: what happened, what was kept, what to do, and never a document's text."""

import errno

import pytest

from core.documents import errors
from core.storage.errors import CopyChanged, StoreFull
from desktop.messages import explain

SECRET = "Veltomarin reduced stroke by 35 %"


@pytest.mark.parametrize(
    "error",
    [kind("It is broken. Do this.") for kind in errors.ReadingError.__subclasses__()]
    + [CopyChanged("It is broken. Do this."), StoreFull("It is broken. Do this.")],
    ids=lambda error: type(error).__name__,
)
def test_errors_of_the_program_speak_for_themselves(error: Exception) -> None:
    message = explain(error, "Adding “a.pdf”")
    assert message.happened == "It is broken. Do this."
    assert message.kept
    assert type(error).__name__ in message.details


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError(SECRET),
        ValueError(SECRET),
        KeyError(SECRET),
        UnicodeDecodeError("utf-8", SECRET.encode(), 0, 1, SECRET),
        OSError(errno.ENOSPC, "No space left on device", SECRET),
        AssertionError(SECRET),
    ],
    ids=lambda error: type(error).__name__,
)
def test_other_errors_show_no_text_of_a_document(error: Exception) -> None:
    try:
        raise error
    except Exception as raised:
        message = explain(raised, "The check")
    everything = message.spoken + message.details
    assert SECRET not in everything
    assert "Veltomarin" not in everything
    assert message.happened.startswith("The check stopped")
    assert message.kept
    assert message.do


def test_a_full_disk_is_named() -> None:
    message = explain(OSError(errno.ENOSPC, "No space left on device"), "Adding “a.pdf”")
    assert "No space left on device" in message.happened


def test_details_name_places_in_the_program() -> None:
    try:
        raise RuntimeError(SECRET)
    except RuntimeError as error:
        details = explain(error, "The check").details
    assert "builtins.RuntimeError" in details
    assert "test_details_name_places_in_the_program" in details
