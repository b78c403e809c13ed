"""Print the sample's paper as the two-column PDF that is shipped beside it.

    python packaging/print_sample.py

A figure's picture is not part of a JATS file, so its place says where to find it.
"""

from pathlib import Path

import print_paper

SAMPLES = Path(__file__).resolve().parent.parent / "resources" / "samples"
PAPER = SAMPLES / "eyes-and-lying.xml"
DOI = "doi.org/10.1371/journal.pone.0040259"

PLACE_OF_PICTURE = f"""
#let plot(wide) = block(width: 100%, height: 40pt, stroke: 0.5pt + gray, {{
  set text(7pt, fill: rgb("#555555"))
  align(center + horizon)[Picture not reprinted; see {DOI}]
}})
"""


def print_sample(pdf: Path) -> None:
    """Print the paper to `pdf`; the same paper gives the same bytes."""
    plain = print_paper.PREAMBLE
    print_paper.PREAMBLE = plain.replace("www.example.org", DOI) + PLACE_OF_PICTURE
    try:
        print_paper.print_paper(PAPER, pdf)
    finally:
        print_paper.PREAMBLE = plain


if __name__ == "__main__":
    print_sample(PAPER.with_suffix(".pdf"))
