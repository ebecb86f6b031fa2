"""Mechanisms as plain numbers, in an order every engine accepts (parents first, subtrees contiguous).

States are in condyle's layout: ball q = (w, x, y, z), v = ω in child axes; free q = (w, x, y, z, px, py, pz),
v = [ω; v] in child axes; universal is two turns in a row.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation

__all__ = ["KINDS", "Mechanism", "Part", "chain", "tree"]

# kind: (number of coordinates, number of velocities, number of axes)
KINDS = {"revolute": (1, 1, 1), "prismatic": (1, 1, 1), "universal": (2, 2, 2), "ball": (4, 3, 0), "free": (7, 6, 0)}


@dataclass(frozen=True)
class Part:
    """A body and the joint that carries it; `parent` is an index or −1 for the world."""

    kind: str
    parent: int
    axes: np.ndarray
    placement: np.ndarray
    mass: float
    com: np.ndarray
    moment: np.ndarray


@dataclass(frozen=True)
class Mechanism:
    """Parts in order."""

    parts: tuple[Part, ...]

    def offsets(self):
        """For every part: where its coordinates and its velocities begin."""
        sizes = np.array([KINDS[p.kind][:2] for p in self.parts])
        return np.vstack([[0, 0], np.cumsum(sizes, axis=0)[:-1]])

    @property
    def sizes(self):
        """Number of coordinates and number of velocities."""
        return tuple(int(n) for n in np.sum([KINDS[p.kind][:2] for p in self.parts], axis=0))

    def states(self, rng, *batch):
        """Random coordinates (quaternions of unit norm) and velocities of order one."""
        nq, nv = self.sizes
        q = rng.uniform(-1.5, 1.5, (*batch, nq))
        for (i, _), part in zip(self.offsets(), self.parts, strict=True):
            if part.kind in ("ball", "free"):
                q[..., i : i + 4] /= np.linalg.norm(q[..., i : i + 4], axis=-1, keepdims=True)
        return q, rng.uniform(-1, 1, (*batch, nv))


def chain(count, seed=0, alike=False):
    """`count` bodies in a row, each turning about its own z axis (so that engines with a fast z hinge may use it).

    With `alike` all links have the same shape and weight.
    """
    rng = np.random.default_rng(seed)
    parts = [replace(part(rng, "revolute", i - 1), axes=np.array([[0, 0, 1.0]])) for i in range(count)]
    return Mechanism(tuple(replace(parts[0], parent=i - 1) for i in range(count)) if alike else tuple(parts))


def tree(kinds, count, seed=0, floating=False):
    """A random tree: each body hangs on the last one or on one of its ancestors; the first may float."""
    rng = np.random.default_rng(seed)
    parts, path = [], []
    for i in range(count):
        path = path[: shortened(rng, len(path), floating)]
        kind = "free" if floating and i == 0 else str(rng.choice(kinds))
        parts.append(part(rng, kind, path[-1] if path else -1))
        path.append(i)
    return Mechanism(tuple(parts))


def shortened(rng, length, floating):
    """How much of the path to the last body to keep: up to three steps back, never past a floating root."""
    return rng.integers(min(length, max(int(floating), length - 3)), length + 1)


def part(rng, kind, parent):
    """A box-like body of about a kilogram and a third of a metre; floating bodies start at the world's origin."""
    turn, sides = Rotation.random(random_state=rng).as_matrix(), rng.uniform(0.1, 0.4, 3)
    mass = rng.uniform(0.5, 2.0)
    placement = np.eye(4)
    if kind != "free":
        placement[:3, :3] = Rotation.random(random_state=rng).as_matrix()
        placement[:3, 3] = rng.uniform(-0.3, 0.3, 3)
    axes = Rotation.random(KINDS[kind][2], random_state=rng).as_matrix()[:, 0] if KINDS[kind][2] else np.zeros((0, 3))
    box = mass / 12 * np.diag(np.sum(sides**2) - sides**2)
    return Part(kind, parent, axes, placement, mass, rng.uniform(-0.2, 0.2, 3), turn @ box @ turn.T)
