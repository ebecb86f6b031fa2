"""XML to a tree of elements, with document types and entities refused: no bombs, no files, no network."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from ..errors import BadFile, require

DEEPEST = 200
LARGEST = 2**27  # [bytes]
MOST = 500_000  # elements


class LinedElement(Element):
    """An element that knows in which line of the file it begins, and in which folder that is."""

    line = 0
    folder: Path | None = None  # of a file that another includes


def parse_xml(data: bytes, name: str) -> LinedElement:
    """The root element of an XML document."""
    require(len(data) <= LARGEST, f"{name}: {len(data)} bytes of XML are more than condyle reads ({LARGEST})", BadFile)
    builder, parser, depth, count = TreeBuilder(element_factory=LinedElement), expat.ParserCreate(), 0, 0

    def start(tag, attributes):
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > DEEPEST:
            raise BadFile(f"{name}: elements more than {DEEPEST} deep; expected a flat XML file")
        if count > MOST:
            raise BadFile(f"{name}: more than {MOST} elements, which is more than condyle reads")
        builder.start(tag, attributes).line = parser.CurrentLineNumber  # type: ignore[attr-defined]

    def end(tag):
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def doctype(*_):
        line = parser.CurrentLineNumber
        raise BadFile(f"{name}, line {line}: a document type or entity is refused; remove the <!DOCTYPE … > part")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = doctype
    try:
        parser.Parse(data, True)
        return builder.close()  # type: ignore[return-value]
    except BadFile:
        raise
    except (expat.ExpatError, AssertionError, ValueError, LookupError) as error:
        raise BadFile(f"{name}: not valid XML: {error}") from None
