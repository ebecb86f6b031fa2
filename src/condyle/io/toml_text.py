"""TOML: text to dictionaries within bounds, and back."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from ..errors import BadFile, require
from ..formats.bounds import DEPTH, KEYS, VALUES
from ..formats.safe_files import read_text
from .array_fields import array_text

# Strings and comments, so that what stands in them is not counted; a string without an end goes on to where it may end.
APART = re.compile(
    r"""  \#[^\n]*+
        | \"{3} (?: [^"\\]++ | \\. | "(?!"") )*+ (?: \"{3,5} | \Z )
        | '{3}  (?: [^']++ | '(?!'') )*+ (?: '{3,5} | \Z )
        | " (?: [^"\\\n]++ | \\. )*+ "?
        | ' [^'\n]*+ '?
    """,
    re.VERBOSE | re.DOTALL,
)
DOTTED = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{DEPTH}}}")
HEADER = re.compile(r"^[ \t]*+\[\[?[^][,\n]*+\]", re.MULTILINE)
NUMBERS = re.compile(r"\[\n(?:\s*(?:[-+.\deE]+|true|false|\"[\w .-]*\"),\n)+\s*\]")


def read_toml(path: Path) -> dict:
    """A TOML file as a dictionary; syntax errors give line and column."""
    return parse_toml(read_text(path), str(path))


def parse_toml(text: str, name: str) -> dict:
    """TOML text as a dictionary, refused before it is parsed if it is beyond the bounds."""
    require_within_bounds(text, name)
    try:
        tree = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{name}: not valid TOML: {error}") from None
    require(_shallow(tree), f"{name}: tables within tables more than {DEPTH} deep", BadFile)
    return tree


def toml_text(tree: dict[str, Any], arrays: dict[str, np.ndarray], name: str) -> str:
    """The TOML text of a tree and the arrays that it refers to, refused if it could not be read again."""
    text = _compacted(tomli_w.dumps(tree)) + "".join(array_text(key, x) for key, x in arrays.items())
    require_within_bounds(text, name)
    return text


def require_within_bounds(text: str, name: str) -> None:
    """Count what a parser would have to keep, without parsing."""
    plain = APART.sub("s", text)
    keys, values = plain.count("=") + len(HEADER.findall(plain)), plain.count(",")
    for count, most, what in ((keys, KEYS, "keys and tables"), (values, VALUES, "values in lists")):
        require(count <= most, f"{name}: {count} {what} are more than the {most} that condyle reads", BadFile)
    depth = _brackets(plain)
    require(depth <= DEPTH, f"{name}: brackets within brackets {depth} deep, more than {DEPTH}", BadFile)
    require(not DOTTED.search(plain), f"{name}: a key with more than {DEPTH} dots", BadFile)


def _brackets(plain: str) -> int:
    """How deep brackets stand within each other."""
    deepest = depth = 0
    for letter in re.sub(r"[^][{}]++", "", plain):
        depth += 1 if letter in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _shallow(tree: Any) -> bool:
    """Whether tables and lists stand at most `DEPTH` deep within each other; found without recursion."""
    level = [tree]
    for _ in range(DEPTH + 1):
        level = [x for y in level for x in (y.values() if isinstance(y, dict) else y) if isinstance(x, (dict, list))]
    return not level


def _compacted(text: str) -> str:
    """TOML with lists of numbers on one line each; strings have no line ends in them, so none can match."""
    return NUMBERS.sub(lambda found: "[" + " ".join(found.group()[1:-1].split()).rstrip(",") + "]", text)
