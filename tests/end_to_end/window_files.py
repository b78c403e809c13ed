"""Files that the tests of the window drop, made on the spot."""

import hashlib
from pathlib import Path

_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def _padded(password: str) -> bytes:
    return (password.encode("latin-1") + _PADDING)[:32]


def locked_pdf(path: Path, lines: list[str], password: str) -> None:
    """A PDF of one page under the standard security handler, version 1 (ISO 32000-1, 7.6.3)."""
    identity = hashlib.md5(b"countersign").digest()
    owner = _rc4(hashlib.md5(_padded(password)).digest()[:5], _padded(password))
    permissions = (0xFFFFFFFC).to_bytes(4, "little")
    key = hashlib.md5(_padded(password) + owner + permissions + identity).digest()[:5]
    user = _rc4(key, _PADDING)
    words = "".join(f"({line}) Tj T* " for line in lines)
    content = f"BT /F1 12 Tf 72 720 Td 16 TL {words}ET".encode("latin-1")
    object_key = hashlib.md5(key + (4).to_bytes(3, "little") + b"\0\0").digest()[:10]
    stream = _rc4(object_key, content)
    encryption = (
        f"<< /Filter /Standard /V 1 /R 2 /O <{owner.hex()}> /U <{user.hex()}> /P -4 >>".encode()
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        encryption,
    ]
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer\n<< /Size %d /Root 1 0 R /Encrypt 6 0 R /ID [<%b> <%b>] >>\n" % (
        len(objects) + 1,
        identity.hex().encode(),
        identity.hex().encode(),
    )
    out += b"startxref\n%d\n%%%%EOF\n" % table
    path.write_bytes(out)


def long_pdf(path: Path, sample: Path, pages: int) -> None:
    """A PDF of so many pages, made of the sample paper over and over."""
    import pypdfium2 as pdfium

    paper = pdfium.PdfDocument(sample)
    made = pdfium.PdfDocument.new()
    while len(made) < pages:
        made.import_pages(paper, list(range(min(len(paper), pages - len(made)))))
    made.save(path)
    made.close()
    paper.close()
