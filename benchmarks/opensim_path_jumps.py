"""`python -m benchmarks.opensim_path_jumps [steps]`: where lengths of wrapped paths jump in OpenSim, and here.

Each coordinate of each model whose paths wrap is swept in both; a length jumps where it changes by other than two and
three steps before and after. Neighbouring jumps are counted together. Models whose coordinates follow others are left
out, and said.
"""

import sys
import warnings
from typing import NamedTuple

import numpy as np

import condyle as cd

from .muscle_smoothness import sweep
from .rows.trial import PLACES

__all__ = ["OpenSimJump", "jumps_of", "opensim_lengths"]

LEAST = 2e-5  # [m] a change in a step beyond this, other than its neighbours', is a jump
TOGETHER = 60  # steps between jumps that are counted as one place


class OpenSimJump(NamedTuple):
    """From where to where a length jumps in OpenSim, how often, its largest jump there, and the largest one here."""

    muscle: str
    coordinate: str
    start: float
    end: float
    count: int
    theirs: float
    ours: float


def opensim_lengths(opensim, path, model, q):
    """Lengths of all muscles by OpenSim (states, muscles)."""
    other = opensim.Model(str(path))
    state = other.initSystem()
    known = other.getCoordinateSet()
    coordinates = [known.get(name.rpartition(".")[2]) for name in model.full_names]
    paths = [other.getMuscles().get(m.name) for m in model.muscles]
    for c in coordinates:
        c.setLocked(state, False)
    out = np.empty((len(q), len(paths)))
    for k, x in enumerate(q):
        for c, value in zip(coordinates, x, strict=True):
            c.setValue(state, float(value), False)
        other.realizePosition(state)
        out[k] = [p.getLength(state) for p in paths]
    return out


def jump_sizes(lengths):
    """How much lengths (steps, muscles) change from step to step, beyond what they change near by."""
    change = np.diff(lengths, axis=0)
    near = np.median([np.roll(change, k, axis=0) for k in (-3, -2, 2, 3)], axis=0)
    off = np.abs(change - near)
    off[:3] = off[-3:] = 0.0
    return off


def jumps_of(model, coordinate, x, theirs, ours):
    """The places of a sweep where lengths of wrapped paths jump in OpenSim."""
    there, here = jump_sizes(theirs), jump_sizes(ours)
    for k, muscle in enumerate(model.muscles):
        bad = np.flatnonzero(there[:, k] > LEAST)
        if muscle.path.wraps and len(bad):
            for part in np.split(bad, np.flatnonzero(np.diff(bad) > TOGETHER) + 1):
                first, last = int(part[0]), int(part[-1])
                size = there[first : last + 1, k].max(), here[first : last + 1, k].max()
                yield OpenSimJump(muscle.name, coordinate, x[first], x[last + 1], len(part), *size)


def main(steps):
    """Print all jumps of all models with wraps."""
    import opensim

    opensim.Logger.setLevelString("off")
    folder = next(place for place in PLACES if place.is_dir())
    for path in sorted(folder.glob("*/*.osim")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = cd.load(path)
            if not any(m.path.wraps for m in model.muscles):
                continue
            if model.followers or model.constraints:
                print(f"{path.parent.name}/{path.stem}: left out, its coordinates follow others")
                continue
            print(f"{path.parent.name}/{path.stem}", flush=True)
            for coordinate in model.coordinates:
                x, q = sweep(model, coordinate, steps)
                try:
                    theirs = opensim_lengths(opensim, path, model, q)
                except RuntimeError:
                    print("  OpenSim does not open it")
                    break
                for j in jumps_of(model, coordinate, x, theirs, cd.muscles.lengths(model, q)):
                    where = f"{j.start:.4f}" if j.count == 1 else f"{j.start:.4f} to {j.end:.4f} ({j.count} times)"
                    sizes = f"{1e3 * j.theirs:.3f} mm in OpenSim, {1e3 * j.ours:.3f} mm here"
                    print(f"  {j.muscle} over {j.coordinate} at {where}: {sizes}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
