"""Whether results on disk are those of these inputs: a hash of the setups and of the files that they name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ...errors import BadFile
from ...formats.safe_files import write_text
from ..setup_files.opensim_setups import loads_table
from ..setup_files.plan import DONE
from ..setup_files.setups import DynamicsStep


def fingerprint(step: Any, made: dict[Path, Path]) -> str:
    """A hash that changes when a setup, a file that it names or condyle does."""
    digest = hashlib.sha256(f"{version('condyle')} {step!r}".encode())
    for path in sorted(set(_paths(step))):
        actual = made.get(path, path)
        if actual.is_file():
            digest.update(f"{path}:".encode())
            digest.update(actual.read_bytes())
    return digest.hexdigest()


def _paths(thing: Any) -> Iterator[Path]:
    if isinstance(thing, Path):
        yield thing
    elif is_dataclass(thing):
        if isinstance(thing, DynamicsStep) and isinstance(thing.loads, Path):
            with suppress(BadFile):  # what is wrong with it is said when it is read
                yield loads_table(thing.loads)
        for field in fields(thing):
            if field.name not in ("source", "output"):
                yield from _paths(getattr(thing, field.name))
    elif isinstance(thing, (tuple, list)):
        for item in thing:
            yield from _paths(item)


def is_done(folder: Path, mark: str) -> bool:
    """Whether a folder holds all results of these inputs."""
    try:
        said = json.loads((folder / DONE).read_text())
        return said["inputs"] == mark and all((folder / name).is_file() for name in said["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def say_done(folder: Path, mark: str, files: list[Path]) -> None:
    """Mark a folder as complete, after all else is written."""
    names = [str(path.relative_to(folder)) for path in files]
    write_text(folder / DONE, json.dumps({"inputs": mark, "files": names}, indent=1) + "\n")
