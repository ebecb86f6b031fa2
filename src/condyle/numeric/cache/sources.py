"""Hashes of the kernel sources, by which compiled code is named.

Numba's own cache keys a function by its own file only: edit a callee in another file and the stale caller is returned.
Here a kernel is keyed by its file, every kernel file that it imports, and the number types: an edit that can change it
changes its hash, and hardly any other does.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .private_files import read_private, write_private

PACKAGE = Path(__file__).resolve().parents[2]


def kernel_sources(package: Path = PACKAGE) -> list[Path]:
    """The files that compiled code can depend on: every `kernels` folder and `numeric`; kernels import nothing else."""
    return sorted(p for p in package.rglob("*.py") if p.parent.name in ("kernels", "numeric"))


class Hashes(NamedTuple):
    """Hashes of what the kernel sources say; comments, docstrings and layout do not count."""

    numeric: str  # of the number types and the compiler, which every kernel depends on
    all: str  # of all kernel sources
    files: dict[str, str]  # of each kernel file, by its path in the package, with all that it imports


def source_hashes(package: Path = PACKAGE) -> Hashes:
    """The hashes of a package's kernel sources."""
    trees = {path: ast.parse(path.read_bytes()) for path in kernel_sources(package)}
    said = {path: f"{_name(path, package)} {_code(tree)}" for path, tree in trees.items()}
    direct = {path: imported_files(path, tree) & said.keys() for path, tree in trees.items()}
    files = {
        _name(path, package): _hash(said[p] for p in sorted(_closure(path, direct)))
        for path in said
        if path.parent.name == "kernels"
    }
    return Hashes(_hash(said[p] for p in said if p.parent.name == "numeric"), _hash(said.values()), files)


def imported_files(path: Path, tree: ast.Module) -> set[Path]:
    """The files of the package that a module names in its import statements."""
    found: set[Path] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            modules = [*(base / f"{alias.name}.py" for alias in node.names), base.with_suffix(".py")]
            found |= {p for p in modules if p.is_file()} or {base / "__init__.py"}
    return found


def _closure(path: Path, direct: dict[Path, set[Path]]) -> set[Path]:
    """A file and all that it imports, directly or not."""
    found, waiting = set(), [path]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += direct[here]
    return found


def _name(path: Path, package: Path) -> str:
    return path.relative_to(package).as_posix()


def _hash(texts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:20]


def _code(tree: ast.Module) -> str:
    """A syntax tree as text, without its docstrings, which it loses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            del node.body[0]
    return ast.dump(tree)


def remembered_hashes(base: Path) -> Hashes:
    """`source_hashes`, which take a third of a second, kept in `base` under a hash of the files' bytes."""
    digest = hashlib.sha256(sys.version.encode())
    for path in kernel_sources():
        digest.update(_name(path, PACKAGE).encode() + b"\0" + path.read_bytes())
    note = base / f"sources-{digest.hexdigest()[:20]}"
    with suppress(ValueError, TypeError):
        return Hashes(**json.loads(read_private(note) or b""))
    found = source_hashes()
    with suppress(OSError):
        write_private(note, json.dumps(found._asdict()).encode())
    return found
