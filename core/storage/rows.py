"""What the store hands out: rows as frozen values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.calibration.record import CalibrationRecord
from core.claims.verdict import CheckResult
from core.documents.model import Format


class SourceKind(StrEnum):
    """What a claim was checked against."""

    DOCUMENT = "document"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A named place for documents and checks. `confidential`: the person marked it as such."""

    id: int
    name: str
    confidential: bool
    created: datetime


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document of which the store holds a copy.

    `name` is the file's name when it was added, `size` is in bytes, `suffix` is the ending of the
    copy's name (".pdf" or empty), `format` is None until the document has been read.
    """

    id: int
    sha256: str
    size: int
    name: str
    suffix: str
    format: Format | None
    added: datetime


@dataclass(frozen=True, slots=True)
class Added:
    """The outcome of adding a file. `already_there`: the workspace held this content before."""

    document: StoredDocument
    already_there: bool


@dataclass(frozen=True, slots=True)
class Provenance:
    """What produced a verdict, apart from the claim and the source.

    `model_name`, `model_sha256` and `calibration` are None where no entailment model was there.
    `contract_version` is the version of the list of gates. Times are timezone-aware, in UTC.
    """

    model_name: str | None
    model_sha256: str | None
    calibration: CalibrationRecord | None
    contract_version: str
    reader_version: str
    app_version: str
    started: datetime
    finished: datetime


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """One run of a check, as it stands in the history.

    `check_id` names the question (claim and source); `verdict_id` this answer to it. A check that
    was repeated has several records with one `check_id`. `source_name` is the document's name when
    the check was first made, empty for pasted text. `source_sha256` is of the document's bytes or
    of the pasted text in UTF-8; `document` is None for pasted text.
    """

    check_id: int
    verdict_id: int
    workspace_id: int
    claim: str
    claim_sha256: str
    source_kind: SourceKind
    source_name: str
    source_sha256: str
    document: StoredDocument | None
    result: CheckResult
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Triage:
    """A person's note on a verdict; it is added to the verdict and never changes it."""

    id: int
    verdict_id: int
    note: str
    added: datetime


@dataclass(frozen=True, slots=True)
class StoredList:
    """A person's own closed list, without its numbers.

    `key` names it among all lists; `count` is how many numbers it has; `takes_place`: it stands in
    for a shipped one.
    """

    id: int
    key: str
    framework: str
    edition: str
    count: int
    takes_place: bool
    licence: str
    origin: str
    added: datetime
