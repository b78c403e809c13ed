"""What is shipped and is not code, found beside this file."""

from pathlib import Path


def path(name: str) -> Path:
    """The shipped file or folder `name`, given relative to `resources/` with forward slashes.

    Raises `FileNotFoundError` if the installation lacks it.
    """
    found = Path(__file__).parent / name
    if not found.exists():
        raise FileNotFoundError(
            f"The installation lacks resources/{name}. Install Countersign again to repair it."
        )
    return found
