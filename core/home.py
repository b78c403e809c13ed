"""Where the program keeps its data: one folder that `COUNTERSIGN_HOME` moves."""

import os
from pathlib import Path

VARIABLE = "COUNTERSIGN_HOME"


def home() -> Path:
    """The folder of all data, models and settings, as an absolute path; it need not exist yet.

    `COUNTERSIGN_HOME` names it (a leading `~` is the person's own folder); unset or empty, it is
    the system's folder for a program's data.
    """
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("Countersign", appauthor=False)


def models_folder() -> Path:
    """Where installed models lie."""
    return home() / "models"


def documents_folder() -> Path:
    """Where the content-addressed copies of documents lie."""
    return home() / "documents"


def database_file() -> Path:
    """The SQLite file of workspaces and history."""
    return home() / "countersign.db"
