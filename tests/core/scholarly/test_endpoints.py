"""Where the registries are, and that the network is opened to them and to no more."""

import pytest

from core.egress_policy import Address, EgressPolicy, NotAllowed, Purpose
from core.scholarly.endpoints import ARXIV_TEXTS, HOMES, allowance
from core.scholarly.work import Registry


def address(url: str) -> Address:
    scheme, _, rest = url.partition("://")
    return Address(scheme, rest.partition("/")[0], 443)


@pytest.mark.parametrize("url", [*HOMES.values(), ARXIV_TEXTS])
def test_every_registry_may_be_asked_encrypted(url: str) -> None:
    policy = EgressPolicy(online=True, allowed=(allowance(),))
    policy.check(address(url), Purpose.CITATION)
    with pytest.raises(NotAllowed):
        policy.check(address(url), Purpose.MODEL_DOWNLOAD)
    assert url.startswith("https://")
    assert not url.endswith("/")


def test_every_registry_has_a_home() -> None:
    assert set(HOMES) == set(Registry)


def test_a_person_may_add_a_host_and_only_a_host() -> None:
    policy = EgressPolicy(online=True, allowed=(allowance("papers.example.org"),))
    policy.check(address("https://papers.example.org/x"), Purpose.CITATION)
    with pytest.raises(NotAllowed):
        policy.check(address("https://example.org/x"), Purpose.CITATION)
    with pytest.raises(ValueError, match="not a host"):
        allowance("https://example.org/x")
