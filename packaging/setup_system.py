"""What the operating system must bring: libraries for the window, a display for tests, a compiler.

The shared libraries are those that Qt's own modules and its X11 platform plugin name as needed
(`readelf -d` on libQt6Gui, libQt6DBus and libqxcb of PySide6-Essentials 6.12).
"""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from setup_console import Console, StepFailed, run_logged
from setup_environment import CACHE, ROOT


@dataclass(frozen=True)
class Need:
    """Something that the system must bring, and the package that brings it per manager."""

    name: str
    apt: str
    dnf: str
    pacman: str
    zypper: str

    def package(self, manager: str) -> str:
        """The package's name for `manager`."""
        return str(getattr(self, MANAGERS[manager].names))


@dataclass(frozen=True)
class Manager:
    """How a package manager is called: the field of `Need`, and its install command."""

    names: str
    install: tuple[str, ...]


MANAGERS: Mapping[str, Manager] = {
    "apt-get": Manager("apt", ("apt-get", "install", "--yes", "--no-install-recommends")),
    "dnf": Manager("dnf", ("dnf", "install", "--assumeyes")),
    "pacman": Manager("pacman", ("pacman", "-S", "--needed", "--noconfirm")),
    "zypper": Manager("zypper", ("zypper", "--non-interactive", "install")),
}

WINDOW: tuple[Need, ...] = (
    Need("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd", "libEGL1"),
    Need("libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd", "libGL1"),
    Need("libX11.so.6", "libx11-6", "libX11", "libx11", "libX11-6"),
    Need("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb", "libx11", "libX11-xcb1"),
    Need("libdbus-1.so.3", "libdbus-1-3", "dbus-libs", "dbus", "libdbus-1-3"),
    Need("libfontconfig.so.1", "libfontconfig1", "fontconfig", "fontconfig", "fontconfig"),
    Need("libfreetype.so.6", "libfreetype6", "freetype", "freetype2", "libfreetype6"),
    Need("libglib-2.0.so.0", "libglib2.0-0", "glib2", "glib2", "libglib-2_0-0"),
    Need("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon", "libxkbcommon", "libxkbcommon0"),
    Need(
        "libxkbcommon-x11.so.0",
        "libxkbcommon-x11-0",
        "libxkbcommon-x11",
        "libxkbcommon-x11",
        "libxkbcommon-x11-0",
    ),
    Need(
        "libxcb-cursor.so.0",
        "libxcb-cursor0",
        "xcb-util-cursor",
        "xcb-util-cursor",
        "libxcb-cursor0",
    ),
    Need("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm", "xcb-util-wm", "libxcb-icccm4"),
    Need("libxcb-image.so.0", "libxcb-image0", "xcb-util-image", "xcb-util-image", "libxcb-image0"),
    Need(
        "libxcb-keysyms.so.1",
        "libxcb-keysyms1",
        "xcb-util-keysyms",
        "xcb-util-keysyms",
        "libxcb-keysyms1",
    ),
    Need(
        "libxcb-render-util.so.0",
        "libxcb-render-util0",
        "xcb-util-renderutil",
        "xcb-util-renderutil",
        "libxcb-render-util0",
    ),
    Need("libxcb-util.so.1", "libxcb-util1", "xcb-util", "xcb-util", "libxcb-util1"),
    Need("libxcb-randr.so.0", "libxcb-randr0", "libxcb", "libxcb", "libxcb-randr0"),
    Need("libxcb-render.so.0", "libxcb-render0", "libxcb", "libxcb", "libxcb-render0"),
    Need("libxcb-shape.so.0", "libxcb-shape0", "libxcb", "libxcb", "libxcb-shape0"),
    Need("libxcb-shm.so.0", "libxcb-shm0", "libxcb", "libxcb", "libxcb-shm0"),
    Need("libxcb-sync.so.1", "libxcb-sync1", "libxcb", "libxcb", "libxcb-sync1"),
    Need("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb", "libxcb", "libxcb-xfixes0"),
    Need("libxcb-xinerama.so.0", "libxcb-xinerama0", "libxcb", "libxcb", "libxcb-xinerama0"),
    Need("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb", "libxcb", "libxcb-xkb1"),
)

DISPLAY = Need("Xvfb", "xvfb", "xorg-x11-server-Xvfb", "xorg-server-xvfb", "xorg-x11-server-Xvfb")

COMPILER = Need("c++", "g++", "gcc-c++", "gcc", "gcc-c++")

