"""The version of the contract: the gates, and the lists that they read, that gave a verdict."""

from core.version import digest_of

CONTRACT_SOURCES = ("core/claims", "core/text", "resources/gates", "resources/text")
"""The folders whose code and lists decide a verdict for the same claim, source and model."""


def contract_version() -> str:
    """What a verdict is filed under, so that a repeated check can say that the gates changed."""
    return digest_of(*CONTRACT_SOURCES)
