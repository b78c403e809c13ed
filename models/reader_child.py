"""The reader worker: parses untrusted files and draws their pages, in a process of its own.

The parsers are imported by the first request that needs them.
"""

from base64 import b64encode
from pathlib import Path
from typing import Any

from core.documents.errors import FileTooLarge, ReadingError
from core.documents.model import encode
from models.host.child import Call, serve
from models.host.protocol import FrameTooLarge

PNG_PIECE_BYTES = 1024 * 1024
"""Bytes of an image in one piece: a whole page at high zoom may be over the frame limit."""


def read(params: dict[str, Any], call: Call) -> None:
    """Read the file at `path`; the document goes out as the pieces of `core.documents.model`."""
    from core.documents.read import read as read_document

    document = read_document(
        Path(params["path"]), password=params["password"], progress=call.progress
    )
    try:
        for piece in encode(document):
            call.piece(piece)
    except FrameTooLarge as error:
        raise FileTooLarge(
            "Parts of this file, such as its headings, are too long to take in. Nothing was "
            "changed. Save what you need of it as a file of its own and add that."
        ) from error


def draw_page(params: dict[str, Any], call: Call) -> dict[str, Any]:
    """Draw page `page` of a PDF; the image goes out in pieces, its size and boxes as the result."""
    from core.documents.drawing import draw_page as draw

    image = draw(
        Path(params["path"]),
        params["page"],
        scale=params["scale"],
        marks=[(first, end) for first, end in params["marks"]],
        password=params["password"],
    )
    for at in range(0, len(image.png), PNG_PIECE_BYTES):
        part = image.png[at : at + PNG_PIECE_BYTES]
        call.piece({"png": b64encode(part).decode("ascii")})
    return {"width": image.width, "height": image.height, "boxes": image.boxes}


if __name__ == "__main__":
    serve({"read": read, "draw_page": draw_page}, errors=(ReadingError,))
