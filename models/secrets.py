"""Keys in the system's own keyring, and where there is none, for this run alone.

A machine without a keyring service has no place that is safe for a key, so none is made up: a key
is then kept in memory and forgotten when the program ends. Never a file.
"""

from threading import Lock

SERVICE = "Countersign"


class KeyringUnusable(Exception):
    """The system's keyring refused; the message is for the person."""


class Keyring:
    """A `core.ports.SecretStore`. May be used from any thread.

    `lasting` says whether the keys outlive the program.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._of_this_run: dict[str, str] = {}

    @property
    def lasting(self) -> bool:
        """Whether the system has a keyring that keeps keys."""
        import keyring
        from keyring.backends import fail, null

        return not isinstance(keyring.get_keyring(), fail.Keyring | null.Keyring)

    def get(self, name: str) -> str | None:
        """The key of this name, None where there is none or the keyring does not give it."""
        with self._lock:
            if name in self._of_this_run:
                return self._of_this_run[name]
        if not self.lasting:
            return None
        import keyring
        from keyring.errors import KeyringError

        try:
            return keyring.get_password(SERVICE, name)
        except KeyringError:
            return None

    def set(self, name: str, secret: str) -> None:
        """Keep a key. Raises `KeyringUnusable` where a keyring is there and does not take it."""
        if not self.lasting:
            with self._lock:
                self._of_this_run[name] = secret
            return
        import keyring
        from keyring.errors import KeyringError

        try:
            keyring.set_password(SERVICE, name, secret)
        except KeyringError as error:
            raise KeyringUnusable(
                "The system's keyring did not take the key, so it was not kept. Unlock the "
                "keyring and try again."
            ) from error

    def delete(self, name: str) -> None:
        """Forget a key. Raises `KeyringUnusable` where the keyring does not let go of it."""
        with self._lock:
            self._of_this_run.pop(name, None)
        if not self.lasting:
            return
        import keyring
        from keyring.errors import KeyringError, PasswordDeleteError

        try:
            keyring.delete_password(SERVICE, name)
        except PasswordDeleteError:
            return
        except KeyringError as error:
            raise KeyringUnusable(
                "The system's keyring did not let go of the key. Unlock the keyring and try again."
            ) from error
