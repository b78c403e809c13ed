"""A reader worker whose file names say what goes wrong."""

import os
import time
from pathlib import Path
from typing import Any

from core.documents.errors import PasswordNeeded, ReadingError
from core.documents.model import Document, Format, encode
from models.host.child import Call, serve


def read(params: dict[str, Any], call: Call) -> None:
    _go_wrong(Path(params["path"]).stem, call)
    if Path(params["path"]).stem == "no_head":
        return call.piece({"text": "words"})
    if params["password"] != "open":
        raise PasswordNeeded("This file is locked. Give its password.")
    for piece in encode(Document(Format.TEXT, "words", ())):
        call.piece(piece)


def draw_page(params: dict[str, Any], call: Call) -> dict[str, Any]:
    _go_wrong(Path(params["path"]).stem, call)
    return {"width": 1, "height": 1, "boxes": []}


def _go_wrong(how: str, call: Call) -> None:
    match how:
        case "crash":
            os.abort()
        case "hang":
            call.progress(1, 9, "Reading page 1")
            time.sleep(3600)
        case "wait":
            while True:
                call.progress(1, 9, "Reading page 1")
                time.sleep(0.01)
        case "memory":
            bytearray(1 << 40)
        case "bug":
            raise IndexError("words of the document")
        case "nonsense":
            call.piece({"blocks": [["paragraph", 0]], "png": "?"})
            time.sleep(3600)


if __name__ == "__main__":
    serve({"read": read, "draw_page": draw_page}, errors=(ReadingError,))
