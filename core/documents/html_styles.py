"""The styles that a web page gives its elements, as far as they can hide or change its words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

_DECLARATION = re.compile(r"(?<![\w-])([\w-]+)\s*:\s*([^;]+)")
_PSEUDO = re.compile(r"::?([a-z-]+)")
_ATTRIBUTE = re.compile(
    r"\[\s*+([\w-]++)\s*+(?:([~|^$*]?=)\s*+"
    r"(?:[\"']([^\"'\[\]]*+)[\"']|([^\s\[\]]*+))[^\[\]]*+)?\]"
)
_COMPOUND = re.compile(r"([a-z][\w-]*|\*)?((?:[.#][\w-]+)*)")
_COMPOUND_PART = re.compile(r"[.#][\w-]+")
_CONDITION = re.compile(r"width|height|orientation|prefers|hover|pointer|resolution|print|speech")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})[ \n\t]?|([^\n]))")
_VARIABLE = re.compile(r"(?<![\w-])(--[\w-]+)\s*:\s*([^;{}]{1,100})")
_USE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_RELEVANT = frozenset(
    {
        "display", "visibility", "font-size", "color", "background", "background-color", "opacity",
        "position", "left", "right", "top", "bottom", "inset", "text-indent", "height",
        "max-height", "width", "max-width", "block-size", "inline-size", "max-block-size",
        "max-inline-size", "overflow", "overflow-x", "overflow-y", "clip", "clip-path", "transform",
        "text-decoration", "text-decoration-line", "margin", "margin-left", "margin-right",
        "margin-top", "content-visibility", "font", "filter", "mask", "mask-image", "scale",
        "translate", "rotate", "zoom", "line-height", "letter-spacing", "unicode-bidi", "direction",
        "content", "quotes", "list-style", "list-style-type", "background-clip", "z-index",
        "-webkit-text-fill-color", "-webkit-text-security", "-webkit-mask", "-webkit-mask-image",
        "-webkit-clip-path", "-webkit-background-clip", "-webkit-text-decoration",
        "background-image",
    }
)  # fmt: skip
_PASSING = frozenset(
    {"hover", "focus", "active", "visited", "target", "checked", "focus-within", "focus-visible"}
    | {"disabled", "selection", "placeholder", "backdrop", "popover-open", "open", "fullscreen"}
)
"""States that a page is not in when it is first shown."""

_PLAIN = frozenset({"root", "link", "any-link", "scope"})
_DRAWN = frozenset({"before", "after", "marker"})

Style = dict[str, str]
Rank = tuple[bool, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Element:
    """What a selector can ask of an element. Names and values are in lower case."""

    tag: str
    classes: frozenset[str] = frozenset()
    id: str = ""
    attributes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class _Compound:
    tag: str
    classes: frozenset[str]
    id: str
    attributes: tuple[tuple[str, str, str], ...] = ()

    def fits(self, element: Element) -> bool:
        return (
            (not self.tag or self.tag == element.tag)
            and (not self.id or self.id == element.id)
            and self.classes <= element.classes
            and all(_holds(asked, element.attributes) for asked in self.attributes)
        )


def _holds(asked: tuple[str, str, str], attributes: Mapping[str, str]) -> bool:
    name, operator, wanted = asked
    value = attributes.get(name)
    if value is None or not operator:
        return value is not None
    if operator == "=":
        return value == wanted
    if operator == "~=":
        return wanted in value.split()
    if operator == "|=":
        return value == wanted or value.startswith(f"{wanted}-")
    if not wanted:
        return False
    if operator == "^=":
        return value.startswith(wanted)
    return value.endswith(wanted) if operator == "$=" else wanted in value


_Path = tuple[_Compound, ...]


class StyleSheet:
    """The rules of a page's `<style>` elements that can hide or change its words.

    Selectors of tags, classes, ids, attributes and what they stand in are understood. A rule for
    an element in a place among others (`:first-child`, `a + b`) may hold for fewer elements than
    it is taken to: it is kept apart, as a doubt. Rules for print, for some window sizes or for
    states that a page is not in at first do not count.
    """

    def __init__(self, sources: Iterable[str] = ()) -> None:
        self._rules: dict[tuple[_Path, str], dict[str, tuple[Rank, str]]] = {}
        self._by_key: dict[str, list[tuple[_Path, str]]] = {}
        self._order = 0
        self.variables: dict[str, str] = {}
        texts = [readable(source) for source in sources]
        for text in texts:
            for name, value in _VARIABLE.findall(text):
                self.variables.setdefault(name, value.strip())
        parsed: dict[str, tuple[_Path, str] | None] = {}
        for text in texts:
            for selectors, body in _rules(text):
                declared = _declared(body, self.variables)
                if declared:
                    for selector in _without_arguments(selectors).split(","):
                        if selector not in parsed:
                            parsed[selector] = _parsed(selector)
                        rule = parsed[selector]
                        if rule is not None:
                            self._keep(rule, declared)

    def _keep(self, rule: tuple[_Path, str], declared: Mapping[str, tuple[bool, str]]) -> None:
        path = rule[0]
        self._order += 1
        ids = sum(bool(c.id) for c in path)
        classes = sum(len(c.classes) + len(c.attributes) for c in path)
        tags = sum(bool(c.tag) for c in path)
        if rule not in self._rules:
            last = path[-1]
            named = f".{min(last.classes)}" if last.classes else last.tag
            self._by_key.setdefault(f"#{last.id}" if last.id else named, []).append(rule)
            self._rules[rule] = {}
        kept = self._rules[rule]
        for name, (important, value) in declared.items():
            rank = (important, ids, classes, tags, self._order)
            if name not in kept or kept[name][0] <= rank:
                kept[name] = (rank, value)

    def styles(self, path: Sequence[Element], inline: str) -> dict[str, Style]:
        """What holds for the last element of `path`, from the rules and its own `style`.

        `path` is the element with those that it stands in, outermost first. The key "" has the
        element's own style; "before", "after" and "marker" what is drawn beside it; each with
        "?" behind it what may hold or not.
        """
        ranked: dict[str, dict[str, tuple[Rank, str]]] = {}
        if inline:
            ranked[""] = {
                name: ((important, 1_000_000, 0, 0, 0), value)
                for name, (important, value) in _declared(readable(inline), self.variables).items()
            }
        if self._rules:
            element = path[-1]
            keys = ["", element.tag, *(f".{name}" for name in element.classes), f"#{element.id}"]
            for key in keys:
                for rule in self._by_key.get(key, ()):
                    if not _fits(rule[0], path):
                        continue
                    into = ranked.setdefault(rule[1], {})
                    for name, given in self._rules[rule].items():
                        if name not in into or into[name][0] <= given[0]:
                            into[name] = given
        return {
            part: {name: value for name, (_, value) in given.items()}
            for part, given in ranked.items()
        }


def _parsed(selector: str) -> tuple[_Path, str] | None:
    """What a selector asks for, and of which part; None where it is not understood."""
    path: list[_Compound] = []
    part = ""
    doubt = ""
    tail = re.split(r"[+~](?!=)", selector)
    if len(tail) > 1:
        selector, doubt = tail[-1], "?"
    attributes: list[tuple[str, str, str]] = []

    def keep(match: re.Match[str]) -> str:
        attributes.append((match[1], match[2] or "", match[3] or match[4] or ""))
        return f"\x00{len(attributes) - 1}\x00"

    for word in _ATTRIBUTE.sub(keep, selector).replace(">", " ").split():
        asked = tuple(attributes[int(at)] for at in re.findall("\x00(\\d+)\x00", word))
        bare = re.sub("\x00\\d+\x00", "", word)
        pseudos = _PSEUDO.findall(bare)
        if not _PASSING.isdisjoint(pseudos):
            return None
        part = next((name for name in pseudos if name in _DRAWN), "")
        if any(name not in _PLAIN | _DRAWN for name in pseudos):
            doubt = "?"
        found = _COMPOUND.fullmatch(_PSEUDO.sub("", bare))
        if not found:
            return None
        parts = _COMPOUND_PART.findall(found[2])
        ids = [name[1:] for name in parts if name[0] == "#"]
        classes = frozenset(name[1:] for name in parts if name[0] == ".")
        tag = "" if found[1] in (None, "*") else found[1]
        path.append(_Compound(tag, classes, ids[0] if ids else "", asked))
    if not path or (doubt and not part and path[-1] == _Compound("", frozenset(), "")):
        return None
    return tuple(path), part + doubt


def _without_arguments(selectors: str) -> str:
    """Selectors without what stands in round brackets, in one pass."""
    if "(" not in selectors:
        return selectors
    kept: list[str] = []
    depth = 0
    for piece in re.split(r"([()])", selectors):
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(piece)
    return "".join(kept)


def _fits(compounds: Sequence[_Compound], path: Sequence[Element]) -> bool:
    if not compounds[-1].fits(path[-1]):
        return False
    wanted = len(compounds) - 2
    for element in reversed(path[:-1]):
        if wanted < 0:
            break
        if compounds[wanted].fits(element):
            wanted -= 1
    return wanted < 0


def readable(source: str) -> str:
    """A style text in lower case, without comments and escapes.

    Signs that would end a rule stand for themselves inside a string; they become spaces.
    """
    plain = _ESCAPE.sub(_unescaped, without_comments(source.lower()))
    return _STRING.sub(lambda found: re.sub(r"[{};,:]", " ", found[0]), plain)


def _unescaped(found: re.Match[str]) -> str:
    if not found[1]:
        sign = found[2]
        return sign if sign.isalnum() or sign in "-_" else "_"
    point = int(found[1], 16)
    sign = chr(point) if 0x20 <= point < 0xD800 or 0xE000 <= point <= 0x10FFFF else " "
    return "_" if sign in "\"'{};:,.#\\/*()[]<>+~" else sign.lower()


def name_of(written: str) -> str:
    """A class's or id's name as selectors have it here."""
    return re.sub(r"[^\w-]", "_", written.lower())


def without_comments(source: str) -> str:
    """A style text without its comments, in one pass."""
    parts: list[str] = []
    at = 0
    while (start := source.find("/*", at)) >= 0:
        parts.append(source[at:start])
        end = source.find("*/", start + 2)
        if end < 0:
            return " ".join(parts)
        at = end + 2
    return " ".join([*parts, source[at:]])


def _rules(source: str) -> Iterator[tuple[str, str]]:
    """The (selectors, declarations) of a sheet, in one pass; conditional rules left out."""
    skipping = 0
    open_blocks: list[bool] = []
    at = 0
    marks = [(mark[0], mark.start()) for mark in re.finditer(r"[{}]", source)]
    for (mark, place), (following, end) in pairwise([*marks, ("", len(source))]):
        if mark == "{":
            head = source[at:place].rpartition(";")[2].strip()
            grouped = head.startswith(("@media", "@supports", "@layer", "@container"))
            dropped = head.startswith("@") and (not grouped or bool(_CONDITION.search(head)))
            open_blocks.append(dropped)
            skipping += dropped
            if not skipping and not head.startswith("@") and following in ("}", ""):
                yield head, source[place + 1 : end]
        elif open_blocks:
            skipping -= open_blocks.pop()
        at = place + 1


def _declared(body: str, variables: Mapping[str, str]) -> dict[str, tuple[bool, str]]:
    """The declarations of a readable `body` that matter: (important, value) by name."""
    found: dict[str, tuple[bool, str]] = {}
    for name, written in _DECLARATION.findall(body):
        if name not in _RELEVANT:
            continue
        value = written
        for _ in range(3):
            if "var(" not in value or len(value) > 1000:
                break
            value = _USE.sub(lambda use: variables.get(use[1], use[2] or ""), value)
        important = "!important" in value.replace("! ", "!")
        value = re.sub(r"!\s*important", "", value).strip()
        if name not in found or important >= found[name][0]:
            found[name] = (important, value)
    return found


def declarations(body: str) -> Style:
    """The declarations in `body` that can hide or change words; names and values in lower case."""
    return {name: value for name, (_, value) in _declared(readable(body), {}).items()}
