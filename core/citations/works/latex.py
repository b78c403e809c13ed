"""LaTeX as it stands in bibliographies: accents, special letters, braces, dashes.

What is not known stays as it is, without its braces; nothing is left out.
"""

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "d": "\u0323",
    "c": "\u0327",
    "k": "\u0328",
    "b": "\u0331",
}
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø",
    "O": "Ø", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
    "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "textendash": "–", "textemdash": "—",
    "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“", "textquotedblright": "”",
    "textdegree": "°", "degree": "°", "ldots": "…", "dots": "…", "textregistered": "®",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "omega": "ω", "pi": "π", "sigma": "σ", "tau": "τ", "Delta": "Δ",
    "textalpha": "α", "textbeta": "β", "times": "×", "pm": "±", "rightarrow": "→", "infty": "∞",
    "LaTeX": "LaTeX", "TeX": "TeX", "textasciitilde": "~", "textbackslash": "\\", "textmu": "µ",
}  # fmt: skip
_FORMATS = (
    "emph|textit|textbf|textrm|textsc|textsf|texttt|textup|textsl|textnormal|text|mathrm|mathit|"
    "mathbf|mathsf|mathcal|ensuremath|mbox|hbox|uppercase|bf|it|em|rm|sc|sf|tt|sl|nocopyright|"
    "noopsort|bibinfo|href|url|textsuperscript|textsubscript"
)
_PIECE = re.compile(
    r"\\(?P<accent>[`'^~=.\"]|[uvHtcdbkr](?![A-Za-z]))\s*(?:\{\s*)?\\?(?P<letter>[^\W\d_])\s*\}?"
    rf"|\\(?:{_FORMATS})(?![A-Za-z])\s*"
    r"|\\(?P<word>[A-Za-z]+)(?:\s*\{\}|\s+|(?![A-Za-z]))"
    r"|\\(?P<escaped>[&%$#_{}\\ -])"
    r"|(?P<dash>---?)|(?P<tie>~)|(?P<quote>``|'')|(?P<math>\$)|[{}]"
)


def plain_latex(text: str) -> str:
    r"""`text` as a reader sees it on paper.

    >>> plain_latex(r"Schr{\"o}dinger's {\emph{Katze}}")
    "Schrödinger's Katze"
    """
    if not any(c in text for c in "\\{}~$`") and "--" not in text and "''" not in text:
        return " ".join(text.split())
    return " ".join(unicodedata.normalize("NFC", _PIECE.sub(_shown, text)).split())


def _shown(match: re.Match[str]) -> str:
    if match["accent"]:
        letter = {"ı": "i", "ȷ": "j"}.get(match["letter"], match["letter"])
        mark = _ACCENTS.get(match["accent"], "")
        # An opening brace that closed with the letter has gone with it; a lone one may go too.
        return letter + mark
    if match["word"]:
        return _LETTERS.get(match["word"], match.group())
    if match["escaped"]:
        return match["escaped"] if match["escaped"] != "-" else ""
    if match["dash"]:
        return "–" if len(match["dash"]) == 2 else "—"
    if match["tie"]:
        return " "
    if match["quote"]:
        return "“" if match["quote"] == "``" else "”"
    return ""
