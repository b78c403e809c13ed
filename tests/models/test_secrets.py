"""Keys: in the system's keyring where there is one, else for this run, never in a file."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.errors import KeyringLocked, PasswordDeleteError

from models.secrets import SERVICE, Keyring, KeyringUnusable


class InMemory(KeyringBackend):
    """A keyring service of a test; `locked` makes it refuse."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        self._refuse()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._refuse()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._refuse()
        if (service, username) not in self.kept:
            raise PasswordDeleteError
        del self.kept[service, username]

    def _refuse(self) -> None:
        if self.locked:
            raise KeyringLocked


@pytest.fixture
def service() -> Iterator[InMemory]:
    before = keyring.get_keyring()
    backend = InMemory()
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


@pytest.fixture
def no_service() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    yield
    keyring.set_keyring(before)


def test_a_key_is_kept_by_the_system(service: InMemory) -> None:
    Keyring().set("registry/openalex", "k1")
    assert service.kept == {(SERVICE, "registry/openalex"): "k1"}
    assert Keyring().get("registry/openalex") == "k1"
    assert Keyring().lasting
    Keyring().delete("registry/openalex")
    Keyring().delete("registry/openalex")
    assert Keyring().get("registry/openalex") is None


def test_a_locked_keyring_gives_nothing_and_says_so(service: InMemory) -> None:
    service.locked = True
    assert Keyring().get("registry/openalex") is None
    with pytest.raises(KeyringUnusable, match="Unlock"):
        Keyring().set("registry/openalex", "k1")
    with pytest.raises(KeyringUnusable, match="Unlock"):
        Keyring().delete("registry/openalex")


@pytest.mark.usefixtures("no_service")
def test_without_a_keyring_a_key_lasts_for_this_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERSIGN_HOME", str(tmp_path))
    keys = Keyring()
    assert not keys.lasting
    keys.set("registry/openalex", "k1")
    assert keys.get("registry/openalex") == "k1"
    assert Keyring().get("registry/openalex") is None
    assert list(tmp_path.rglob("*")) == []
    keys.delete("registry/openalex")
    assert keys.get("registry/openalex") is None
