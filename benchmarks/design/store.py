"""Tables of results: shown, kept as JSON, and written as a page of the docs."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..table import machine

__all__ = ["FOLDER", "Result", "keep", "show", "write_page"]

FOLDER = Path(__file__).parents[1] / "results"
STORE = FOLDER / "design.json"
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


def write_page():
    """Plain tables for the docs."""
    text = ["# What fitting claims, measured", "", "Made by `python -m benchmarks.design`; the data are synthetic "
            "unless a table says otherwise.", ""]  # fmt: skip
    for part in kept().values():
        head = [f"| {' | '.join(part['columns'])} |", "|" + "---|" * len(part["columns"])]
        rows = [f"| {' | '.join(row)} |" for row in part["rows"]]
        text += [f"## {part['title']}", "", *head, *rows, "", part["note"], ""]
    PAGE.write_text("\n".join(text), encoding="utf-8")
