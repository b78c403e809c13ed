"""Records as files, and thresholds that a person may only raise."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from core.calibration.file import RecordUnreadable, read, to_json, write
from core.calibration.record import CalibrationRecord, stricter

RECORD = CalibrationRecord(
    data_sha256="d" * 64,
    model_sha256="a" * 64,
    pairs=900,
    false_supports=1,
    bound=0.0079,
    supported=0.93,
    contradicted=0.88,
    made_on="2026-11-30",
    negatives=600,
    supports=120,
    contradictions=150,
    false_contradictions=2,
    contradicted_bound=0.0414,
    contract_version="1",
    app_version="0.1.0",
)


@pytest.mark.parametrize(
    "record", [RECORD, replace(RECORD, contradicted=None, contradicted_bound=None)]
)
def test_a_record_comes_back_as_it_was(tmp_path: Path, record: CalibrationRecord) -> None:
    file = tmp_path / "calibration.json"
    write(file, record)
    assert read(file) == record
    assert [path.name for path in tmp_path.iterdir()] == ["calibration.json"]


def test_no_file_is_no_record(tmp_path: Path) -> None:
    assert read(tmp_path / "calibration.json") is None


def changed(**values: object) -> dict[str, object]:
    """A file whose hash agrees with values that no calibration gives."""
    return to_json(replace(RECORD, **values))  # type: ignore[arg-type]


WITHOUT_FIELD = {name: value for name, value in asdict(RECORD).items() if name != "bound"}

DAMAGED = {
    "empty": "",
    "cut short": json.dumps(to_json(RECORD))[:-40],
    "a list": "[]",
    "null": "null",
    "deep": "[" * 100_000,
    "large": json.dumps(to_json(RECORD)) + " " * 100_000,
    "other format": json.dumps(to_json(RECORD) | {"format": 2}),
    "a lower threshold by hand": json.dumps(to_json(RECORD)).replace("0.93", "0.53"),
    "field missing": json.dumps(to_json(RECORD) | {"record": WITHOUT_FIELD}),
    "no probability": json.dumps(changed(supported=1.5)),
    "below zero": json.dumps(changed(contradicted=-0.1)),
    "a text": json.dumps(changed(supported="0.9")),
    "true": json.dumps(changed(supported=True)),
    "infinite": json.dumps(changed(supported=float("inf"))),
    "more false than there are": json.dumps(changed(false_supports=601)),
    "more negatives than pairs": json.dumps(changed(negatives=901)),
    "above its target": json.dumps(changed(bound=0.02)),
    "a looser target": json.dumps(changed(target=0.05)),
    "fewer pairs than its bound needs": json.dumps(changed(pairs=300, negatives=200, supports=9)),
    "no pairs": json.dumps(changed(pairs=0, negatives=0, supports=0, false_supports=0, bound=0.0)),
    "more errors than its bound allows": json.dumps(changed(false_supports=9)),
    "below the floor": json.dumps(changed(supported=0.1)),
    "no hash": json.dumps(changed(model_sha256="weights")),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_no_record(tmp_path: Path, name: str) -> None:
    file = tmp_path / "calibration.json"
    file.write_text(DAMAGED[name], encoding="utf-8")
    with pytest.raises(RecordUnreadable, match="Calibrate the model again"):
        read(file)


def test_a_threshold_may_be_raised() -> None:
    assert stricter(RECORD) == RECORD
    assert stricter(RECORD, supported=0.93) == RECORD
    assert stricter(RECORD, supported=0.99).supported == 0.99
    raised = stricter(RECORD, contradicted=0.95)
    assert (raised.contradicted, raised.braked_at) == (0.95, 0.88)
    again = stricter(raised, contradicted=0.97)
    assert (again.contradicted, again.braked_at) == (0.97, 0.88)


@pytest.mark.parametrize(
    "given", [{"supported": 0.9299}, {"supported": 1.01}, {"contradicted": 0.5},
              {"supported": float("nan")}]
)  # fmt: skip
def test_a_threshold_is_never_lowered(given: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="never lowered"):
        stricter(RECORD, **given)


def test_a_model_that_may_not_contradict_cannot_be_given_a_threshold_for_it() -> None:
    with pytest.raises(ValueError, match="may not say contradicted"):
        stricter(replace(RECORD, contradicted=None), contradicted=0.99)
