"""What a person is told when the reader itself goes wrong, and that reading goes on after it."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.cancellation import Cancellation, Cancelled
from core.documents.errors import (
    MemoryLimit,
    PasswordNeeded,
    ReaderStopped,
    ReadingError,
    TimeLimit,
)
from core.ports import DocumentReader
from models.host.supervisor import Supervisor
from models.reader import ReaderWorker, time_limit

MB = 1024**2


@pytest.fixture
def reader(start: Callable[..., Supervisor]) -> Iterator[ReaderWorker]:
    """A reader over the faulty worker, with limits short enough to meet."""
    limits = {
        "silence_limit": 1.0,
        "memory_limit": 200 * MB,
        "restart_limit": 3,
        "cancel_grace": 0.5,
    }
    reading, drawing = (start("fault_reader", **limits) for _ in range(2))
    with ReaderWorker(reading=reading, drawing=drawing) as worker:
        yield worker


FAULTS: list[tuple[str, type[ReadingError]]] = [
    ("crash", ReaderStopped),
    ("hang", TimeLimit),
    ("memory", MemoryLimit),
    ("bug", ReadingError),
    ("nonsense", ReaderStopped),
    ("no_head", ReaderStopped),
]


@pytest.mark.parametrize(("how", "error"), FAULTS)
def test_each_fault_has_its_error_and_the_next_file_is_read(
    reader: ReaderWorker, how: str, error: type[ReadingError]
) -> None:
    with pytest.raises(ReadingError) as caught:
        reader.read(Path(f"{how}.pdf"))
    assert type(caught.value) is error
    message = str(caught.value)
    assert "was not changed" in message
    assert "again" in message
    assert "words" not in message
    assert reader.read(Path("sound.txt"), password="open").text == "words"


@pytest.mark.parametrize(("how", "error"), FAULTS[:5])
def test_each_fault_in_drawing_has_its_error_too(
    reader: ReaderWorker, how: str, error: type[ReadingError]
) -> None:
    with pytest.raises(ReadingError) as caught:
        reader.draw_page(Path(f"{how}.pdf"), 1)
    assert type(caught.value) is error
    assert reader.draw_page(Path("sound.pdf"), 1).width == 1


def test_a_reading_error_comes_back_as_its_own_class_with_its_message(
    reader: ReaderWorker,
) -> None:
    with pytest.raises(PasswordNeeded) as caught:
        reader.read(Path("locked.pdf"))
    assert str(caught.value) == "This file is locked. Give its password."


def test_a_reader_that_fails_again_and_again_is_refused_with_advice(reader: ReaderWorker) -> None:
    for _ in range(3):
        with pytest.raises(ReaderStopped):
            reader.read(Path("crash.pdf"))
    with pytest.raises(ReaderStopped, match="Wait a minute"):
        reader.read(Path("sound.txt"), password="open")


@pytest.mark.parametrize("how", ["wait", "hang"])
def test_a_cancel_stops_reading(reader: ReaderWorker, how: str) -> None:
    cancellation = Cancellation()
    with pytest.raises(Cancelled):
        reader.read(
            Path(f"{how}.pdf"),
            cancellation=cancellation,
            progress=lambda *_: cancellation.cancel(),
        )
    assert reader.read(Path("sound.txt"), password="open").text == "words"


def test_a_page_is_drawn_while_another_file_is_read(reader: ReaderWorker) -> None:
    cancellation, began = Cancellation(), threading.Event()
    outcome: list[type[BaseException]] = []

    def read() -> None:
        try:
            reader.read(
                Path("wait.pdf"), cancellation=cancellation, progress=lambda *_: began.set()
            )
        except Cancelled as error:
            outcome.append(type(error))

    thread = threading.Thread(target=read)
    thread.start()
    assert began.wait(30)
    assert reader.draw_page(Path("sound.pdf"), 1).width == 1
    assert thread.is_alive()
    cancellation.cancel()
    thread.join(30)
    assert outcome == [Cancelled]


def test_what_the_progress_callback_raises_is_not_taken_for_a_fault_of_the_reader(
    reader: ReaderWorker,
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("the caller's own")

    with pytest.raises(ValueError, match="the caller's own"):
        reader.read(Path("wait.pdf"), progress=fail)


def test_a_closed_reader_says_so() -> None:
    worker: DocumentReader = ReaderWorker()
    assert isinstance(worker, ReaderWorker)
    worker.close()
    with pytest.raises(ReaderStopped, match="being closed"):
        worker.read(Path("sound.txt"))


def test_the_time_limit_grows_with_the_file_up_to_an_hour() -> None:
    assert time_limit(0) == 300
    assert time_limit(30 * MB) == 900
    assert time_limit(1024 * MB) == 3600
    limits = [time_limit(size * MB) for size in range(0, 300, 10)]
    assert limits == sorted(limits)
