"""The sample that comes with the program: its paper, its ready claims, and their verdicts here."""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import resources
from core.cancellation import Cancellation
from core.ports import Progress
from desktop.services import Services
from desktop.tasks import Lane

FOLDER = "samples"
LOOKED_THROUGH = 20
"""Checks of the same words that are looked through for the one of a claim."""


@dataclass(frozen=True, slots=True)
class ReadyClaim:
    """A claim to try on the sample; `note` says what it shows, `label` is its short name."""

    label: str
    claim: str
    note: str


@dataclass(frozen=True, slots=True)
class Sample:
    """The paper, the hash of its bytes, and at least one claim about it."""

    file: Path
    sha256: str
    claims: tuple[ReadyClaim, ...]


def read_sample(folder: Path) -> Sample | None:
    """The sample in `folder`, which is the paper of the first ready claim; None without one."""
    listed = folder / "claims.jsonl"
    if not listed.is_file():
        return None
    lines = listed.read_text(encoding="utf-8").splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines if line.strip()]
    for row in rows:
        file = folder / str(row.get("source", ""))
        if file.is_file():
            claims = tuple(_ready(one) for one in rows if one.get("source") == file.name)
            return Sample(file, sha256(file.read_bytes()).hexdigest(), claims)
    return None


def _ready(row: dict[str, Any]) -> ReadyClaim:
    label = str(row["id"]).replace("-", " ").capitalize()
    return ReadyClaim(label, str(row["claim"]), str(row.get("note", "")))


class FindSample:
    """Looks for the sample."""

    lane: ClassVar[Lane] = Lane.STORE

    def run(self, progress: Progress, cancellation: Cancellation) -> Sample | None:
        """The sample, or None in an installation without it."""
        return read_sample(resources.path(FOLDER))


@dataclass(frozen=True, slots=True)
class Kept:
    """What a workspace has of the sample: its paper, and a verdict on the first ready claim."""

    paper: bool
    verdict_id: int | None


class FindKept:
    """Looks for the sample in a workspace."""

    lane: ClassVar[Lane] = Lane.STORE

    def __init__(self, services: Services, workspace_id: int, sample: Sample) -> None:
        self._services = services
        self._workspace_id = workspace_id
        self._sample = sample

    def run(self, progress: Progress, cancellation: Cancellation) -> Kept:
        """The paper, and the last verdict that the gates, reader and model of now would repeat."""
        store, sample = self._services.store, self._sample
        documents = store.documents.all(self._workspace_id)
        if sample.sha256 not in {document.sha256 for document in documents}:
            return Kept(False, None)
        from core.claims.version import contract_version
        from core.documents.version import reader_version

        model = self._services.workspaces.model
        now = (contract_version(), reader_version(), model.sha256 if model is not None else None)
        claim = sample.claims[0].claim
        for record in store.checks.page(self._workspace_id, limit=LOOKED_THROUGH, search=claim):
            made = record.provenance
            under = (made.contract_version, made.reader_version, made.model_sha256)
            same = record.claim == claim and record.source_sha256 == sample.sha256
            if same and under == now:
                return Kept(True, record.verdict_id)
        return Kept(True, None)
