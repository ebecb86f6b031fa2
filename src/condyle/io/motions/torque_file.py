"""Torque functions as .npz: times, torques and the states they belong to."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import BadFile, CondyleError, require
from ...formats.archive import Arrays, text_of, write_arrays
from ..schema import VERSION
from .trajectory_file import floats

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from ...control import TorqueFunctions

KEYS = ("t", "tau", "q", "v")


def is_torques(thing: Any) -> TypeIs[TorqueFunctions]:
    """Whether a thing is torque functions; nothing is if directing was never loaded."""
    module = sys.modules.get("condyle.control.torque_replay")
    return module is not None and isinstance(thing, module.TorqueFunctions)


def save_torques(torques: TorqueFunctions, path: Path) -> None:
    """Everything in one file."""
    arrays = {"condyle": np.array(VERSION), "kind": np.array("torques")}
    arrays |= {"interpolation": np.array(torques.interpolation)} | {key: getattr(torques, key) for key in KEYS}
    write_arrays(path, arrays)


def built_torques(arrays: Arrays, path: Path) -> TorqueFunctions:
    """The torques of the arrays of a file, checked."""
    from ...control import TorqueFunctions

    missing = [key for key in (*KEYS, "interpolation") if key not in arrays]
    require(
        not missing, f"{path}: torques need the arrays {', '.join(KEYS)} and interpolation", BadFile, missing=missing
    )
    t, tau, q, v = (floats(arrays[key], key, path) for key in KEYS)
    require(t.ndim == 1 and min(tau.ndim, q.ndim, v.ndim) >= 2, f"{path}: torques are t (T,), tau, q and v (T, …, n)",
            BadFile, t=t.shape, tau=tau.shape, q=q.shape, v=v.shape)  # fmt: skip
    try:
        return TorqueFunctions(t, tau, q, v, text_of(arrays, "interpolation") or "")
    except CondyleError as error:
        raise BadFile(f"{path}: {error}") from None
    except (TypeError, ValueError) as error:
        raise BadFile(f"{path}: its arrays are not torques: {error}") from None