COMPILER_LINES: Mapping[str, str] = {
    "darwin": "xcode-select --install",
    "win32": "install the workload “Desktop development with C++” of Visual Studio Build Tools",
}


def loads(library: str) -> bool:
    """Whether the system's loader finds the shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def runs(program: str) -> bool:
    """Whether a program of that name can be called."""
    return shutil.which(program) is not None


def missing(needs: Iterable[Need], there: Callable[[str], bool]) -> list[Need]:
    """The needs whose name `there` does not find."""
    return [need for need in needs if not there(need.name)]


def find_manager(there: Callable[[str], bool] = runs) -> str | None:
    """The package manager of this system; None if it is none of those known."""
    return next((name for name in MANAGERS if there(name)), None)


def install_line(manager: str, needs: Sequence[Need]) -> list[str]:
    """The command that installs `needs`, each package once, in order."""
    packages = dict.fromkeys(need.package(manager) for need in needs)
    return [*MANAGERS[manager].install, *packages]


def advice(manager: str | None, needs: Sequence[Need]) -> str:
    """What a person without the right to install should run."""
    if manager is None:
        names = ", ".join(need.name for need in needs)
        return f"install with your system's package manager what brings: {names}"
    return " ".join(["sudo", *install_line(manager, needs)])


def rights() -> list[str] | None:
    """What to put before a command so that root runs it; None if that may not be done unasked."""
    if not hasattr(os, "geteuid"):
        return None
    if os.geteuid() == 0:
        return []
    if runs("sudo"):
        asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
        if asked.returncode == 0:
            return ["sudo", "-n"]
    return None


def install(console: Console, needs: Sequence[Need], what: str) -> None:
    """Install `needs` through apt where that may be done unasked.

    Raises `StepFailed` with the exact line to run where it may not, or did not work.
    """
    manager = find_manager()
    prefix = rights() if manager == "apt-get" else None
    todo = f"To get {what}, run this line and start the same command again:\n    " + advice(
        manager, needs
    )
    if manager != "apt-get" or prefix is None:
        raise StepFailed(f"The system lacks {what}.\n{todo}")
    log = CACHE / "logs" / "system.log"
    quiet = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive"]
    wait = ["-o", "DPkg::Lock::Timeout=120"]
    with console.step(f"Installing {what} with apt-get", "10 to 40 s"):
        for command in (
            [*quiet, "apt-get", "update"],
            [*quiet, *install_line(manager, needs), *wait],
        ):
            run_logged(
                console,
                command,
                log,
                folder=ROOT,
                failure=f"apt-get did not install {what}.\n{todo}",
            )


def ensure_venv_module(console: Console) -> None:
    """Debian's Python comes without the parts that make a virtual environment: bring them."""
    if importlib.util.find_spec("ensurepip") is not None:
        return
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    need = Need("ensurepip", package, "python3", "python", "python3")
    install(console, [need], "the module that makes virtual environments")


def ensure_window_libraries(console: Console) -> None:
    """Bring the libraries that Qt needs. Only Linux leaves them to the system."""
    if sys.platform == "linux" and (needs := missing(WINDOW, loads)):
        install(console, needs, "the libraries of the window")


def ensure_display(console: Console) -> None:
    """Bring the display without a screen that the tests of the window use."""
    if sys.platform == "linux" and (needs := missing([DISPLAY], runs)):
        install(console, needs, "a display for tests")


def has_compiler() -> bool:
    """Whether C++ can be compiled here."""
    if sys.platform == "win32":
        programs = Path(os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)"))
        finder = programs / "Microsoft Visual Studio" / "Installer" / "vswhere.exe"
        return runs("cl") or finder.exists()
    return any(runs(name) for name in ("c++", "g++", "clang++"))


def ensure_compiler(console: Console) -> None:
    """Bring a C++ compiler. Raises `StepFailed` with what to do where that may not be done."""
    if has_compiler():
        return
    if sys.platform in COMPILER_LINES:
        raise StepFailed(
            "There is no C++ compiler. To get one: "
            f"{COMPILER_LINES[sys.platform]}. Then start the same command again."
        )
    install(console, [COMPILER], "a C++ compiler")


def has_screen(system: str = sys.platform, variables: Mapping[str, str] | None = None) -> bool:
    """Whether a window can be shown."""
    seen = os.environ if variables is None else variables
    return system != "linux" or bool(seen.get("DISPLAY") or seen.get("WAYLAND_DISPLAY"))
