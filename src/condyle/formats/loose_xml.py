"""XML as people edit it: old encodings, bare ampersands, dashes in comments are mended before it is parsed.

What is mended keeps its line, so that every error names the line of the file as it is.
"""

from __future__ import annotations

import re

from ..errors import BadFile, require, warn
from .text import MARKS, OLD
from .xml import LARGEST, LinedElement, parse_xml

DECLARATION = re.compile(r"\s*<\?xml\b[^>]{0,400}\?>")
DECLARED = re.compile(rb"<\?xml[^>]{0,300}encoding\s*=\s*[\"']([\w.:-]{1,40})[\"']")
TEXT = re.compile(r"utf-?8|(us-)?ascii|iso-8859-\d{1,2}|(windows-|cp)125\d|latin-?1", re.IGNORECASE)
BARE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)")
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def parse_loose_xml(data: bytes, name: str) -> LinedElement:
    """The root element of an XML document that may be mended to be one.

    Parameters
    ----------
    data : bytes
        The file.
    name : str
        What to call it in errors.

    Returns
    -------
    LinedElement
        The root; each element knows its line.

    Raises
    ------
    BadFile
        If it is too large or deep, has a document type, or cannot be mended; with the line.
    """
    require(len(data) <= LARGEST, f"{name}: {len(data)} bytes of XML are more than condyle reads ({LARGEST})", BadFile)
    text = _without_declaration(_decoded(data, name))
    if found := UNPRINTABLE.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise BadFile(f"{name}, line {line}: not a text file (character {ord(found[0])}); expected XML")
    mended = BARE.sub("&amp;", _without_comments(text))
    return parse_xml(mended.encode("utf-8", errors="replace"), name)


def _decoded(data: bytes, name: str) -> str:
    """The text: by its mark, by the encoding that it states, else UTF-8, else Windows-1252 with a warning."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    stated = DECLARED.match(data[:400].lstrip())
    encoding = stated[1].decode("ascii") if stated else "utf-8"
    encoding = encoding if TEXT.fullmatch(encoding) else "utf-8"
    try:
        return data.decode(encoding)
    except (LookupError, UnicodeDecodeError, ValueError) as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        warn(f"{name}, line {line}: not {encoding}; read as Windows-1252, so names may have wrong letters")
        return data.decode(OLD, errors="replace")


def _without_declaration(text: str) -> str:
    """The text without <?xml … ?>, which has been obeyed, but with its line ends."""
    found = DECLARATION.match(text)
    return text if found is None else "\n" * found[0].count("\n") + text[found.end() :]


def _without_comments(text: str) -> str:
    """The text without comments, which may hold what XML forbids in them, but with their line ends."""
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join(parts) + text[at:]
