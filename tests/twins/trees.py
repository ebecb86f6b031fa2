"""Whole mechanisms as twins."""

from dataclasses import dataclass, field

import numpy as np

import condyle as cd
from oracles import lagrangian, random_motion

from .kinds import KINDS

__all__ = ["MIXED", "Twin", "mixed", "random_tree", "twin"]

# a tree of five bodies and seven coordinates: the first body has two children
MIXED = (("universal", -1), ("spline_curve", 0), ("spline_surface", 0), ("elliptic", 1), ("helical", 2))


@dataclass
class Twin:
    """A builder and a tree that say the same; add loads to both, then call `model`."""

    builder: object = field(default_factory=cd.ModelBuilder)
    bodies: list = field(default_factory=list)
    pairs: list = field(default_factory=list)
    names: list = field(default_factory=list)
    loads: list = field(default_factory=list)

    @property
    def model(self):
        return self.builder.build()

    @property
    def tree(self):
        return lagrangian.Tree(tuple(self.bodies), loads=tuple(self.loads))

    def state(self, rng):
        """A random state, velocities of order one."""
        q = np.concatenate([p.sample(rng) for p in self.pairs])
        return q, rng.normal(size=sum(p.oracle.nv for p in self.pairs))

    def add(self, pair, parent, rng):
        """One more body with a random inertia, placement and offset."""
        self.attach(pair, parent, random_motion.inertia(rng), random_motion.pose(rng), random_motion.pose(rng))

    def attach(self, pair, parent, inertia, placement, offset):
        """One more body; `inertia` is (mass, com, moment)."""
        name, above = f"b{len(self.bodies)}", self.names[parent] if parent >= 0 else None
        self.builder.add_body(
            name,
            parent=above,
            joint=pair.joint,
            inertia=cd.Inertia(*inertia),
            placement=cd.SE3.from_matrix(placement),
            offset=cd.SE3.from_matrix(offset),
        )
        self.bodies.append(lagrangian.Body(parent, pair.oracle, *inertia, placement, offset))
        self.pairs.append(pair)
        self.names.append(name)


def twin(bodies, rng):
    """Random joints of the kinds named in `bodies`, pairs of kind and index of the parent (−1: the world)."""
    made = Twin()
    for kind, parent in bodies:
        made.add(KINDS[kind](rng), parent, rng)
    return made


def mixed(rng):
    return twin(MIXED, rng)


def random_tree(kinds, count, rng):
    """`count` bodies with kinds drawn from `kinds`, each hanging on a random earlier body or on the world."""
    return twin([(rng.choice(kinds), int(rng.integers(-1, i)) if i else -1) for i in range(count)], rng)
