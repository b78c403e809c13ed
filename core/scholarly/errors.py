"""Why a registry gave no answer. `str(error)` is a sentence for the person.

Nothing of a citation and no key is ever in a message.
"""

from core.scholarly.work import Registry


class RegistryError(Exception):
    """A registry gave no answer that can be used.

    Attributes: `registry`, who was asked; None for a publisher's or a repository's server.
    """

    def __init__(self, sentence: str, registry: Registry | None = None) -> None:
        super().__init__(sentence)
        self.registry = registry


class OfflineMode(RegistryError):
    """The program works offline, or the workspace is confidential; nothing was sent."""


class HostRefused(RegistryError):
    """The policy does not allow the host that was asked, or to which an answer pointed."""


class NoNetwork(RegistryError):
    """There is no connection to the registry."""


class TimedOut(RegistryError):
    """The registry did not answer in time."""


class ConnectionCut(RegistryError):
    """The connection ended, or could not be trusted, before the answer had come."""


class Busy(RegistryError):
    """The registry asks to wait longer than a check may, or goes on failing.

    Attributes: `wait`, seconds until it may be asked again, where it said so.
    """

    def __init__(
        self, sentence: str, registry: Registry | None = None, wait: float | None = None
    ) -> None:
        super().__init__(sentence, registry)
        self.wait = wait


class KeyRefused(RegistryError):
    """The registry wants a key or a contact address, or does not accept the one it was given."""


class RequestRefused(RegistryError):
    """The registry answered with a status that means neither yes nor no."""


class Malformed(RegistryError):
    """The answer is not of the shape that the registry documents; nothing of it was used."""


class TooLarge(RegistryError):
    """The answer is larger than any true one; nothing of it was used."""
