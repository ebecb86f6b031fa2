"""Models for the variational integrator, and a few steps of one of them as a script: `python … out.npz`."""

import sys

import numpy as np
from scipy.linalg import expm

import condyle as cd
from condyle import joints


def moved(x, y, z, turn=(0.0, 0.0, 0.0)):
    """A pose: shifted, then turned by a rotation vector."""
    a, b, c = turn
    T = np.eye(4)
    T[:3, :3] = expm(np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]], dtype=float))
    T[:3, 3] = x, y, z
    return T


def loop(count=12, order=6):
    """A smooth closed wire of poses, order 6: C4."""
    turns = np.linspace(0, 2 * np.pi, count, endpoint=False)
    frames = [
        moved(0.5 * np.cos(s), 0.1 * np.sin(2 * s), 0.4 * np.sin(s), (0.3 * np.cos(s), 0.2 * np.sin(s), 0))
        for s in turns
    ]
    return joints.spline_curve(np.array(frames), order=order, periodic=True)


def flower(count=30, petals=5, depth=0.35):
    """A bead that follows a flower with sharp petals in a vertical plane, tangent to it."""
    s = np.linspace(0, 2 * np.pi, count, endpoint=False)
    r, slope = 1 + depth * np.cos(petals * s), -depth * petals * np.sin(petals * s)
    x, y = r * np.cos(s), r * np.sin(s)
    angle = np.arctan2(slope * np.sin(s) + r * np.cos(s), slope * np.cos(s) - r * np.sin(s))
    frames = np.array([moved(a, 0, b, (0, -c, 0)) for a, b, c in zip(x, y, angle, strict=True)])
    joint = joints.spline_curve(frames, order=6, periodic=True)
    return cd.ModelBuilder().add_body("bead", None, joint, cd.Inertia.box(1.0, [0.02] * 3)).build()


def wire():
    """A body on a smooth wire."""
    return cd.ModelBuilder().add_body("bead", None, loop(), box(1.0, 0.05)).build()


def box(mass, x=0.0):
    """A box whose centre of mass is off its origin."""
    return cd.Inertia.box(mass, [0.1, 0.2, 0.3], com=[x, 0, -0.2])


def chain():
    """A universal joint that carries an elliptic one (a builder)."""
    builder = cd.ModelBuilder()
    builder.add_body("upper", None, joints.universal("x", "y"), box(1.0))
    return builder.add_body("lower", "upper", joints.elliptic(0.3, 0.2), box(0.7, 0.1), placement=moved(0, 0, -0.4))


def floating():
    """A free body that carries a ball, and a revolute that carries a spline joint; no gravity."""
    builder = cd.ModelBuilder(gravity=(0, 0, 0))
    builder.add_body("root", None, joints.free(), box(1.0, 0.05))
    builder.add_body("ball", "root", joints.ball(), box(0.7, 0.1), placement=moved(0, 0, -0.3))
    builder.add_body("hinge", "root", joints.revolute("y"), box(0.5, 0.1), placement=moved(0, 0.1, 0.3))
    builder.add_body("slider", "hinge", loop(), box(0.4, 0.02), placement=moved(0, 0.1, 0.3))
    return builder.build()


def floating_state(seed=0):
    """Coordinates and velocities of order one of the floating tree."""
    model = floating()
    q = model.neutral()
    q[-2:] = 0.3, 1.0
    return q, np.random.default_rng(seed).normal(size=model.nv)


def few_steps():
    """(q, v) of the floating tree after eight steps."""
    traj = cd.simulate(floating(), *floating_state(), duration=0.08, step=0.01, integrator="variational")
    return traj.q, traj.v


if __name__ == "__main__":
    np.savez(sys.argv[1], *few_steps())
