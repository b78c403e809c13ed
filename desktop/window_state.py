"""Where the window stood when it was closed, kept in the data folder and never in a registry."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

FILE = "window.ini"


class WindowState:
    """Sizes and positions by name, each as Qt's own bytes."""

    def __init__(self, folder: Path) -> None:
        self._settings = QSettings(str(folder / FILE), QSettings.Format.IniFormat)

    def get(self, name: str) -> QByteArray | None:
        """What was kept under the name; None when nothing usable was."""
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def keep(self, **values: QByteArray) -> None:
        """Write what is given; where the folder cannot be written, the defaults stay."""
        for name, value in values.items():
            self._settings.setValue(name, value)
        self._settings.sync()
