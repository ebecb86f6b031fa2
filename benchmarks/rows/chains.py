"""Revolute chains in condyle and Pinocchio with the same states, as things to time."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

import condyle as cd

from ..engines import description, in_condyle, in_pinocchio
from ..timing import Timed

__all__ = ["Chain"]


@dataclass(frozen=True)
class Chain:
    """A chain of `count` bodies and about `work` bodies' worth of states."""

    count: int
    work: int = 100_000
    alike: bool = False

    @property
    def size(self):
        """States in a batch: a multiple of 16, at least 64."""
        return max(64, min(4096, self.work // self.count // 16 * 16))

    @cached_property
    def mechanism(self):
        return description.chain(self.count, alike=self.alike)

    @cached_property
    def model(self):
        return in_condyle.model(self.mechanism)

    @cached_property
    def states(self):
        """q, v and one more array of nv (forces or accelerations)."""
        rng = np.random.default_rng(self.count)
        q, v = self.mechanism.states(rng, self.size)
        return q, v, rng.normal(size=v.shape)

    def ours(self, function):
        """One condyle call on the whole batch."""
        q, v, x = self.states
        return Timed(lambda: function(self.model, q, v, x), self.size)

    def theirs(self, function):
        """One Pinocchio call for each of 64 or more states, rows unpacked beforehand."""
        model, _ = in_pinocchio.model(self.mechanism)
        data, repeat = model.createData(), max(64, min(self.size, 20_000 // self.count))
        rows = [tuple(x[i].copy() for x in self.states) for i in range(min(repeat, self.size))]

        def run():
            for q, v, x in rows:
                function(model, data, q, v, x)

        return Timed(run, len(rows))

    def agree(self, ours, theirs, tolerance=1e-8):
        """Refuse to time two programs that give different answers."""
        model, _ = in_pinocchio.model(self.mechanism)
        q, v, x = (y[:3] for y in self.states)
        expected = np.array([theirs(model, model.createData(), *s) for s in zip(q, v, x, strict=True)])
        gap = np.abs(ours(self.model, q, v, x) - expected).max() / np.abs(expected).max()
        if not gap < tolerance:
            raise cd.CondyleError(f"chain of {self.count}: condyle and Pinocchio differ by {gap:.1e}")
