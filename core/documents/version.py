"""The version of the readers: what a kept reading is filed under.

A reading is worth keeping only as long as the same readers would give it again.
"""

from core.version import digest_of

READER_SOURCES = ("core/documents", "core/text", "resources/text")
"""The folders whose code and lists decide what a reading holds."""


def reader_version() -> str:
    """The digest of the readers' code and lists."""
    return digest_of(*READER_SOURCES)
