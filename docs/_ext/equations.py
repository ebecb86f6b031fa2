"""Which equations of the theory a function computes: read from the pages, so that the reference can link back."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

THEORY = Path(__file__).parents[1] / "theory"
LABELLED = re.compile(r"^\$\$ \(([\w-]+)\)$", re.MULTILINE)
LINK = re.compile(r"\{py:\w+\}`~?([\w.]+)`")


def linked_functions(text: str) -> dict[str, list[str]]:
    """Label of each equation of a page → the names linked between it and the next formula or heading."""
    parts = LABELLED.split(text)[1:]
    after = (re.split(r"^(?:\$\$|#)", words, maxsplit=1, flags=re.MULTILINE)[0] for words in parts[1::2])
    return {label: LINK.findall(words) for label, words in zip(parts[::2], after, strict=True)}


@cache
def equations() -> dict[str, list[str]]:
    """Name of a function → labels of the equations that it is linked to."""
    found: dict[str, list[str]] = {}
    for page in sorted(THEORY.glob("*.md")):
        for label, names in linked_functions(page.read_text()).items():
            for name in names:
                found.setdefault(name, []).append(label)
    return found


def theory_line(name: str) -> list[str]:
    """A line of reStructuredText that links a function's equations, if it has any."""
    labels = equations().get(name, [])
    return ["", "Theory: " + ", ".join(f":eq:`{label}`" for label in labels)] if labels else []
