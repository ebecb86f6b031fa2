"""`save`: a model, joint, arm, motion or torques to a file, so that loading gives the same object bit by bit."""

from __future__ import annotations

import contextlib
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from ..errors import BadFile, BadValue, require
from ..formats.files import write_text
from ..joints import Joint
from ..model import Model
from ..simulation import Trajectory
from .arm_file import described_arm, is_arm
from .arrays import put_aside
from .files import write_arrays
from .mesh_paths import seen_from
from .model_describe import described_model
from .schema import VERSION
from .segments import described
from .skeleton_file import is_motion, save_motion
from .table_file import SUFFIXES, save_table
from .torque_file import is_torques, save_torques
from .trajectory_file import save_trajectory

if TYPE_CHECKING:
    from ..control import TorqueFunctions
    from ..skeleton import Trajectory as SkeletonMotion
    from ..workspace import Arm

__all__ = ["save"]


def save(thing: Model | Joint | Trajectory | SkeletonMotion | TorqueFunctions | Arm, path) -> Path:
    """Write a model, joint or arm as TOML (arrays of over 200 numbers in an .npz beside it), a trajectory or torques as
    .npz, a trajectory for other programs as .csv, .sto or .mot.

    The file is written beside and renamed, so a failure leaves the old one. The path that was written is returned.
    """
    path = Path(path)
    if isinstance(thing, Trajectory) and path.suffix in SUFFIXES:
        save_table(thing, path)
    elif is_motion(thing):
        _require_suffix(path, ".npz", "the motion of a skeleton")
        save_motion(thing, path)
    elif isinstance(thing, Trajectory):
        _require_suffix(path, ".npz", "a trajectory", f" (or {', '.join(SUFFIXES)} for other programs)")
        save_trajectory(thing, path)
    elif isinstance(thing, Model):
        _require_suffix(path, ".toml", "a model")
        _save_tree(described_model(seen_from(thing, path.parent)), path)
    elif is_torques(thing):
        _require_suffix(path, ".npz", "torques")
        save_torques(thing, path)
    elif is_arm(thing):
        _require_suffix(path, ".toml", "an arm")
        _save_tree(described_arm(thing), path)
    else:
        require(
            isinstance(thing, Joint),
            "save takes a model, a joint, an arm, a trajectory or torques",
            BadValue,
            got=thing,
        )
        _require_suffix(path, ".toml", "a joint")
        _save_tree({"condyle": VERSION, "kind": "joint", "units": "SI", "joint": described(thing)}, path)
    return path


def _require_suffix(path: Path, suffix: str, what: str, others: str = "") -> None:
    words = f"{path}: {what} is saved as {suffix}{others}; name the file {path.stem}{suffix}"
    require(path.suffix == suffix, words, BadFile)


def _save_tree(data: dict[str, Any], path: Path) -> None:
    """The side file is named by its content: the old pair stays whole until the new one is."""
    arrays = put_aside(data, "")[1]
    digest = hashlib.sha256(b"".join(x.tobytes() for x in arrays.values())).hexdigest()[:8]
    name = f"{path.stem}.{digest}.npz"
    tree, arrays = put_aside(data, name)
    if arrays:
        write_arrays(path.parent / name, arrays)
    old = _referred(path)
    text = compacted(tomli_w.dumps(tree))
    write_text(path, text)
    for other in old - {name}:
        with contextlib.suppress(OSError):
            (path.parent / other).unlink()


def compacted(text: str) -> str:
    """TOML with lists of numbers on one line each; strings have no line ends in them, so none can match."""
    numbers = re.compile(r"\[\n(?:\s*(?:[-+.\deE]+|true|false|\"[\w .-]*\"),\n)+\s*\]")
    return numbers.sub(lambda found: "[" + " ".join(found.group()[1:-1].split()).rstrip(",") + "]", text)


def _referred(path: Path) -> set[str]:
    """Side files of this very file from an earlier save."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return set()
    beside = path.parent.glob(f"{glob_escaped(path.stem)}.????????.npz")
    return {p.name for p in beside if f'"{p.name}"' in text}


def glob_escaped(stem: str) -> str:
    """A name that glob takes literally."""
    import glob

    return glob.escape(stem)
