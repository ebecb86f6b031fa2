"""A tree of joints at rest, as masses and looks of a character need it, and what characters of all files share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...dynamics import difference
from ...formats.bvh import Bvh
from ...model import Model

GRAVITY = (0.0, -9.81, 0.0)  # [m/s²]: y points up in files of characters
FARTHEST = 1e9  # of lengths and angles in a file: beyond, poses have no digits left
SHORTEST = 1e-6  # [s] from frame to frame


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """By joint: name, parent (−1: none), place and rotation at rest in what carries it [m], and whether it is an end.

    An end shows how long the bone before it is: it carries nothing and does not move.
    """

    names: list[str]
    parents: list[int]
    offsets: np.ndarray  # (n, 3)
    turns: np.ndarray  # (n, 3, 3)
    ends: list[bool]


def bvh_hierarchy(bvh: Bvh, offsets: np.ndarray) -> Hierarchy:
    """Of a BVH file, whose joints are all turned alike at rest; offsets in metres."""
    turns = np.tile(np.eye(3), (len(bvh.names), 1, 1))
    return Hierarchy(bvh.names, bvh.parents, offsets, turns, [not own for own in bvh.channels])


def body_names(names: list[str]) -> list[str]:
    """Names without dots that differ from each other."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        plain, k = name.replace(".", "_") or "joint", 2
        new = plain
        while new in taken:
            new, k = f"{plain}_{k}", k + 1
        taken.add(new)
        found.append(new)
    return found


def rates(model: Model, q: np.ndarray, t: np.ndarray) -> np.ndarray:
    """v (T, nv): differences to the frames beside; an angle goes the shorter way round."""
    if len(q) < 2 or model.nv == 0:
        return np.zeros((len(q), model.nv))
    h = np.diff(t)[:, None]
    steps = difference(model, q[:-1], q[1:])
    turns = [model.v_index(name) for name in model.coordinates if "rotation" in name.rpartition(".")[2]
             and model.place_of(name)[1] not in {at for at, _, _ in model.quaternions}]  # fmt: skip
    steps[:, turns] = (steps[:, turns] + np.pi) % (2 * np.pi) - np.pi
    steps = steps / h
    inner = (h[1:] * steps[:-1] + h[:-1] * steps[1:]) / (h[1:] + h[:-1])
    return np.concatenate([steps[:1], inner, steps[-1:]])
