"""A file on a model hub: where it lies, and what the hub says of it.

The hub is huggingface.co, or the mirror that HF_ENDPOINT names. Its own answer to HEAD, before any
redirect to another host, says what the file is: `X-Linked-Etag` (its SHA-256), `X-Linked-Size` and
`X-Repo-Commit`. The servers that deliver the bytes send an ETag of their own that looks like a
SHA-256 and is none.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from pathlib import PurePosixPath
from urllib.parse import quote, urlsplit

from core.egress_policy import Allowance, Purpose
from core.ports import Clock
from models.download_errors import (
    DownloadError,
    EndpointUnusable,
    Gated,
    HubRefused,
    NotOnHub,
    OtherFile,
)

HUB = "https://huggingface.co"
VARIABLE = "HF_ENDPOINT"

PLACES = frozenset({"huggingface.co", "*.huggingface.co", "*.hf.co"})
"""The hub, and the servers to which it and its mirrors point for the bytes of a file."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)?")
_REVISION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
_SEGMENT = re.compile(r'[^\x00-\x1f\x7f\\/:*?"<>|]+')


def endpoint() -> str:
    """The address of the hub, without a slash at its end."""
    return os.environ.get(VARIABLE, "").strip().rstrip("/") or HUB


def hub_allowance(address: str) -> Allowance:
    """What a policy must allow for downloads from the hub at `address`.

    Raises `EndpointUnusable`.
    """
    unusable = EndpointUnusable(
        f"{VARIABLE} is set to “{address}”, which is not the https address of a model hub. "
        f"Nothing was sent. Correct it, or remove it to use {HUB}."
    )
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
        if parts.scheme not in ("https", "http") or not host or "@" in parts.netloc:
            raise unusable
        if parts.query or parts.fragment:
            raise unusable
        usual = port in (None, {"https": 443, "http": 80}[parts.scheme])
        shown = f"[{host}]" if ":" in host else host
        places = {shown if usual else f"{shown}:{port}"}
        if usual and "." in host and not _numeric(host):
            places.add(f"*.{host}")
        return Allowance(Purpose.MODEL_DOWNLOAD, PLACES | places)
    except ValueError as error:
        raise unusable from error


@dataclass(frozen=True, slots=True)
class HubFile:
    """One file of a hub, pinned.

    Attributes: `repository` ("owner/name"); `revision`, a commit or branch; `file`, its path in the
    repository; `size` in bytes and `sha256` in lower-case hexadecimal, what it must be;
    `endpoint`, the address of the hub.

    Raises ValueError where one of them cannot be what it says.
    """

    repository: str
    revision: str
    file: str
    size: int
    sha256: str
    endpoint: str = field(default_factory=endpoint)

    def __post_init__(self) -> None:
        """Refuse what could not be a file of a hub, or would leave its folder."""
        segments = self.file.split("/")
        if (
            not _REPOSITORY.fullmatch(self.repository)
            or not _REVISION.fullmatch(self.revision)
            or not all(_SEGMENT.fullmatch(s) and s.strip(" .") == s for s in segments[-1:])
            or not all(_SEGMENT.fullmatch(s) and s not in (".", "..") for s in segments)
            or ".." in self.revision.split("/")
        ):
            raise ValueError(f"not a file of a hub: {self.repository} {self.revision} {self.file}")
        if self.size <= 0 or not _SHA256.fullmatch(self.sha256):
            raise ValueError(f"{self.file} needs a size and a SHA-256")

    @property
    def name(self) -> str:
        """The file's own name, without folders."""
        return PurePosixPath(self.file).name

    @property
    def url(self) -> str:
        """Where the hub answers for the file."""
        revision = quote(self.revision, safe="")
        return f"{self.endpoint}/{self.repository}/resolve/{revision}/{quote(self.file)}"


@dataclass(frozen=True, slots=True)
class Described:
    """What the hub says of a file; None or "" where it says nothing.

    `etag` and `commit` only tell whether the hub still has what it had before.
    """

    sha256: str | None
    size: int | None
    etag: str
    commit: str

    def require(self, file: HubFile) -> None:
        """Raise `OtherFile` where this is not the pinned file."""
        if self.sha256 not in (None, file.sha256) or self.size not in (None, file.size):
            raise OtherFile(
                f"The hub now has another {file.name} in {file.repository} than the one that this "
                "program knows. It was not loaded. Choose another model, or look for a newer "
                "version of this program."
            )


def described(status: int, headers: Mapping[str, str]) -> Described:
    """What an answer of the hub itself, to HEAD, says of a file."""
    linked = _etag(headers.get("x-linked-etag", ""))
    size = headers.get("x-linked-size", "")
    if not size and status == 200 and not packed(headers):
        size = headers.get("content-length", "")
    return Described(
        sha256=linked if _SHA256.fullmatch(linked) else None,
        size=int(size) if size.isascii() and size.isdecimal() else None,
        etag=linked or _etag(headers.get("etag", "")),
        commit=headers.get("x-repo-commit", ""),
    )


def packed(headers: Mapping[str, str]) -> bool:
    """Whether the body is compressed, and so not the file's own bytes."""
    return headers.get("content-encoding", "").strip().lower() not in ("", "identity")


def pause_asked_for(headers: Mapping[str, str], clock: Clock) -> float | None:
    """Seconds until a request is welcome again, where the answer says so."""
    after = headers.get("retry-after", "").strip()
    if after.isascii() and after.isdecimal():
        return float(after)
    if after:
        try:
            return max(0.0, (parsedate_to_datetime(after) - clock.now()).total_seconds())
        except (ValueError, TypeError):
            pass
    reset = re.search(r"(?:^|[;,\s])t=(\d+)", headers.get("ratelimit", ""))
    return float(reset[1]) if reset else None


def refusal(file: HubFile, status: int, headers: Mapping[str, str], kept: str) -> DownloadError:
    """The error for a status that is no file; `kept` says what there is of it on the disk."""
    code = headers.get("x-error-code", "")
    if code == "GatedRepo":
        return Gated(
            f"{file.repository} is only for people who accepted its terms on the hub, and this "
            f"program never signs in anywhere. {kept} Load the file with your browser and add it "
            "from your disk, or choose another model."
        )
    if code == "EntryNotFound":
        what = f"{file.file} is not in {file.repository} on the hub"
    elif code == "RevisionNotFound":
        what = f"The hub no longer has this version of {file.repository}"
    elif status in (401, 404, 410) or code == "RepoNotFound":
        what = f"The hub has no {file.repository} with this file, or it is private"
    else:
        return HubRefused(
            f"The hub did not give {file.name} (status {status}). {kept} Try again later, or "
            "choose another model."
        )
    return NotOnHub(f"{what}. {kept} Choose another model.")


def _etag(value: str) -> str:
    return value.strip().removeprefix("W/").strip('"').lower()


def _numeric(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
