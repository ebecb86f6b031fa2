"""The muscles of an .osim file in OpenSim, at given states."""

import numpy as np
import opensim as osim

from condyle.model.followers import follower_values
from support.osim_twin import twins

osim.Logger.setLevelString("Off")


class Peer:
    """A model in OpenSim that is set to states of the same model in condyle."""

    def __init__(self, path, folder, ours, change=None):
        self.ours = ours
        self.model = osim.Model(str(twins(path, folder)[1]))
        if change:
            change(self.model)
        self.state = self.model.initSystem()
        known = self.model.getCoordinateSet()
        self.coordinates = [known.get(name.rpartition(".")[2]) for name in ours.full_names]
        self.followers = [known.get(f.name.rpartition(".")[2]) for f in ours.followers]
        self.places = [ours.q_index(c) for c in ours.coordinates]

    def set(self, q, v=None):
        """Bring the model to a state."""
        values = zip(
            [*self.coordinates, *self.followers], [*q[self.places], *follower_values(self.ours, q)], strict=True
        )
        for coordinate, value in values:
            if coordinate.getLocked(self.state):
                coordinate.setLocked(self.state, False)
            coordinate.setValue(self.state, float(value), False)
        for k, coordinate in enumerate(self.coordinates):
            coordinate.setSpeedValue(self.state, 0.0 if v is None else float(v[self.places[k]]))
        self.model.realizeVelocity(self.state)

    def paths(self):
        """Name → path of every muscle and ligament."""
        found, forces = {}, self.model.getForceSet()
        for k in range(forces.getSize()):
            force = forces.get(k)
            for kind in (osim.Muscle, osim.Ligament):
                cast = kind.safeDownCast(force)
                if cast is not None:
                    found[force.getName()] = cast.getGeometryPath()
        return found

    def lengths(self, Q):
        """Lengths of all paths at states, by OpenSim."""
        paths = self.paths()
        out = np.empty((len(Q), len(self.ours.muscles)))
        for k, q in enumerate(Q):
            self.set(q)
            out[k] = [paths[m.name].getLength(self.state) for m in self.ours.muscles]
        return out


def poses(model, count, seed=1):
    """Random poses in the ranges, at most 2.5 rad or m wide on either side."""
    ends = np.array([model.ranges.get(c, (-1.0, 1.0)) for c in model.coordinates])
    low, high = np.clip(ends, -2.5, 2.5).T
    return np.random.default_rng(seed).uniform(low, high, (count, len(low)))
