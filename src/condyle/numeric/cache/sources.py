"""Hashes of the kernel sources, by which compiled code is named.

Numba's own cache keys a function by its own file only: edit a callee in another file and the stale caller is returned.
Here a kernel is keyed by its file, every kernel file that it imports, and the number types: an edit that can change it
changes its hash, and hardly any other does.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from opcode import opmap
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from .private_files import read_private, write_private

PACKAGE = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r"^[ \t]*from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
NOP = opmap["NOP"]  # what a docstring leaves behind
COMMENT, WORD = re.compile(r"#[^\n]*"), re.compile(r"\w+")


def kernel_sources(package: Path = PACKAGE) -> list[Path]:
    """The files that compiled code can depend on: all below `kernels` folders, and `numeric`; they import no others."""
    return sorted(p for p in package.rglob("*.py") if p.parent.name == "numeric" or _is_kernel_file(p, package))


def _is_kernel_file(path: Path, package: Path) -> bool:
    """Whether a file stands in a `kernels` folder of the package or in a folder below one."""
    return "kernels" in path.relative_to(package).parts[:-1]


class Hashes(NamedTuple):
    """Hashes of what the kernel sources say; comments, docstrings and layout do not count."""

    numeric: str  # of the number types and the compiler, which every kernel depends on
    all: str  # of all kernel sources
    files: dict[str, str]  # of each kernel file, by its path in the package, with all that it imports


def source_hashes(package: Path = PACKAGE) -> Hashes:
    """The hashes of a package's kernel sources."""
    sources = {path: path.read_bytes() for path in kernel_sources(package)}
    said = {path: f"{_name(path, package)} {_code(source)}" for path, source in sources.items()}
    direct = {path: imported_files(path, source) & said.keys() for path, source in sources.items()}
    files = {
        _name(path, package): _hash(said[p] for p in sorted(_closure(path, direct)))
        for path in said
        if _is_kernel_file(path, package)
    }
    return Hashes(_hash(said[p] for p in said if p.parent.name == "numeric"), _hash(said.values()), files)


def imported_files(path: Path, source: bytes) -> set[Path]:
    """The files that a module may name in its import statements, whether there are such files or not."""
    found: set[Path] = set()
    for dots, module, names in IMPORT.findall(COMMENT.sub("", source.decode())):
        base = path.parents[len(dots) - 1].joinpath(*module.split("."))
        found |= {*(base / f"{name}.py" for name in WORD.findall(names)), base.with_suffix(".py"), base / "__init__.py"}
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


def _code(source: bytes) -> str:
    """What a file says, as Python's own compiler reads it: a fingerprint without docstrings, comments and layout."""
    digest = hashlib.sha256()
    waiting: list[Any] = [compile(source, "", "exec", dont_inherit=True, optimize=0 if b"assert" in source else 2)]
    while waiting:  # optimize=2 takes docstrings away, and assertions
        code = waiting.pop()
        inner = [x for x in code.co_consts if isinstance(x, CodeType)]
        plain = [_constant(x) for x in code.co_consts if not isinstance(x, CodeType)]
        names = code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        shape = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, len(inner)
        steps = (code.co_code[k : k + 2] for k in range(0, len(code.co_code), 2))
        digest.update(repr((names, shape, plain)).encode() + b"".join(x for x in steps if x[0] != NOP))
        waiting += inner
    return digest.hexdigest()


def _constant(x: object) -> str:
    """A constant as text, the same in every process: sets of words have no order of their own."""
    if isinstance(x, frozenset):
        return f"frozenset {sorted(map(_constant, x))}"
    return f"({','.join(map(_constant, x))})" if isinstance(x, tuple) else f"{type(x).__name__} {x!r}"


def remembered_hashes(base: Path) -> Hashes:
    """`source_hashes`, which take a fifth of a second, kept in `base` under a hash of the files' bytes."""
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
