"""Tables of results: shown, kept as JSON, and written as a page of the docs."""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..table import machine

__all__ = ["FOLDER", "Result", "keep", "show", "write_page"]

FOLDER = Path(__file__).parents[1] / "results"
STORE = FOLDER / "design.json"
HEAD = (
    "# What fitting claims, measured\n\n"
    "Made by `python -m benchmarks.design`; the data are synthetic unless a table says otherwise.\n"
)
PAGE = Path(__file__).parents[2] / "docs" / "fitting-results.md"


@dataclass(frozen=True)
class Result:
    """A table of text with a title and, below it, a sentence on how to read it."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    note: str


def show(result):
    """In the terminal."""
    table = Table(*map(escape, result.columns), title=result.title, caption=result.note)
    for row in result.rows:
        table.add_row(*row)
    Console(width=130).print(table)


def kept():
    """The results so far."""
    return json.loads(STORE.read_text()) if STORE.exists() else {}


def keep(name, result):
    """Beside the other parts, with the machine it ran on."""
    FOLDER.mkdir(exist_ok=True)
    STORE.write_text(json.dumps(kept() | {name: asdict(result) | {"machine": machine()}}, indent=1) + "\n")


def write_page(found, page=PAGE):
    """Plain tables for the docs: the sections of the parts in `found` (name: Result) are written anew, others stay."""
    sections = (kept_sections(page.read_text(encoding="utf-8")) if page.exists() else {}) | {
        name: section(name, result) for name, result in found.items()
    }
    page.write_text("\n".join([HEAD, *sections.values()]), encoding="utf-8")


def kept_sections(text):
    """The sections of a page by the part that made them."""
    parts = re.split(r"^(?=<!-- part: \w+ -->$)", text, flags=re.MULTILINE)[1:]
    return {re.match(r"<!-- part: (\w+) -->", part)[1]: part.rstrip("\n") + "\n" for part in parts}


def section(name, result):
    """A heading, a table and the note below it, marked with the part that made them."""
    head = [f"| {' | '.join(result.columns)} |", "|" + "---|" * len(result.columns)]
    rows = [f"| {' | '.join(row)} |" for row in result.rows]
    return "\n".join([f"<!-- part: {name} -->", f"## {result.title}", "", *head, *rows, "", result.note, ""])
