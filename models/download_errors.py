"""Every way in which a download fails, each with its message in the person's words.

Each message says what happened, what was kept, and what to do.
"""


class DownloadError(Exception):
    """A file was not taken from the hub. `str(error)` says why and what to do."""


class EndpointUnusable(DownloadError):
    """HF_ENDPOINT is not the address of a hub."""


class NetworkClosed(DownloadError):
    """The program works offline, or may not ask that place."""


class NoNetwork(DownloadError):
    """The hub could not be reached, or the connection was cut again and again."""


class HubBusy(DownloadError):
    """The hub asked for too long a pause, or had troubles of its own each time."""


class NotOnHub(DownloadError):
    """There is no such repository, revision or file, or it is private."""


class Gated(DownloadError):
    """The file is only for people who accepted its terms on the hub."""


class HubRefused(DownloadError):
    """The hub answered with something that is no file."""


class OtherFile(DownloadError):
    """The hub names another size or hash than the pinned ones; nothing was loaded."""


class WrongSize(DownloadError):
    """What came is longer or shorter than the file; it was removed."""


class WrongHash(DownloadError):
    """What came is not the file; it was removed."""


class Repacked(DownloadError):
    """The file came compressed, though that was not asked for."""


class DiskFull(DownloadError):
    """There is not enough room for the file."""


class NotWritten(DownloadError):
    """The file could not be written."""


class BeingLoaded(DownloadError):
    """Another window or command is loading this file into this folder."""
