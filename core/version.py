"""The version of the program, recorded with every verdict."""

from functools import cache
from hashlib import sha256
from pathlib import Path

DISTRIBUTION = "countersign-desktop"

UNINSTALLED = "0+uninstalled"
"""What is recorded when the program runs from its sources without having been installed."""


@cache
def app_version() -> str:
    """The installed version of the program, or `UNINSTALLED`."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return UNINSTALLED


@cache
def version_of(*folders: str) -> str:
    """The program's version and a digest of what lies in `folders`: ``0.1.0+3fa9c2d1e0b4``.

    The folders are given from the folder that holds `core`; their code and data count. So the
    version follows every change there, and nobody has to remember to raise it. A frozen program
    ships no sources; there the program's version alone tells two states apart.
    """
    root = Path(__file__).resolve().parent.parent
    files = [
        file
        for folder in folders
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
