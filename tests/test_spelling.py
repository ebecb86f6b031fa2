"""Identifiers are spelled as NumPy spells its own; prose is free."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCES = sorted((Path(__file__).parent.parent / "src" / "condyle").rglob("*.py"))
BRITISH = re.compile(
    r"normalis|factoris|minimis|maximis|optimis|linearis|parametris|parameteris|initialis|discretis|symmetris|regularis"
    r"|generalis|penalis|serialis|centre|centring|colour|grey|neighbour|metre|behaviour|labell|modell",
    re.IGNORECASE,
)


def identifiers(tree: ast.AST) -> Iterator[str]:
    """Names that a module gives: functions, classes, arguments, variables, attributes that it assigns."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def test_identifiers_are_spelled_as_numpy_spells_them():
    """Oracle: a list of endings that British and American English spell differently."""
    texts = {path: text for path in SOURCES if BRITISH.search(text := path.read_text())}
    found = {(path.name, name) for path, text in texts.items() for name in identifiers(ast.parse(text))}
    assert not sorted((path, name) for path, name in found if BRITISH.search(name))
