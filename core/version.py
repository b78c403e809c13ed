"""The version of the program, recorded with every verdict."""

from functools import cache

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
