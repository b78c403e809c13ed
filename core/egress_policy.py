"""What may leave the machine: which hosts, for which purpose. Offline is the default.

The policy is an allow-list. It is asked before every request and again before every redirect is
followed; what it does not name is refused.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address

_PORTS = {"https": 443, "http": 80}

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_PLACE = re.compile(
    rf"(?:\[(?P<six>[0-9a-f:]+)\]|(?P<below>\*\.)?(?P<name>{_LABEL}(?:\.{_LABEL})*))"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
)


class Purpose(StrEnum):
    """Why something is asked of a network; kept with every request."""

    MODEL_DOWNLOAD = "model_download"
    CITATION = "citation"

    @property
    def words(self) -> str:
        """The purpose as it is shown to a person."""
        return _WORDS[self]


_WORDS = {
    Purpose.MODEL_DOWNLOAD: "downloading models",
    Purpose.CITATION: "looking up citations",
}


class EgressError(Exception):
    """Nothing, or not all, came over the network. `str(error)` says what happened."""


class EgressRefused(EgressError):
    """The policy does not allow a request; nothing was sent to the host in question."""


class Offline(EgressRefused):
    """The program works offline."""


class Confidential(EgressRefused):
    """The workspace is confidential; no setting elsewhere opens it."""


class NotAllowed(EgressRefused):
    """The host is not on the list for this purpose, or the address is of a kind never used."""


class RedirectRefused(EgressRefused):
    """An answer pointed to a place that may not be asked."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a request goes.

    Attributes: `scheme` in lower case; `host` in lower case, international names in their ASCII
    form, IPv6 without brackets; `port`, 0 where the scheme has none.
    """

    scheme: str
    host: str
    port: int

    @property
    def loopback(self) -> bool:
        """Whether the host is this machine itself."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def place(self) -> str:
        """The host as it is listed, logged and shown, with its port where that is unusual."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = self.port == _PORTS.get(self.scheme, 0)
        return host if usual else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Allowance:
    """The places that may be asked for one purpose.

    `places` are host names ("huggingface.co"), all names below one ("*.hf.co"), or a host with a
    port ("127.0.0.1:8080", "[::1]:8080"); without a port only the scheme's usual one is meant.

    Raises ValueError for anything else, such as a URL, "*" or "*.com".
    """

    purpose: Purpose
    places: frozenset[str]

    def __post_init__(self) -> None:
        """Refuse what is not a place."""
        for place in self.places:
            if not _well_formed(place):
                raise ValueError(f"not a host that can be allowed: {place!r}")

    def covers(self, address: Address) -> bool:
        """Whether one of the places is where `address` points."""
        if address.place in self.places:
            return True
        parents = address.place.split(".")[1:]
        return any(f"*.{'.'.join(parents[at:])}" in self.places for at in range(len(parents)))


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """What may be asked of a network; as it is made by default: nothing.

    `online` opens the allow-list `allowed`; `confidential` closes it, whatever else is set.

    Example: ``EgressPolicy(online=True, allowed=(Allowance(Purpose.MODEL_DOWNLOAD, hosts),))``
    """

    online: bool = False
    allowed: tuple[Allowance, ...] = ()
    confidential: bool = False

    def check(self, address: Address, purpose: Purpose) -> None:
        """Return when `address` may be asked for `purpose`; raise `EgressRefused` otherwise."""
        if self.confidential:
            raise Confidential(
                "This workspace is confidential: nothing may be asked of a network from it, "
                "whatever the other settings say. Nothing was sent."
            )
        if not self.online:
            raise Offline(
                f"The program works offline, so {_shown(address)} was not asked. Nothing was "
                f"sent. Allow the network for {purpose.words} if you want this."
            )
        if address.scheme not in _PORTS:
            raise NotAllowed(
                f"An address that begins with “{address.scheme}:” is never opened. Nothing was "
                "sent."
            )
        if not any(a.purpose is purpose and a.covers(address) for a in self.allowed):
            raise NotAllowed(
                f"{_shown(address)} is not among the places that may be asked for "
                f"{purpose.words}. Nothing was sent."
            )
        if address.scheme == "http" and not address.loopback:
            raise NotAllowed(
                f"{_shown(address)} would be asked without encryption (http). Nothing was sent. "
                "Use its https address."
            )

    def check_redirect(self, source: Address, target: Address, purpose: Purpose) -> None:
        """The same for an answer of `source` that points to `target`; raises `EgressRefused`."""
        if self.confidential or not self.online:
            self.check(target, purpose)
        if target.scheme not in _PORTS:
            raise RedirectRefused(
                f"{_shown(source)} pointed to an address that begins with “{target.scheme}:”. "
                "It was not followed."
            )
        if target.scheme == "http" and source.scheme == "https" and not target.loopback:
            raise RedirectRefused(
                f"{_shown(source)} pointed to {_shown(target)} without encryption (http). It was "
                "not followed."
            )
        if target.loopback and not source.loopback:
            # A server elsewhere has no business on this machine's own ports.
            raise RedirectRefused(
                f"{_shown(source)} pointed back to this computer. It was not followed."
            )
        try:
            self.check(target, purpose)
        except NotAllowed as error:
            raise RedirectRefused(
                f"{_shown(source)} pointed to {_shown(target)}, which is not among the places "
                f"that may be asked for {purpose.words}. It was not followed."
            ) from error


def _shown(address: Address) -> str:
    return address.place or "an address without a host"


def _well_formed(place: str) -> bool:
    found = _PLACE.fullmatch(place)
    if found is None or (found["port"] and not 0 < int(found["port"]) < 65536):
        return False
    if found["six"]:
        try:
            return str(ip_address(found["six"])) == found["six"]
        except ValueError:
            return False
    if found["below"]:
        top = found["name"].rpartition(".")
        return bool(top[0]) and not top[2].isdecimal()
    return True
