"""A worker whose methods go wrong in every way that the supervisor must survive."""

import ctypes
import os
import re
import sys
import threading
import time
from typing import Any, NoReturn

from core.cancellation import Cancelled
from models.host.child import Call, serve

STALL_LIMIT = 5.0
KEPT: list[bytes] = []


class NamedError(Exception):
    code = "named"


def echo(params: dict[str, Any], call: Call) -> Any:
    return params["value"]


def pid(params: dict[str, Any], call: Call) -> int:
    return os.getpid()


def steps(params: dict[str, Any], call: Call) -> str:
    for at in range(params["count"]):
        call.progress(at + 1, params["count"], "Counting")
        call.piece({"at": at})
    return "counted"


def wait(params: dict[str, Any], call: Call) -> None:
    """Work on, a step at a time, until cancelled."""
    while True:
        call.progress(0, 0, "Waiting")
        time.sleep(0.01)


def wait_quietly(params: dict[str, Any], call: Call) -> None:
    """Say once that work began, then only look at the cancellation."""
    call.progress(0, 0, "Waiting")
    while not call.cancellation.requested:
        time.sleep(0.01)
    call.cancellation.check()


def swallow_cancel(params: dict[str, Any], call: Call) -> None:
    try:
        wait(params, call)
    except Cancelled:
        raise NamedError("The cancel looked like a fault of the file.") from None


def hang(params: dict[str, Any], call: Call) -> None:
    call.progress(0, 0, "Hanging")
    time.sleep(3600)


def hold_interpreter(params: dict[str, Any], call: Call) -> None:
    """Let no other thread of this process run: the pattern needs 2**40 steps."""
    call.progress(0, 0, "Backtracking")
    re.match(r"(a|a)+$", "a" * 40 + "b")


def abort(params: dict[str, Any], call: Call) -> NoReturn:
    os.abort()


def touch_nothing(params: dict[str, Any], call: Call) -> None:
    ctypes.string_at(0)


def leave(params: dict[str, Any], call: Call) -> NoReturn:
    os._exit(3)


def leave_politely(params: dict[str, Any], call: Call) -> NoReturn:
    sys.exit(0)


def die_later(params: dict[str, Any], call: Call) -> None:
    threading.Timer(0.05, os._exit, (4,)).start()


def eat_slowly(params: dict[str, Any], call: Call) -> None:
    while True:
        KEPT.append(bytearray(os.urandom(1024)) * 4096)
        time.sleep(0.005)


def eat_at_once(params: dict[str, Any], call: Call) -> None:
    """Ask for more than the limit at once, but touch none of it."""
    KEPT.append(bytes(8 << 30))


def keep(params: dict[str, Any], call: Call) -> int:
    KEPT.append(bytearray(os.urandom(1024)) * (params["bytes"] // 1024))
    return os.getpid()


def print_garbage(params: dict[str, Any], call: Call) -> str:
    print("\x00\x00\x00\x05nonsense", flush=True)
    sys.__stdout__.write("and more\n")
    sys.__stdout__.flush()
    os.write(1, b"\xff" * 5000)
    return sys.stdin.read()


def flood_stderr(params: dict[str, Any], call: Call) -> str:
    line = "flood " * 20_000 + "\n"
    for _ in range(200):
        sys.stderr.write(line)
    print("the last line", file=sys.stderr, flush=True)
    return "flooded"


def flood_and_abort(params: dict[str, Any], call: Call) -> NoReturn:
    flood_stderr(params, call)
    os.abort()


def raise_unnamed(params: dict[str, Any], call: Call) -> NoReturn:
    raise KeyError("words of a confidential document")


def raise_named(params: dict[str, Any], call: Call) -> NoReturn:
    raise NamedError("The file is not of this kind.")


def recurse(params: dict[str, Any], call: Call) -> None:
    recurse(params, call)


def large_result(params: dict[str, Any], call: Call) -> str:
    return "x" * (17 * 1024 * 1024)


def large_piece(params: dict[str, Any], call: Call) -> None:
    call.piece({"text": "x" * (17 * 1024 * 1024)})


def not_json(params: dict[str, Any], call: Call) -> object:
    return {"number": float("nan")}


def write_raw(params: dict[str, Any], call: Call) -> None:
    """Put bytes on the protocol's pipe, then stay or go."""
    outgoing = call._send.__self__._outgoing  # type: ignore[attr-defined]
    outgoing.write(bytes.fromhex(params["bytes"]))
    outgoing.flush()
    if params.get("leave"):
        os._exit(0)
    time.sleep(3600)


def close_pipe(params: dict[str, Any], call: Call) -> None:
    call._send.__self__._outgoing.close()  # type: ignore[attr-defined]
    time.sleep(3600)


def flood_pieces(params: dict[str, Any], call: Call) -> None:
    while True:
        call.piece({"text": "x" * 100_000})


HANDLERS = {
    handler.__name__: handler
    for handler in (
        echo, pid, steps, wait, wait_quietly, swallow_cancel, hang, hold_interpreter, abort,
        touch_nothing, leave, leave_politely, die_later, eat_slowly, eat_at_once, keep,
        print_garbage, flood_stderr, flood_and_abort, raise_unnamed, raise_named, recurse,
        large_result, large_piece, not_json, write_raw, close_pipe, flood_pieces,
    )
}  # fmt: skip

if __name__ == "__main__":
    serve(HANDLERS, errors=(NamedError,), stall_limit=STALL_LIMIT)
