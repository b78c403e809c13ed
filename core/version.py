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
def digest_of(*folders: str) -> str:
    """12 hexadecimal digits over the code and data in `folders`, such as "3fa9c2d1e0b4".

    The folders are given from the folder that holds `core`. The digest follows every change
    there, so nobody has to remember to raise a number; line ends do not count, so that a checkout
    on Windows has the same one. A frozen program ships no sources: there it is the program's
    version, which is raised with each release.
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
        digest.update(file.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:12]
