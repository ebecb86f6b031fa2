"""The same .osim file in OpenSim and in condyle, at random states: poses, velocities, mass matrix, inverse dynamics."""

import re
import warnings
from dataclasses import replace

import numpy as np
import opensim as osim

import condyle as cd

osim.Logger.setLevelString("Off")
ROUNDED = re.compile(r"<((?:location|orientation)(?:_in_parent|_in_child)?|inertia_[xyz]{2})>([^<]*)<")


def twins(path, folder):
    """Copies of a file that the two engines read alike.

    Before version 4 OpenSim rounds the offsets of joints and moments of inertia to six digits when it reads a file:
    condyle's copy is rounded so. OpenSim 4.6 refuses muscles with less than its least activation: that is left out of
    its copy.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    old = int(re.search(r'Version="(\d+)"', text)[1]) < 30600
    ours, theirs = folder / "ours.osim", folder / "theirs.osim"
    ours.write_text(ROUNDED.sub(rounded, text) if old else text)
    theirs.write_text(re.sub(r"<(minimum_activation|min_control)>[^<]*</\1>", "", text))
    return ours, theirs


def rounded(match):
    numbers = " ".join(f"{float(x):.6g}" for x in match[2].split())
    return f"<{match[1]}>{numbers}<"


def in_condyle(path):
    """The tree of the file under gravity: nothing locked, no loads, no constraints."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = cd.load(path, couplers="constraint")
    return replace(model, prescribed={}, constraints=(), forces=())


def in_opensim(path):
    """The model and its state with all forces off, and [(place in q, name)] of its coordinates."""
    model = osim.Model(str(path))
    state = model.initSystem()
    for force in filter(None, map(osim.Force.safeDownCast, model.getComponentsList())):
        force.setAppliesForce(state, False)
    return model, state, sorted(places_in_q(model, state))


def places_in_q(model, state):
    """(Index in q, name) of every coordinate, found by moving it; q has room for quaternions that are not used."""
    for k in range(model.getNumCoordinates()):
        coordinate = model.getCoordinateSet().get(k)
        coordinate.setLocked(state, False)
        coordinate.setIsPrescribed(state, False)
        before = state.getQ().to_numpy().copy()
        coordinate.setValue(state, coordinate.getValue(state) + 0.125, False)
        yield int(np.flatnonzero(state.getQ().to_numpy() != before)[0]), coordinate.getName()


def vector(values):
    """A SimTK vector."""
    out = osim.Vector(len(values), 0.0)
    for k, x in enumerate(values):
        out.set(k, float(x))
    return out


def rate_matrix(model, state, places):
    """N of q̇ = N u."""
    n = state.getNU()
    columns = []
    for k in range(n):
        out = osim.Vector(state.getNQ(), 0.0)
        model.getMatterSubsystem().multiplyByN(state, False, vector(np.eye(n)[k]), out)
        columns.append(out.to_numpy())
    return np.array(columns).reshape(n, state.getNQ()).T[places]


def mass_matrix(model, state):
    matrix = osim.Matrix()
    model.getMatterSubsystem().calcM(state, matrix)
    return matrix.to_numpy().reshape(state.getNU(), state.getNU())


def random_q(model, rng):
    """Within the ranges, or a radian or metre where they are wider; rotations stay away from the poles of angles."""
    ends = np.array([model.range_of(c) for c in model.coordinates]).reshape(-1, 2)
    low, high = np.clip(ends, -1.2, 1.2).T
    return rng.uniform(np.minimum(low, high - 1e-3), np.maximum(high, low + 1e-3))


def errors(path, folder, states=3, seed=0):
    """The largest differences of poses, velocities, mass matrix (relative) and inverse dynamics at rest (relative)."""
    own, other = twins(path, folder)
    ours = in_condyle(own)
    theirs, state, known = in_opensim(other)
    rng, found = np.random.default_rng(seed), np.zeros(4)
    places, columns = [k for k, _ in known], [ours.q_index(name) for _, name in known]
    for _ in range(states):
        q, v, a = random_q(ours, rng), rng.normal(size=ours.nv), rng.normal(size=ours.nv)
        found = np.maximum(found, at_state(ours, theirs, state, (places, columns), (q, v, a)))
    return dict(zip(("pose", "velocity", "mass matrix", "inverse dynamics"), found.tolist(), strict=True))


