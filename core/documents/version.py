"""The version of the readers: what a kept reading is filed under.

A reading is worth keeping only as long as the same readers would give it again, so the version
follows their source text and needs nobody to remember to raise it.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from core.version import app_version

READER_SOURCES = ("core/documents", "core/text", "resources/text")
"""The folders whose code and lists decide what a reading holds."""


@cache
def reader_version() -> str:
    """The program's version and a digest of the readers' sources, for example ``0.1.0+3fa9c2d1``.

    A frozen program ships no sources; there the program's version alone tells readers apart.
    """
    root = Path(__file__).resolve().parent.parent.parent
    files = [
        file
        for folder in READER_SOURCES
        for file in sorted((root / folder).rglob("*"))
        if file.suffix in (".py", ".json")
    ]
    if not any(file.suffix == ".py" for file in files):
        return app_version()
    digest = sha256()
    for file in files:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return f"{app_version()}+{digest.hexdigest()[:12]}"
