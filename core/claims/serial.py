"""`CheckResult` as JSON: the object that the command line prints and the history keeps."""

from collections.abc import Mapping, Sequence, Set
from enum import Enum
from math import isfinite
from numbers import Real
from typing import Any

from core.claims.verdict import CheckResult, Evidence, Outcome, Scope, TraceEntry, Verdict
from core.documents.model import Notice, NoticeKind, TextScope


def to_json(result: CheckResult) -> dict[str, Any]:
    """The result as plain JSON values.

    Keys: verdict, gate, reason, evidence (text, start, end, page), scores, trace (gate, outcome,
    note, measured), scope (text, notices). Raises ValueError for a score that is not finite.
    """
    for name, score in result.scores.items():
        if not isfinite(score):
            raise ValueError(f"the score {name!r} is not a finite number")
    return {
        "verdict": result.verdict.value,
        "gate": result.gate,
        "reason": result.reason,
        "evidence": [
            {"text": e.text, "start": e.start, "end": e.end, "page": e.page}
            for e in result.evidence
        ],
        "scores": {str(name): float(score) for name, score in result.scores.items()},
        "trace": [
            {
                "gate": entry.gate,
                "outcome": entry.outcome.value,
                "note": entry.note,
                "measured": _plain(entry.measured),
            }
            for entry in result.trace
        ],
        "scope": {
            "text": result.scope.text.value,
            "notices": [{"kind": n.kind.value, "text": n.text} for n in result.scope.notices],
        },
    }


def from_json(data: Mapping[str, Any]) -> CheckResult:
    """The result that `to_json` wrote.

    Raises ValueError when a part is missing, of another type or an unknown name: a record that
    cannot be read whole is no verdict at all.
    """
    try:
        return CheckResult(
            verdict=Verdict(data["verdict"]),
            gate=_text(data["gate"]),
            reason=_text(data["reason"]),
            evidence=tuple(
                Evidence(_text(e["text"]), _whole(e["start"]), _whole(e["end"]), _page(e["page"]))
                for e in _list(data["evidence"])
            ),
            scores={_text(name): _number(x) for name, x in _object(data["scores"]).items()},
            trace=tuple(
                TraceEntry(
                    gate=_text(entry["gate"]),
                    outcome=Outcome(entry["outcome"]),
                    note=_text(entry["note"]),
                    measured=_object(entry["measured"]),
                )
                for entry in _list(data["trace"])
            ),
            scope=Scope(
                text=TextScope(data["scope"]["text"]),
                notices=tuple(
                    Notice(NoticeKind(n["kind"]), _text(n["text"]))
                    for n in _list(data["scope"]["notices"])
                ),
            ),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("this is not a whole check result") from error


def _plain(value: Any) -> Any:
    """What a gate measured, in JSON's own types; sets are sorted, so that equal results agree."""
    if isinstance(value, Enum):
        return _plain(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Real):
        number = float(value)
        return number if isfinite(number) else str(number)
    if isinstance(value, Mapping):
        return {str(_plain(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((_plain(item) for item in value), key=str)
    if isinstance(value, Sequence):
        return [_plain(item) for item in value]
    return str(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _page(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError
    return float(value)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError
    return dict(value)
