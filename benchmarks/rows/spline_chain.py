"""(f) Chains of cubic spline-curve joints over `pin.aba` on the revolute chain of the same length, and their tables."""

import numpy as np
import pinocchio as pin
from scipy.spatial.transform import Rotation

import condyle as cd

from ..engines import in_condyle
from ..table import Row
from ..timing import Timed, compare
from .chains import Chain

__all__ = ["measure"]


def curve(frames, seed=0):
    """A wavy screw with `frames` control frames and uneven knots, half a turn long in q for any number of frames."""
    rng = np.random.default_rng(seed)
    s = np.linspace(0, 1, frames)
    poses = np.tile(np.eye(4), (frames, 1, 1))
    turn = np.stack([0.3 * np.sin(5 * s), 0.3 * np.cos(4 * s), 2 * s], axis=-1)
    poses[:, :3, :3] = Rotation.from_rotvec(turn).as_matrix()
    poses[:, :3, 3] = 0.2 * np.stack([s, np.sin(3 * s), np.cos(3 * s)], axis=-1)
    knots = np.concatenate([[0], np.cumsum(rng.uniform(0.5, 1.5, frames + 3))])
    low, high = knots[3], knots[frames]
    return cd.joints.spline_curve(poses, knots=(knots - low) / (high - low) * np.pi)


def on_curves(chain, joints):
    """The chain with its hinges replaced, at random places of the curves."""
    model = in_condyle.model(chain.mechanism, joints)
    rng = np.random.default_rng(1)
    q, v, tau = rng.uniform(0, np.pi, (chain.size, chain.count)), *chain.states[1:]
    return Timed(lambda: cd.forward_dynamics(model, q, v, tau), chain.size)


def measure():
    for count in (8, 30, 100):
        chain = Chain(count)
        pace = compare(on_curves(chain, [curve(12)] * count), chain.theirs(pin.aba))
        note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs"
        yield Row("f", f"spline-curve chain over pin.aba on hinges, {count} bodies", pace.ratio, "x", 3.5, note=note)
    yield from tables()


def tables(count=8):
    """What many control frames cost: links alike share one table, links of different shape have a table each."""
    alike, different = Chain(count, alike=True), Chain(count)
    shared = compare(*(on_curves(alike, [curve(frames)] * count) for frames in (8, 8000)))
    yield Row("f", "8,000 over 8 control frames, one curve for all links", shared.ratio, "x", 1.2, at_most=True)
    own = compare(*(on_curves(different, [curve(frames, i) for i in range(count)]) for frames in (8, 8000)))
    yield Row("f", "8,000 over 8 control frames, a table for each link", own.ratio, "x")
