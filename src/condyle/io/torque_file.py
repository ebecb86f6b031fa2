"""Torque functions as .npz: times, torques and the states they belong to."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BadFile, CondyleError, require
from .files import read_arrays, write_arrays
from .schema import VERSION

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from ..control import TorqueFunctions

__all__ = ["holds_torques", "is_torques", "load_torques", "save_torques"]

KEYS = ("t", "tau", "q", "v")


def is_torques(thing: Any) -> TypeIs[TorqueFunctions]:
    """Whether a thing is torque functions; nothing is if directing was never loaded."""
    module = sys.modules.get("condyle.control.torques")
    return module is not None and isinstance(thing, module.TorqueFunctions)


def save_torques(torques: TorqueFunctions, path: Path) -> None:
    """Everything in one file."""
    arrays = {"condyle": np.array(VERSION), "kind": np.array("torques")}
    arrays |= {"interpolation": np.array(torques.interpolation)} | {key: getattr(torques, key) for key in KEYS}
    write_arrays(path, arrays)


def holds_torques(path: Path) -> bool:
    """Whether an .npz says that it does; what cannot be read is told when it is loaded."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return "kind" in file and str(file["kind"]) == "torques"
    except Exception:  # whatever a file can be; read_arrays has the words
        return False


def load_torques(path: Path) -> TorqueFunctions:
    """What `save_torques` wrote, checked."""
    from ..control import TorqueFunctions

    arrays = read_arrays(path)
    version = arrays.get("condyle", np.array(0))
    known = version.shape == () and version.dtype.kind in "iu" and 1 <= int(version) <= VERSION
    require(known, f"{path}: written by a newer condyle; this one reads version {VERSION}", BadFile, version=version)
    missing = [key for key in (*KEYS, "interpolation") if key not in arrays]
    require(
        not missing, f"{path}: torques need the arrays {', '.join(KEYS)} and interpolation", BadFile, missing=missing
    )
    try:
        t, tau, q, v = (np.asarray(arrays[key], dtype=float) for key in KEYS)
        return TorqueFunctions(t, tau, q, v, str(arrays["interpolation"]))
    except CondyleError as error:
        raise BadFile(f"{path}: {error}") from None
    except (TypeError, ValueError) as error:
        raise BadFile(f"{path}: its arrays are not torques: {error}") from None
