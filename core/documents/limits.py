"""How much a reader takes on before it refuses a file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds on one file; a reader that meets one raises `FileTooLarge`.

    `max_file_bytes` is the size of the file as it lies on the disk, `max_unpacked_bytes` what a
    packed file (DOCX) may unpack to, `max_characters` the length of the text that comes out, and
    `max_pages` the number of pages of a PDF.
    """

    max_file_bytes: int = 512 * 1024 * 1024
    max_unpacked_bytes: int = 1024 * 1024 * 1024
    max_characters: int = 20_000_000
    max_pages: int = 20_000
