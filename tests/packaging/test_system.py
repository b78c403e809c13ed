"""What the system must bring is found out before it is needed, and said exactly where it lacks."""

import sys
from collections.abc import Callable

import pytest
import setup_system as system
from setup_console import Console, StepFailed


def only(*names: str) -> Callable[[str], bool]:
    """A system that has exactly these."""
    return lambda name: name in names


ALL = tuple(need.name for need in system.WINDOW)


@pytest.mark.parametrize("lacking", ALL)
def test_each_library_is_noticed_when_it_lacks(lacking: str) -> None:
    there = only(*(name for name in ALL if name != lacking))
    assert [need.name for need in system.missing(system.WINDOW, there)] == [lacking]


def test_nothing_lacks_when_all_are_there() -> None:
    assert system.missing(system.WINDOW, only(*ALL)) == []


@pytest.mark.parametrize(
    ("programs", "manager"),
    [
        (("apt-get",), "apt-get"),
        (("dnf",), "dnf"),
        (("pacman",), "pacman"),
        (("zypper",), "zypper"),
        (("apt-get", "dnf"), "apt-get"),
        ((), None),
    ],
)
def test_finds_the_package_manager(programs: tuple[str, ...], manager: str | None) -> None:
    assert system.find_manager(only(*programs)) == manager


CURSOR_AND_SHAPES = [
    need for need in system.WINDOW if need.name.startswith(("libxcb-cursor", "libxcb-sh"))
]


@pytest.mark.parametrize(
    ("manager", "line"),
    [
        (
            "apt-get",
            "sudo apt-get install --yes --no-install-recommends "
            "libxcb-cursor0 libxcb-shape0 libxcb-shm0",
        ),
        ("dnf", "sudo dnf install --assumeyes xcb-util-cursor libxcb"),
        ("pacman", "sudo pacman -S --needed --noconfirm xcb-util-cursor libxcb"),
        (
            "zypper",
            "sudo zypper --non-interactive install libxcb-cursor0 libxcb-shape0 libxcb-shm0",
        ),
    ],
)
def test_says_the_exact_line_with_each_package_once(manager: str, line: str) -> None:
    assert system.advice(manager, CURSOR_AND_SHAPES) == line


def test_names_the_libraries_where_the_manager_is_unknown() -> None:
    assert "libxcb-cursor.so.0" in system.advice(None, CURSOR_AND_SHAPES)


@pytest.mark.parametrize("manager", [None, "dnf", "pacman", "zypper"])
def test_never_installs_through_another_manager_than_apt(
    monkeypatch: pytest.MonkeyPatch, manager: str | None
) -> None:
    monkeypatch.setattr(system, "find_manager", lambda: manager)
    with pytest.raises(StepFailed, match="run this line") as refusal:
        system.install(Console(), CURSOR_AND_SHAPES, "the libraries of the window")
    assert system.advice(manager, CURSOR_AND_SHAPES) in str(refusal.value)


def test_never_installs_without_the_right_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "find_manager", lambda: "apt-get")
    monkeypatch.setattr(system, "rights", lambda: None)
    with pytest.raises(StepFailed, match="sudo apt-get install"):
        system.install(Console(), CURSOR_AND_SHAPES, "the libraries of the window")


def test_every_need_has_a_name_for_every_manager() -> None:
    for need in (*system.WINDOW, system.DISPLAY, system.COMPILER):
        for manager in system.MANAGERS:
            assert need.package(manager).strip()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux leaves the libraries to the system")
def test_here_the_set_up_has_brought_them_all() -> None:
    assert system.missing(system.WINDOW, system.loads) == []


def test_the_loader_does_not_find_what_is_not_there() -> None:
    assert not system.loads("libcountersign-has-no-such-library.so.9")


@pytest.mark.parametrize(
    ("platform", "variables", "screen"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_knows_whether_a_window_can_be_shown(
    platform: str, variables: dict[str, str], screen: bool
) -> None:
    assert system.has_screen(platform, variables) is screen


@pytest.mark.parametrize(
    ("platform", "words"), [("darwin", "xcode-select --install"), ("win32", "Build Tools")]
)
def test_a_system_without_a_compiler_is_told_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, platform: str, words: str
) -> None:
    monkeypatch.setattr(system, "has_compiler", lambda: False)
    monkeypatch.setattr(system.sys, "platform", platform)
    with pytest.raises(StepFailed, match=words):
        system.ensure_compiler(Console())
