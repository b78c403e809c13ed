"""Parse untrusted XML: no network, no DTD, no entities of the file's own."""

from html.entities import html5
from typing import TYPE_CHECKING, Any

from core.documents.errors import DamagedFile

if TYPE_CHECKING:
    from lxml import etree

    Element = etree._Element

DAMAGED = (
    "The file's markup is broken, so it cannot be read without guessing; it may be cut short. "
    "Nothing was added. Get the file again, or save it as PDF, DOCX or text."
)
UNSAFE = (
    "The file defines entities of its own, which damaged or hostile files use to read other files "
    "or to fill the memory. Nothing was added. Get the file from its publisher, or use the PDF."
)


def parse(data: bytes) -> "Element":
    """The root element of the XML in `data`.

    Entities that HTML names (&nbsp;) are left as nodes, which `entity_text` reads. Raises
    `DamagedFile` for broken markup and for a file that declares entities of its own.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DamagedFile(DAMAGED) from error
    internal: Any = root.getroottree().docinfo.internalDTD
    if internal is not None and any(True for _ in internal.iterentities()):
        raise DamagedFile(UNSAFE)
    return root


def is_element(node: "Element") -> bool:
    """Whether `node` is an element, not an entity, comment or processing instruction."""
    return isinstance(node.tag, str)


def local(node: "Element") -> str:
    """The element's name without its namespace, in lower case; "" for what is no element."""
    tag = node.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def entity_text(node: "Element") -> str:
    """The character that an unresolved entity such as &nbsp; stands for.

    Raises `DamagedFile` when the name is unknown: a character of the text would be lost.
    """
    from lxml import etree

    if node.tag is not etree.Entity:
        return ""
    name = getattr(node, "name", "")
    known = html5.get(f"{name};")
    if known is None:
        raise DamagedFile(DAMAGED)
    return known
