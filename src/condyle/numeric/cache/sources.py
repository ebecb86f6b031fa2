"""A hash of the kernel sources, by which the folder of their compiled code is named.

Numba's own cache keys a function by its own file only: edit a callee in another file and the stale caller is returned.
Here any edit that can change a kernel changes the hash, and no other does.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from contextlib import suppress
from pathlib import Path

from .private_files import read_private, write_private

PACKAGE = Path(__file__).resolve().parents[2]


def kernel_sources(package: Path = PACKAGE) -> list[Path]:
    """The files that compiled code can depend on: every `kernels` folder and `numeric`; kernels import nothing else."""
    return sorted(p for p in package.rglob("*.py") if p.parent.name in ("kernels", "numeric"))


def source_hash(package: Path = PACKAGE) -> str:
    """A hash of what the kernel sources say; comments, docstrings and layout do not count."""
    digest = hashlib.sha256()
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(_code(path.read_bytes()).encode())
    return digest.hexdigest()[:20]


def _code(source: bytes) -> str:
    """The syntax tree of a module as text, without its docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            del node.body[0]
    return ast.dump(tree)


def remembered_hash(base: Path) -> str:
    """`source_hash`, which takes a third of a second, kept in `base` under a hash of the files' bytes."""
    digest = hashlib.sha256(sys.version.encode())
    for path in kernel_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    note = base / f"sources-{digest.hexdigest()[:20]}"
    kept = read_private(note)
    if kept is not None and re.fullmatch(rb"[0-9a-f]{20}", kept):
        return kept.decode()
    found = source_hash()
    with suppress(OSError):
        write_private(note, found.encode())
    return found
