"""A leg with a spline knee and markers, a motion of it, and measurements with noise, for identification."""

from dataclasses import replace

import numpy as np

import condyle as cd
from condyle.identification.identify import problem_of

NOISE = 1e-3  # [m]
LONG = (-0.08, -0.06, -0.35), (0.08, 0.06, -0.05)  # where markers of thigh and shank are [m]


def knee(flexions=9):
    """A knee that rolls and glides: control frames of an evolving axis over 2.1 rad."""
    turns = np.linspace(0.0, 2.1, flexions)
    frames = cd.SE3.exp(np.stack([0 * turns, turns, *np.zeros((4, flexions))], axis=1)).as_matrix()
    frames[:, :3, 3] = np.stack([-0.012 * np.sin(turns), 0.002 * turns, 0.008 * (1 - np.cos(turns))], axis=1)
    return cd.joints.spline_curve(frames)


def start_leg():
    """Thigh (floating), shank on a spline knee, foot on a hinge; seven, seven and four markers."""
    rng = np.random.default_rng(11)
    box = cd.Inertia.box(3.0, (0.1, 0.1, 0.4))
    b = cd.ModelBuilder().add_body("thigh", None, cd.joints.free(), box)
    b.add_body("shank", "thigh", knee(), box, placement=cd.SE3.exp([0.0, 0, 0, 0, 0, -0.4]))
    b.add_body("foot", "shank", cd.joints.revolute("y"), box, placement=cd.SE3.exp([0, 0, 0, 0, 0, -0.38]))
    spots = {body: rng.uniform(*LONG, (5, 3)) for body in ("thigh", "shank")}
    spots["foot"] = rng.uniform(-0.09, 0.09, (4, 3))
    spots["thigh"] = np.concatenate([spots["thigh"], [[0, 0.05, -0.4], [0, -0.05, -0.4]]])  # epicondyles
    spots["shank"] = np.concatenate([spots["shank"], [[0.02, 0.05, -0.02], [0.02, -0.05, -0.02]]])  # plateau
    marked = (cd.Marker(f"{body}{k}", body, x) for body, places in spots.items() for k, x in enumerate(places))
    return replace(b.build(), markers=tuple(marked))


def motion(model, frames, seed=0):
    """A swinging thigh, a knee over all of its path, an ankle."""
    rng, s = np.random.default_rng(seed), np.linspace(0.0, 2 * np.pi, frames)
    q = np.zeros((frames, model.nq))
    steps = np.stack([a * np.sin(k * s + p) for a, k, p in zip(rng.uniform(0.1, 0.4, 6), (1, 2, 1, 3, 1, 2),
                                                               rng.uniform(0, 6, 6), strict=True)], axis=1)  # fmt: skip
    q[:, :7] = cd.integrate(model, np.tile(model.neutral(), (frames, 1)), np.pad(steps, ((0, 0), (0, 2))))[:, :7]
    low, high = model.bodies[1].joint.domain[0]
    q[:, 7] = low + (high - low) * (0.5 - 0.5 * np.cos(3 * s + 0.3))
    q[:, 8] = 0.4 * np.sin(2 * s)
    return q


def marker_positions(model, q):
    """Where markers are, by name, (F, 3)."""
    T = cd.forward_kinematics(model, q).as_matrix()
    at = {m.name: (model.body_index(m.body), m.at) for m in model.markers}
    return {name: T[:, i, :3, :3] @ x + T[:, i, :3, 3] for name, (i, x) in at.items()}


def measured(model, q, seed, noise=NOISE):
    """Positions with noise."""
    rng = np.random.default_rng(1000 + seed)
    return {name: x + noise * rng.normal(size=x.shape) for name, x in marker_positions(model, q).items()}


UNKNOWN = ("shank.frames", "foot.placement")


def true_leg(start, q, size=0.003):
    """Another leg that the unknowns can reach, and its numbers: control frames, ankle and markers moved a little."""
    problem = problem_of(start, marker_positions(start, q), UNKNOWN)
    y = size * np.random.default_rng(5).normal(size=problem.size)
    places = problem.places(y)
    marked = tuple(replace(m, at=places[i]) for i, m in enumerate(start.markers))
    return replace(problem.model_at(y), markers=marked), y


def path_errors(model, true, body="shank"):
    """Distances [m] and angles [rad] between the poses of two joints over the inner nine tenths of the path."""
    one, other = (m.bodies[m.body_index(body)].joint for m in (model, true))
    low, high = one.domain[0]
    at = np.linspace(low + 0.05 * (high - low), high - 0.05 * (high - low), 50)[:, None]
    between = np.linalg.inv(np.asarray(one.pose(at))) @ np.asarray(other.pose(at))
    cosine = 0.5 * (np.trace(between[:, :3, :3], axis1=1, axis2=2) - 1)
    return np.linalg.norm(between[:, :3, 3], axis=1), np.arccos(np.clip(cosine, -1, 1))
