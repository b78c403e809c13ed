"""`countersign models` and `check` with a model, over a real worker with a tiny model."""

import gzip
import hashlib
import json
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.calibration.record import CalibrationRecord
from core.cancellation import Cancellation
from core.claims.version import contract_version
from core.egress_policy import Purpose
from core.home import models_folder
from core.storage.store import Store
from desktop.cli import main
from desktop.entailment import NONE
from desktop.pages.check.operations import RunCheck
from desktop.services import Services
from models.entailment import own
from models.entailment.installed import InstalledModels
from tests.loopback import Connection, Request, Server, response
from tests.models.tiny_model import install, write_checkpoint

SEED = 79
"""With it the claims below have the verdicts that are written beside them."""

SOURCE = "The pump in hall two broke down at noon. Staff left the hall at once."
VERDICTS = {
    "The pump in hall two stopped at noon.": "supported",
    "No staff left.": "contradicted",
    "No pump broke down.": "not_verifiable",
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """Exit status, and the JSON objects that the command printed."""
    status = main([*arguments, "--json"])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    return install(InstalledModels(folder / "entailment"), folder, seed=SEED).folder


@pytest.fixture
def models(home: Path, made: Path) -> InstalledModels:
    """A calibrated model in the data folder."""
    models = InstalledModels()
    assert models.folder == models_folder() / "entailment"
    shutil.copytree(made, models.folder / "tiny")
    manifest = models.get("tiny").manifest
    assert manifest is not None
    record = CalibrationRecord(
        "d" * 64,
        manifest.sha256,
        700,
        0,
        0.0075,
        0.65,
        0.8,
        "2026-11-30",
        negatives=400,
        contract_version=contract_version(),
    )
    models.write_record("tiny", record)
    return models


def test_a_model_is_added_listed_verified_and_removed(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "models", "list") == (0, [])
    assert main(["models", "list"]) == 0
    assert "models add" in capsys.readouterr().out
    folder = write_checkpoint(tmp_path / "some-model")
    status, (added,) = run(capsys, "models", "add", str(folder), "--quantization", "float32")
    assert status == 0
    assert (added["name"], added["in_use"], added["quantization"]) == (
        "some-model",
        True,
        "float32",
    )
    assert added["labels"] == {"entailment": 0, "neutral": 1, "contradiction": 2}
    assert added["calibration"] is None
    assert run(capsys, "models", "list") == (0, [added])
    assert run(capsys, "models", "verify") == (
        0,
        [{"name": "some-model", "ok": True, "problem": ""}],
    )
    status, (second,) = run(capsys, "models", "add", str(folder), "--name", "second")
    assert (status, second["in_use"]) == (0, False)
    status, (used,) = run(capsys, "models", "use", "second")
    assert used["in_use"] is True
    assert run(capsys, "models", "remove", "second")[0] == 0
    assert run(capsys, "models", "remove", "some-model")[0] == 0
    assert run(capsys, "models", "list") == (0, [])


def test_a_model_of_one_text_is_added_with_its_prompt(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_checkpoint(tmp_path / "some-model")
    assert main(["models", "add", str(folder), "--prompt", "{hypothesis}, {premise}"]) == 2
    assert "must stand before" in capsys.readouterr().err
    assert InstalledModels().all() == []
    prompt = "{premise}[SEP]{hypothesis}"
    assert run(capsys, "models", "add", str(folder), "--prompt", prompt)[0] == 0
    manifest = InstalledModels().get("some-model").manifest
    assert manifest is not None
    assert manifest.prompt == prompt


def test_the_own_model_is_asked_for_where_it_is_missing(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "own"]) == 3
    assert "models own --weights" in capsys.readouterr().err
    wrong = tmp_path / "model.safetensors"
    wrong.write_bytes(b"other weights")
    assert main(["models", "own", "--weights", str(wrong)]) == 2
    assert "Nothing was taken in" in capsys.readouterr().err
    assert InstalledModels().all() == []


def test_the_base_is_loaded_from_the_hub_and_every_request_is_logged(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"small weights"
    small = replace(own.BASE, size=len(content), sha256=hashlib.sha256(content).hexdigest())
    asked = []

    def answer(request: Request, connection: Connection) -> None:
        asked.append(request.target)
        headers = {"X-Linked-Etag": f'"{small.sha256}"', "X-Linked-Size": str(small.size)}
        body = b"" if request.method == "HEAD" else content
        connection.send(response(200, body, headers, length=len(content)))

    with Server(answer) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url("").rstrip("/"))
        monkeypatch.setattr(own, "BASE", replace(small, endpoint=hub.url("").rstrip("/")))
        assert main(["models", "own", "--download"]) == 2
    assert "Nothing was taken in" in capsys.readouterr().err  # It is not the base's hash.
    assert set(asked) == {f"/{own.REPOSITORY}/resolve/main/{own.WEIGHTS}"}
    with Store.open(home) as store:
        entries = store.egress.entries()
    assert len(entries) == len(asked)
    assert {entry.purpose for entry in entries} == {Purpose.MODEL_DOWNLOAD}


def test_a_hub_that_is_not_there_is_said(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = "http://127.0.0.1:9"
    monkeypatch.setenv("HF_ENDPOINT", nowhere)
    monkeypatch.setattr(own, "BASE", replace(own.BASE, endpoint=nowhere))
    assert main(["models", "own", "--download"]) == 3
    assert capsys.readouterr().err.startswith("countersign: ")
    assert InstalledModels().all() == []


def test_the_own_model_is_brought_up_to_date(
    own_model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, (shown,) = run(capsys, "models", "own")
    assert (status, shown["name"], shown["in_use"]) == (0, own_model, True)
    assert shown["problem"] == ""


def test_a_changed_file_is_found(
    models: InstalledModels, capsys: pytest.CaptureFixture[str]
) -> None:
    (models.folder / "tiny" / "head.npz").write_bytes(b"PK")
    status, (verified,) = run(capsys, "models", "verify", "tiny")
    assert status == 3
    assert verified["ok"] is False
    assert "head.npz" in verified["problem"]


REFUSED = [
    (["models", "add", "no/such/folder"], 2, "no folder"),
    (["models", "remove", "absent"], 3, "no entailment model"),
    (["models", "use", "absent"], 3, "no entailment model"),
    (["models", "verify", "absent"], 3, "no entailment model"),
    (["models", "thresholds", "absent"], 3, "no entailment model"),
    (["models", "thresholds", "tiny", "--supported", "0.1"], 2, "never lowered"),
    (["models", "calibrate", "absent", "--pairs", "x"], 3, "no entailment model"),
    (["models", "calibrate", "tiny", "--pairs", "no/such"], 2, "cannot be read"),
    (["models", "calibrate", "tiny", "--pairs", "x", "--target", "0.02"], 2, "at most 0.01"),
    (["models", "calibrate", "tiny", "--pairs", "x", "--target", "0"], 2, "at most 0.01"),
    (["models", "calibrate", "tiny", "--pairs", "x", "--target", "nan"], 2, "at most 0.01"),
    (["check", "--claim", "A claim.", "--source-text", SOURCE, "--model", "absent"], 3, "absent"),
]


@pytest.mark.parametrize(("arguments", "status", "words"), REFUSED)
def test_what_cannot_be_done_is_said(
    models: InstalledModels,
    arguments: list[str],
    status: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(arguments) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err


def test_labels_that_are_unclear_are_asked_for(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_checkpoint(tmp_path / "unclear", labels=("LABEL_0", "LABEL_1"))
    assert main(["models", "add", str(folder)]) == 2
    assert "--labels" in capsys.readouterr().err
    assert main(["models", "add", str(folder), "--labels", "first,second"]) == 2
    capsys.readouterr()
    status, (added,) = run(
        capsys, "models", "add", str(folder), "--labels", "unsupported,supported"
    )
    assert status == 0
    assert added["labels"] == {"entailment": 1, "neutral": 0, "contradiction": None}
    assert added["labels_confirmed_by"] == "person"


def test_checks_ask_the_model_in_use(
    models: InstalledModels, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = tmp_path / "cases.jsonl"
    rows = [{"claim": claim, "source_text": SOURCE} for claim in VERDICTS]
    batch.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    status, answers = run(capsys, "check", "--batch", str(batch))
    assert status == 0
    assert [answer["verdict"] for answer in answers] == list(VERDICTS.values())
    assert [answer["gate"] for answer in answers] == ["entailment"] * 3
    assert 0.0 < answers[0]["scores"]["entailment"] < 1.0
    status, answers = run(capsys, "check", "--batch", str(batch), "--no-model")
    assert {answer["verdict"] for answer in answers} == {"not_verifiable"}
    claim = next(iter(VERDICTS))
    single = ["check", "--claim", claim, "--source-text", SOURCE, "--model", "tiny"]
    status, (answer,) = run(capsys, *single)
    assert answer["verdict"] == "supported"


def test_an_open_window_asks_a_model_that_was_made_since(home: Path, made: Path) -> None:
    claim = next(iter(VERDICTS))
    with closing(Services.open(home)) as services:
        workspace = services.store.workspaces.create("Open")
        check = RunCheck(services, workspace.id, claim, SOURCE)
        before = check.run(lambda *_: None, Cancellation())
        assert (before.provenance.model_name, services.model_state) == (None, NONE)
        shutil.copytree(made, InstalledModels().folder / "tiny")
        after = check.run(lambda *_: None, Cancellation())
        assert after.provenance.model_name == "tiny"
        assert services.model_state.startswith("tiny")


def test_a_stricter_threshold_counts(
    models: InstalledModels, capsys: pytest.CaptureFixture[str]
) -> None:
    claim = next(iter(VERDICTS))
    check = ["check", "--claim", claim, "--source-text", SOURCE]
    assert run(capsys, "models", "thresholds", "tiny", "--supported", "0.99") == (
        0,
        [{"name": "tiny", "thresholds": {"supported": 0.99, "contradicted": 0.8}}],
    )
    assert run(capsys, *check)[1][0]["verdict"] == "not_verifiable"
    run(capsys, "models", "thresholds", "tiny")
    assert run(capsys, *check)[1][0]["verdict"] == "supported"


def test_a_check_in_a_workspace_records_the_model(
    models: InstalledModels, capsys: pytest.CaptureFixture[str]
) -> None:
    claim = next(iter(VERDICTS))
    check = ["check", "--claim", claim, "--source-text", SOURCE, "--workspace", "Audit"]
    assert run(capsys, *check)[1][0]["verdict"] == "supported"
    services = Services.open()
    try:
        (workspace,) = [w for w in services.store.workspaces.all() if w.name == "Audit"]
        (kept,) = services.store.checks.page(workspace.id)
        model = models.get("tiny")
        assert model.manifest is not None
        assert kept.provenance.model_name == "tiny"
        assert kept.provenance.model_sha256 == model.manifest.sha256
        assert kept.provenance.calibration == model.record
        assert services.model_state.startswith("tiny float32")
        assert "calibrated at 1 %" in services.model_state
    finally:
        services.close()
    status, (again,) = run(capsys, "history", "--repeat", str(kept.check_id))
    assert (status, again["same"], again["changes"]) == (0, True, [])


def test_without_a_choice_between_models_no_check_is_made(
    models: InstalledModels, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = models.folder / "other"
    shutil.copytree(models.folder / "tiny", other)
    manifest = json.loads((other / "manifest.json").read_text(encoding="utf-8"))
    (other / "manifest.json").write_text(json.dumps(manifest | {"name": "other"}))
    check = ["check", "--claim", "A claim.", "--source-text", SOURCE]
    assert main(check) == 3
    assert "--no-model" in capsys.readouterr().err
    assert main([*check, "--no-model"]) == 0
    services = Services.open()
    assert "none is chosen" in services.model_state
    services.close()


def pairs_file(folder: Path, negatives: int, positives: int) -> Path:
    """Claims on a source that says them word for word, and claims that it vetoes."""
    rows = [
        {"claim": "The pump in hall two stopped at noon.", "verdict": "supported"}
        for _ in range(positives)
    ]
    rows += [
        {"claim": f"The pump in hall two stopped for {n} years.", "verdict": "not_verifiable"}
        for n in range(2, negatives + 2)
    ]
    file = folder / "pairs.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        for row in rows:
            lines.write(json.dumps(row | {"source_text": SOURCE}) + "\n")
    return file


def test_a_model_is_calibrated_on_labelled_pairs(
    models: InstalledModels, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = models.get("tiny").record
    few = pairs_file(tmp_path, 298, 3)
    assert main(["models", "calibrate", "tiny", "--pairs", str(few)]) == 2
    assert "299" in capsys.readouterr().err
    assert models.get("tiny").record == before
    enough = pairs_file(tmp_path, 299, 3)
    status, (answer,) = run(capsys, "models", "calibrate", "tiny", "--pairs", str(enough))
    assert status == 0
    record = models.get("tiny").record
    assert record is not None
    assert answer["calibration"]["supported"] == record.supported
    assert (record.pairs, record.negatives, record.supports) == (302, 299, 3)
    assert record.false_supports == 0
    assert record.bound <= 0.01
    claim = next(iter(VERDICTS))
    answers = run(capsys, "check", "--claim", claim, "--source-text", SOURCE)[1]
    assert answers[0]["verdict"] == "supported"


def test_a_row_at_fault_calibrates_nothing(
    models: InstalledModels, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"claim": "A claim.", "verdict": "supported"}\n', encoding="utf-8")
    assert main(["models", "calibrate", "tiny", "--pairs", str(file)]) == 2
    assert "Line 1" in capsys.readouterr().err
