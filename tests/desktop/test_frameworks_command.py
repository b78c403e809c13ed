"""`countersign frameworks`: the four answers, own lists, and a workspace's choice."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.home import home as data_folder
from core.storage.store import Store
from desktop.cli import main
from desktop.commands.errors import BAD_INPUT, DONE, MISSING

pytestmark = pytest.mark.usefixtures("home")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    status = main(["frameworks", *arguments, "--json"])
    return status, [json.loads(text) for text in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("text", "standing", "alteration"),
    [
        ("GDPR Article 28(3)(a)", "in_list", None),
        ("NIST SP 800-53 AC-02", "altered", "padding"),
        ("GDPR Article 5(9)", "altered", "nesting"),
        ("GDPR Article 100", "not_in_list", None),
        ("BSI APP.4.4", "not_available", None),
        ("GDPR Article 17 bis", "not_available", None),
        ("PCI DSS v5.0 requirement 8.3.1", "not_available", None),
        ("SOC 2 CC10.1", "not_available", None),
    ],
)
def test_the_four_answers(
    capsys: pytest.CaptureFixture[str], text: str, standing: str, alteration: str | None
) -> None:
    status, (answer,) = run(capsys, "check", text)
    assert (status, answer["standing"], answer["alteration"]) == (DONE, standing, alteration)
    assert answer["sentence"]


def test_an_own_list_is_added_used_and_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "house.csv"
    file.write_text("id,title\nH-1,Keys\nH-2,Doors\n", encoding="utf-8")
    assert main(["frameworks", "add", str(file)]) == BAD_INPUT
    assert "--name" in capsys.readouterr().err
    added = run(capsys, "add", str(file), "--name", "House rules", "--edition", "2025")
    assert added == (DONE, [{"key": "House rules 2025", "count": 2, "instead": False}])
    assert main(["frameworks", "add", str(file), "--name", "House rules", "--edition", "2025"]) == 2
    assert "already" in capsys.readouterr().err
    keys = [info["key"] for info in run(capsys, "list")[1] if info["own"]]
    assert keys == ["House rules 2025"]
    assert run(capsys, "remove", "House rules 2025")[0] == DONE
    assert main(["frameworks", "remove", "House rules 2025"]) == MISSING


def test_a_workspace_chooses_its_lists(capsys: pytest.CaptureFixture[str]) -> None:
    with Store.open(data_folder()) as store:
        store.workspaces.create("Audit")
    keys = [info["key"] for info in run(capsys, "list")[1]]
    gdpr = next(key for key in keys if key.startswith("GDPR"))
    assert run(capsys, "choose", "--workspace", "Audit", gdpr)[1][0]["chosen"] == [gdpr]
    used = [i["key"] for i in run(capsys, "list", "--workspace", "Audit")[1] if i["chosen"]]
    assert used == [gdpr]
    (answer,) = run(capsys, "check", "NIS2 Article 21", "--workspace", "Audit")[1]
    assert (answer["standing"], answer["chosen"]) == ("in_list", False)
    assert run(capsys, "choose", "--workspace", "Audit")[1][0]["chosen"] is None


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["check", "No citation here."], BAD_INPUT, "No citation"),
        (["check", "GDPR", "--workspace", "Absent"], BAD_INPUT, "no workspace"),
        (["add", "absent.csv", "--name", "X"], MISSING, "no file"),
        (["choose", "--workspace", "Absent", "GDPR"], BAD_INPUT, "no workspace"),
    ],
)
def test_input_at_fault(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["frameworks", *arguments]) == status
    assert words in capsys.readouterr().err