def at_state(ours, theirs, state, where, qva):
    """The four differences at one state; `where` has the places of coordinates in their q and in ours."""
    places, columns = where
    q, v, a = (x[columns] for x in qva)
    slots = np.zeros(state.getNQ())
    slots[places] = q
    state.setQ(vector(slots))
    theirs.realizePosition(state)
    N = rate_matrix(theirs, state, places)
    state.setU(vector(np.linalg.solve(N, v)))
    theirs.realizeVelocity(state)
    poses, turns = kinematics(ours, theirs, state, qva[0], qva[1])
    if not len(q):
        return np.array([poses, turns, 0.0, 0.0])
    M = mass_matrix(theirs, state)
    mine = N.T @ cd.mass_matrix(ours, qva[0])[np.ix_(columns, columns)] @ N
    state.setU(vector(np.zeros(len(q))))
    theirs.realizeVelocity(state)
    tau = osim.InverseDynamicsSolver(theirs).solve(state, vector(np.linalg.solve(N, a))).to_numpy()
    own = N.T @ cd.inverse_dynamics(ours, qva[0], np.zeros(ours.nv), qva[2])[columns]
    pairs = ((M, mine), (tau, own))
    return np.array([poses, turns, *(np.abs(x - y).max() / (np.abs(x).max() or 1.0) for x, y in pairs)])


def acceleration_error(path, folder, states=3, seed=1):
    """The largest difference of accelerations of coordinates under gravity alone, of the largest of them."""
    own, other = twins(path, folder)
    ours = in_condyle(own)
    theirs, state, known = in_opensim(other)
    for k in range(theirs.getConstraintSet().getSize()):
        theirs.getConstraintSet().get(k).setIsEnforced(state, False)
    rng, worst = np.random.default_rng(seed), 0.0
    places, columns = [k for k, _ in known], [ours.q_index(name) for _, name in known]
    for _ in range(states if known else 0):
        q, v = random_q(ours, rng), rng.normal(size=ours.nv)
        slots = np.zeros(state.getNQ())
        slots[places] = q[columns]
        state.setQ(vector(slots))
        theirs.realizePosition(state)
        state.setU(vector(np.linalg.solve(rate_matrix(theirs, state, places), v[columns])))
        theirs.realizeAcceleration(state)
        there = state.getQDotDot().to_numpy()[places]
        found = cd.forward_dynamics(ours, q, v)[columns]
        worst = max(worst, np.abs(found - there).max() / (np.abs(there).max() or 1.0))
    return worst


def kinematics(ours, theirs, state, q, v):
    """The largest differences of poses and of velocities over all bodies."""
    poses = np.asarray(cd.forward_kinematics(ours, q).as_matrix())
    worst, bodies = np.zeros(2), {other.getName(): other for other in theirs.getBodyList()}
    for i, body in enumerate(ours.bodies):
        other = bodies[body.name]
        X, V = other.getTransformInGround(state), other.getVelocityInGround(state)
        R = np.array([[X.R().get(r, c) for c in range(3)] for r in range(3)])
        p = np.array([X.p().get(r) for r in range(3)])
        there = np.array([[V.get(k).get(r) for r in range(3)] for k in range(2)]).ravel()
        own = np.kron(np.eye(2), poses[i, :3, :3]) @ (cd.body_jacobian(ours, q, body.name) @ v)
        far = max(np.abs(poses[i, :3, :3] - R).max(), np.abs(poses[i, :3, 3] - p).max())
        worst = np.maximum(worst, [far, np.abs(own - there).max()])
    return np.maximum(worst, [farthest_marker(ours, theirs, state, poses), 0.0])


def farthest_marker(ours, theirs, state, poses):
    """The largest difference between places of markers."""
    known, far = theirs.getMarkerSet(), [0.0]
    for marker in ours.markers:
        pose = np.eye(4) if marker.body is None else poses[ours.body_index(marker.body)]
        there = known.get(marker.name).getLocationInGround(state)
        far.append(np.abs((pose @ [*marker.at, 1.0])[:3] - [there.get(k) for k in range(3)]).max())
    return max(far)
