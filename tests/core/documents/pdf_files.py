"""PDF files made for the tests: by hand where each byte matters, by typst where layout does."""

import hashlib
import struct
from dataclasses import dataclass, field
from pathlib import Path

MADE_ON = 1_700_000_000
PASSWORD_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


@dataclass
class Sheet:
    """One page: its content stream, box, rotation and crop box (points)."""

    content: bytes
    size: tuple[int, int] = (612, 792)
    rotate: int = 0
    crop: tuple[int, int, int, int] | None = None


@dataclass
class HandMade:
    """A PDF of hand-written pages: `/F1` is Helvetica, `/Pic` a picture, `/Off` a hidden layer."""

    sheets: list[Sheet] = field(default_factory=list)
    password: str = ""

    def bytes(self) -> bytes:
        """The file."""
        count = len(self.sheets)
        bodies: list[bytes] = [
            b"<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R] "
            b"/D << /OFF [5 0 R] /Order [5 0 R] >> >> >>",
            b"<< /Type /Pages /Count %d /Kids [%s] >>"
            % (count, b" ".join(b"%d 0 R" % (6 + 2 * at) for at in range(count))),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            b"",
            b"<< /Type /OCG /Name (off) >>",
        ]
        streams: dict[int, bytes] = {4: b"\x80\x40\xc0\x20"}
        for at, sheet in enumerate(self.sheets):
            crop = b"/CropBox [%d %d %d %d] " % sheet.crop if sheet.crop else b""
            bodies.append(
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Rotate %d %s/Contents %d 0 R "
                b"/Resources << /Font << /F1 3 0 R >> /XObject << /Pic 4 0 R >> "
                b"/Properties << /Off 5 0 R >> >> >>"
                % (*sheet.size, sheet.rotate, crop, 7 + 2 * at)
            )
            bodies.append(b"")
            streams[7 + 2 * at] = sheet.content
        return self._assemble(bodies, streams)

    def _assemble(self, bodies: list[bytes], streams: dict[int, bytes]) -> bytes:
        identity = hashlib.md5(b"countersign tests").digest()
        key, extra = self._protection(identity)
        out = bytearray(b"%PDF-1.6\n")
        places = []
        for number, body in enumerate(bodies, 1):
            places.append(len(out))
            if number in streams:
                data = streams[number]
                if key:
                    mixed = key + struct.pack("<I", number)[:3] + b"\0\0"
                    data = rc4(hashlib.md5(mixed).digest()[:10], data)
                picture = (
                    b"/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray "
                    b"/BitsPerComponent 8 "
                    if number == 4
                    else b""
                )
                body = b"<< %s/Length %d >>\nstream\n%s\nendstream" % (picture, len(data), data)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        out += (
            b"trailer\n<< /Size %d /Root 1 0 R /ID [<%s> <%s>] %s>>\nstartxref\n%d\n%%%%EOF\n"
            % (
                len(places) + 1,
                identity.hex().encode(),
                identity.hex().encode(),
                extra,
                start,
            )
        )
        return bytes(out)

    def _protection(self, identity: bytes) -> tuple[bytes, bytes]:
        """Key and trailer entry of the standard handler, revision 2 (ISO 32000-1, 7.6.3)."""
        if not self.password:
            return b"", b""
        padded = (self.password.encode("latin-1") + PASSWORD_PADDING)[:32]
        owner = rc4(hashlib.md5(padded).digest()[:5], padded)
        allowed = struct.pack("<i", -4)
        key = hashlib.md5(padded + owner + allowed + identity).digest()[:5]
        user = rc4(key, PASSWORD_PADDING)
        return key, b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >> " % (
            owner.hex().encode(),
            user.hex().encode(),
        )

    def write(self, path: Path) -> Path:
        """Write the file to `path`."""
        path.write_bytes(self.bytes())
        return path


def rc4(key: bytes, data: bytes) -> bytes:
    """The RC4 stream cipher."""
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def line(text: str, x: float, y: float, *, size: float = 11, before: str = "") -> bytes:
    """Content that shows `text` with its baseline starting at (x, y)."""
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"q {before} BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET Q\n".encode("cp1252")


def column(lines: list[str], x: float, y: float, *, size: float = 11, pitch: float = 13) -> bytes:
    """Lines one under another from (x, y) down."""
    return b"".join(line(text, x, y - pitch * at, size=size) for at, text in enumerate(lines))


def typeset(source: str, path: Path) -> Path:
    """Set typst source as a PDF, the same bytes on every machine."""
    import typst

    path.write_bytes(
        typst.compile(source.encode(), ignore_system_fonts=True, timestamp=MADE_ON, format="pdf")
    )
    return path
