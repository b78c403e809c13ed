"""The policy of the network by itself."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from core.egress_policy import (
    Address,
    Allowance,
    Confidential,
    EgressPolicy,
    Offline,
    Purpose,
    RedirectRefused,
)


@pytest.mark.parametrize(
    ("place", "scheme", "host", "port", "covered"),
    [
        ("example.org", "https", "example.org", 443, True),
        ("example.org", "https", "example.org", 8443, False),
        ("example.org:8443", "https", "example.org", 8443, True),
        ("example.org:8443", "https", "example.org", 443, False),
        ("example.org", "https", "www.example.org", 443, False),
        ("*.example.org", "https", "www.example.org", 443, True),
        ("*.example.org", "https", "a.b.example.org", 443, True),
        ("*.example.org", "https", "example.org", 443, False),
        ("*.example.org", "https", "notexample.org", 443, False),
        ("*.example.org", "https", "www.example.org", 8443, False),
        ("*.example.org", "https", "example.org.evil.test", 443, False),
        ("*.example.org", "https", "", 443, False),
        ("127.0.0.1:80", "http", "127.0.0.1", 80, False),
        ("127.0.0.1", "http", "127.0.0.1", 80, True),
        ("127.0.0.1", "https", "127.0.0.1", 80, False),
        ("[::1]:8080", "http", "::1", 8080, True),
        ("[::1]", "http", "::1", 80, True),
        ("[::1]", "http", "::1", 8080, False),
    ],
)
def test_a_place_covers_itself_alone(
    place: str, scheme: str, host: str, port: int, covered: bool
) -> None:
    allowance = Allowance(Purpose.CITATION, frozenset({place}))
    assert allowance.covers(Address(scheme, host, port)) is covered


NO_PLACES = """
    * *. *.org *.0.0.1 a*.example.org www.*.org https://example.org a/b example.org/ example.org.
    .example.org EXAMPLE.org bücher.de a@b example.org: example.org:0 example.org:65536
    example.org:x ::1 [::1 [::1]: [::01] [] [example.org] -a.org
"""


@pytest.mark.parametrize("place", ["", "a b", *NO_PLACES.split()])
def test_what_is_no_place_cannot_be_allowed(place: str) -> None:
    with pytest.raises(ValueError, match="not a host that can be allowed"):
        Allowance(Purpose.CITATION, frozenset({"example.org", place}))


LOCAL, REMOTE, SECOND = "127.0.0.1", "example.org", "example.net"


@pytest.mark.parametrize(
    ("source", "target", "followed"),
    [
        (("https", REMOTE), ("https", SECOND), True),
        (("https", REMOTE), ("https", REMOTE), True),
        (("https", REMOTE), ("http", SECOND), False),
        (("https", REMOTE), ("http", REMOTE), False),
        (("https", REMOTE), ("http", LOCAL), False),
        (("https", REMOTE), ("https", LOCAL), False),
        (("https", LOCAL), ("http", LOCAL), True),
        (("http", LOCAL), ("http", LOCAL), True),
        (("http", LOCAL), ("https", REMOTE), True),
        (("http", LOCAL), ("http", REMOTE), False),
        (("https", REMOTE), ("https", "example.com"), False),
        (("https", REMOTE), ("file", ""), False),
        (("https", REMOTE), ("wss", REMOTE), False),
    ],
)
def test_a_redirect_never_leads_to_less_protection(
    source: tuple[str, str], target: tuple[str, str], followed: bool
) -> None:
    allowed = Allowance(Purpose.MODEL_DOWNLOAD, frozenset({LOCAL, REMOTE, SECOND}))
    policy = EgressPolicy(online=True, allowed=(allowed,))
    ports = {"http": 80, "https": 443}
    start, end = (Address(scheme, host, ports.get(scheme, 0)) for scheme, host in (source, target))
    with nullcontext() if followed else pytest.raises(RedirectRefused, match="not followed"):
        policy.check_redirect(start, end, Purpose.MODEL_DOWNLOAD)
    for closed, error in (
        (replace(policy, online=False), Offline),
        (replace(policy, confidential=True), Confidential),
        (replace(policy, confidential=True, online=False), Confidential),
    ):
        with pytest.raises(error):
            closed.check_redirect(start, end, Purpose.MODEL_DOWNLOAD)
