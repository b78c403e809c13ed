"""The environment is made once, and made again exactly when something that it rests on changed."""

import json
from pathlib import Path

import pytest
import setup_environment as environment
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(environment.__file__).resolve().parent.parent


def whole(folder: Path, mark: str, extras: tuple[str, ...] = ()) -> None:
    """Make a folder look like an environment that was installed to the end."""
    python = environment.python_in(folder)
    python.parent.mkdir(parents=True, exist_ok=True)
    python.touch()
    environment.write_stamp(folder, mark, extras)


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=4), st.data())
def test_fingerprint_changes_with_any_byte(
    tmp_path_factory: pytest.TempPathFactory, contents: list[bytes], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("files")
    files = [folder / str(number) for number in range(len(contents))]
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content)
    before = environment.fingerprint(files, "CPython 3.11.7")
    assert environment.fingerprint(files, "CPython 3.11.7") == before
    assert environment.fingerprint(files, "CPython 3.12.0") != before
    changed = data.draw(st.sampled_from(files))
    changed.write_bytes(changed.read_bytes() + b"#")
    assert environment.fingerprint(files, "CPython 3.11.7") != before


def test_fingerprint_does_not_confuse_where_a_file_ends(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(b"ab")
    second.write_bytes(b"c")
    one = environment.fingerprint([first, second], "")
    first.write_bytes(b"a")
    second.write_bytes(b"bc")
    assert environment.fingerprint([first, second], "") != one


@pytest.mark.parametrize(
    ("mark", "installed", "asked", "current"),
    [
        ("same", (), (), True),
        ("same", ("dev",), (), True),
        ("same", ("dev",), ("dev",), True),
        ("same", (), ("dev",), False),
        ("other", ("dev",), ("dev",), False),
    ],
)
def test_an_environment_is_current_only_for_its_own_files_and_extras(
    tmp_path: Path, mark: str, installed: tuple[str, ...], asked: tuple[str, ...], current: bool
) -> None:
    whole(tmp_path, mark, installed)
    assert environment.is_current(tmp_path, "same", asked) is current


def test_an_environment_without_its_interpreter_is_not_current(tmp_path: Path) -> None:
    whole(tmp_path, "same")
    environment.python_in(tmp_path).unlink()
    assert not environment.is_current(tmp_path, "same", ())


@pytest.mark.parametrize(
    "stamp", ["", "{", "[]", "null", '{"fingerprint": "same"}', json.dumps({"extras": []})]
)
def test_a_damaged_stamp_means_not_current(tmp_path: Path, stamp: str) -> None:
    whole(tmp_path, "same")
    (tmp_path / environment.STAMP).write_text(stamp, encoding="utf-8")
    assert not environment.is_current(tmp_path, "same", ())


@pytest.mark.parametrize(
    ("system", "python", "script"),
    [
        ("linux", "bin/python", "bin/countersign"),
        ("darwin", "bin/python", "bin/countersign"),
        ("win32", "Scripts/python.exe", "Scripts/countersign.exe"),
    ],
)
def test_commands_lie_where_each_system_puts_them(system: str, python: str, script: str) -> None:
    folder = Path("venv")
    assert environment.python_in(folder, system) == folder / python
    assert environment.script_in(folder, "countersign", system) == folder / script


@pytest.mark.parametrize(
    ("system", "shown"),
    [
        ("linux", ".venv/bin/countersign"),
        ("darwin", ".venv/bin/countersign"),
        ("win32", ".venv\\Scripts\\countersign"),
    ],
)
def test_the_command_is_shown_as_it_is_typed_and_described(
    tmp_path: Path, system: str, shown: str
) -> None:
    assert environment.shown_command(ROOT, system) == shown
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first = readme.split("## Command line\n\n```\n")[1].splitlines()[0]
    assert shown in first
    elsewhere = environment.shown_command(tmp_path, system)
    assert elsewhere.endswith(shown)
    assert len(elsewhere) > len(shown)


@pytest.mark.parametrize(
    ("extras", "last"),
    [((), "."), (("dev",), ".[dev]"), (("dev", "chat"), ".[chat,dev]")],
)
def test_installs_under_the_constraints(extras: tuple[str, ...], last: str) -> None:
    command = environment.install_command(Path("python"), Path("constraints.txt"), extras)
    assert command[:4] == ["python", "-m", "pip", "install"]
    assert command[command.index("--constraint") + 1] == "constraints.txt"
    assert command[-2:] == ["--editable", last]
    assert "--no-input" in command


def pins() -> dict[str, str]:
    """Name → version of every line of the constraints file that is not a comment."""
    lines = environment.CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {name.lower().replace("_", "-"): version for name, version in pairs}


def test_every_stated_requirement_is_pinned() -> None:
    import re
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    stated = [*project["project"]["dependencies"], *(name for extra in extras for name in extra)]
    names = {re.split(r"[<>=!~\[; ]", line)[0].lower().replace("_", "-") for line in stated}
    assert names - set(pins()) == set()


def test_what_is_installed_here_is_what_is_pinned() -> None:
    from importlib.metadata import PackageNotFoundError, version

    differing = {}
    for name, pinned in pins().items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            continue
        if installed != pinned:
            differing[name] = (installed, pinned)
    assert differing == {}


def test_constraints_name_no_index() -> None:
    text = environment.CONSTRAINTS.read_text(encoding="utf-8")
    assert "://" not in text
    assert "--" not in text


def test_the_folder_of_the_set_up_never_shadows_the_library_of_its_name() -> None:
    import packaging.version

    assert not list((ROOT / "packaging").rglob("__init__.py"))
    assert not Path(packaging.version.__file__).is_relative_to(ROOT / "packaging")
