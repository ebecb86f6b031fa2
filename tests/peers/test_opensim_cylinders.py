"""Ways over cylinders: OpenSim's is a bent one, condyle's is the shortest, by a minimisation that knows neither."""

import warnings

import numpy as np
import pytest
from scipy.optimize import minimize

import condyle as cd
from support.laboratory import FOLDER

osim = pytest.importorskip("opensim")
from support.osim_muscles import Peer, poses  # noqa: E402
from support.osim_twin import twins  # noqa: E402

pytestmark = pytest.mark.peers

FILES = {"arm26": ["BRA", "TRImed", "TRIlat"], "WrapPathCustomJointMomentArmTest": ["vas_int_r"]}
CASES = [(stem, name) for stem, names in FILES.items() for name in names]


def opened(stem, folder):
    """Our model, and the same in OpenSim."""
    paths = sorted((FOLDER / "opensim").glob(f"**/{stem}.osim"))
    if not paths:
        pytest.skip(f"{stem}.osim is not here")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = cd.load(twins(paths[0], folder)[0])
    return ours, Peer(paths[0], folder, ours)


def drawn(peer, q, name, wrap):
    """Points of OpenSim's path in the frame of the cylinder (before it, two tangent ones, after it), and its length."""
    peer.set(q)
    path = peer.paths()[name]
    points = path.getCurrentPath(peer.state)
    X = np.array([points.get(k).getLocationInGround(peer.state).to_numpy() for k in range(points.getSize())])
    pose = cd.forward_kinematics(peer.ours, q)[peer.ours.body_index(wrap.body)].as_matrix() @ wrap.pose
    x = (X - pose[:3, 3]) @ pose[:3, :3]
    on = np.flatnonzero(np.abs(np.hypot(x[:, 0], x[:, 1]) - wrap.sizes["radius"]) < 1e-12)
    straight = np.linalg.norm(np.diff(np.delete(x, on[1:], axis=0), axis=0), axis=1)  # parts that do not touch it
    rest = straight.sum() - straight[on[0] - 1] - straight[on[0]]
    return x[on[0] - 1 : on[1] + 2], path.getLength(peer.state) - rest


def over(p, end, r, x, turn):
    """A line, a helix, a line: the length by the angles and heights of its tangent points x = (φ₁, z₁, φ₂, z₂)."""
    a, b = (np.array([r * np.cos(f), r * np.sin(f), z]) for f, z in (x[:2], x[2:]))
    return np.linalg.norm(a - p) + np.hypot(r * turn * (x[2] - x[0]), b[2] - a[2]) + np.linalg.norm(end - b)


def shortest(p, end, r, x, turn):
    """The least length over points that the lines reach without going through the cylinder, by scipy.

    From p all generators are seen up to the tangent one, at an angle of acos(r / ρ) from p's own.
    """
    first = np.arctan2(p[1], p[0]) + turn * np.arccos(r / np.hypot(p[0], p[1]))
    last = np.arctan2(end[1], end[0]) - turn * np.arccos(r / np.hypot(end[0], end[1]))
    first, last = (f + 2 * np.pi * np.round((g - f) / (2 * np.pi)) for f, g in ((first, x[0]), (last, x[2])))
    free = [(None, None)]
    seen = [sorted([first - 0.5 * turn, first]), *free, sorted([last, last + 0.5 * turn]), *free]
    cost = lambda y: over(p, end, r, [y[0], r * y[1], y[2], r * y[3]], turn) / r  # noqa: E731
    start = [first - 0.3 * turn, x[1] / r, last + 0.3 * turn, x[3] / r]
    return r * minimize(cost, start, method="L-BFGS-B", jac="3-point", bounds=seen, options={"ftol": 1e-16}).fun


def kinks(x, r, turned):
    """By how much the climb changes at the tangent points, from a line to the arc and to the next line."""
    rise = np.diff(x[:, 2])
    across = [np.hypot(*(x[1] - x[0])[:2]), r * turned, np.hypot(*(x[3] - x[2])[:2])]
    return np.diff(rise / across)


@pytest.mark.parametrize(("stem", "name"), CASES)
def test_where_lengths_differ_opensim_s_way_has_kinks_and_ours_is_the_shortest(stem, name, tmp_path):
    """Oracles: OpenSim's own points, which give its length and are no geodesic, and the least length by scipy."""
    ours, peer = opened(stem, tmp_path)
    k = cd.muscles.names(ours).index(name)
    wrap = next(w for w in ours.wraps if w.name == ours.muscles[k].path.wraps[0].wrap_object)
    Q, r = poses(ours, 200), wrap.sizes["radius"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        found = cd.muscles.lengths(ours, Q)[:, k]
    more = peer.lengths(Q)[:, k] - found
    assert more.min() > -1e-12
    apart = np.argsort(-more)[: (more > 1e-6).sum() : 6]
    assert len(apart) > 5
    for i in apart:
        x, length = drawn(peer, Q[i], name, wrap)
        a, b = np.arctan2(x[1:3, 1], x[1:3, 0])
        turn = np.sign(x[0, 0] * x[1, 1] - x[0, 1] * x[1, 0])
        turned = turn * (b - a) % (2 * np.pi)
        at = np.array([a, x[1, 2], a + turn * turned, x[2, 2]])
        assert over(x[0], x[3], r, at, turn) == pytest.approx(length, abs=1e-12)  # its points are all that differs
        assert np.abs(kinks(x, r, turned)).max() > 1e-3
        least = shortest(x[0], x[3], r, at, turn)
        assert -1e-12 < least - (length - more[i]) < 1e-7  # scipy's search ends just above our length
