import pytest

from core.egress_policy import Address
from models.download_errors import EndpointUnusable
from models.hub import HUB, HubFile, endpoint, hub_allowance

SHA = "a" * 64


def pinned(**changes: object) -> HubFile:
    fields = {"repository": "o/n", "revision": "c", "file": "f.gguf", "size": 1, "sha256": SHA}
    return HubFile(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "used"),
    [
        (None, HUB),
        ("", HUB),
        ("  ", HUB),
        ("https://hf.example.org", "https://hf.example.org"),
        (" https://hf.example.org/api// ", "https://hf.example.org/api"),
    ],
)
def test_the_endpoint_is_what_is_set(
    monkeypatch: pytest.MonkeyPatch, value: str | None, used: str
) -> None:
    if value is None:
        monkeypatch.delenv("HF_ENDPOINT", raising=False)
    else:
        monkeypatch.setenv("HF_ENDPOINT", value)
    assert endpoint() == used
    assert pinned().url == f"{used}/o/n/resolve/c/f.gguf"


@pytest.mark.parametrize(
    ("address", "host", "port", "allowed"),
    [
        (HUB, "huggingface.co", 443, True),
        (HUB, "cdn-lfs.huggingface.co", 443, True),
        (HUB, "cas-bridge.xethub.hf.co", 443, True),
        (HUB, "hf.co", 443, False),
        (HUB, "huggingface.co.evil.test", 443, False),
        (HUB, "example.org", 443, False),
        ("https://hf.example.org/path", "hf.example.org", 443, True),
        ("https://hf.example.org", "cdn.hf.example.org", 443, True),
        ("https://hf.example.org", "example.org", 443, False),
        ("https://hf.example.org", "cas-bridge.xethub.hf.co", 443, True),
        ("https://hf.example.org:8443", "hf.example.org", 8443, True),
        ("https://hf.example.org:8443", "hf.example.org", 443, False),
        ("https://HF.Example.org", "hf.example.org", 443, True),
        ("https://10.0.0.1", "10.0.0.1", 443, True),
        ("https://[::1]", "::1", 443, True),
    ],
)
def test_a_download_may_ask_the_hub_and_its_servers(
    address: str, host: str, port: int, allowed: bool
) -> None:
    assert hub_allowance(address).covers(Address("https", host, port)) is allowed


@pytest.mark.parametrize(
    "address",
    [
        *("huggingface.co", "ftp://a.org", "file:///x", "https://", "https://a b.org"),
        *("https://u:p@a.org", "https://a.org?x", "https://a.org#x", "https://a.org:99999"),
        *("https://[", "https://*.org"),
    ],
)
def test_what_is_no_hub_is_named(address: str) -> None:
    with pytest.raises(EndpointUnusable, match="HF_ENDPOINT is set to"):
        hub_allowance(address)


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"repository": "gpt2"}, "gpt2/resolve/c/f.gguf"),
        ({"revision": "refs/pr/1"}, "o/n/resolve/refs%2Fpr%2F1/f.gguf"),
        ({"file": "a b/c#d.gguf"}, "o/n/resolve/c/a%20b/c%23d.gguf"),
        ({"file": "ü.gguf"}, "o/n/resolve/c/%C3%BC.gguf"),
    ],
)
def test_the_address_is_quoted(changes: dict[str, object], path: str) -> None:
    assert pinned(**changes, endpoint="https://a.org").url == f"https://a.org/{path}"


@pytest.mark.parametrize(
    "changes",
    [
        *(
            {"file": file}
            for file in ("", "/f", "..", "a/../f", "a//f", "f/", "a/..", "./f", "f?x")
        ),
        *({"file": file} for file in ("a\\f", "C:f", "f\n", "f.", " f", ".", "f\x00", "a/.")),
        *(
            {"repository": name}
            for name in ("", "o/n/m", "../n", "o/..", "o n", "o/n?", "/n", "o/")
        ),
        *({"revision": name} for name in ("", "..", "a/../b", "a b", "a?b", "/a")),
        *({"sha256": sha} for sha in ("", "a" * 63, "A" * 64, "g" * 64, "a" * 64 + "\n")),
        {"size": 0},
        {"size": -1},
    ],
)
def test_what_is_no_file_of_a_hub_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"not a file of a hub|needs a size"):
        pinned(**changes)
