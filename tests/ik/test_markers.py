"""Inverse kinematics of measured markers, which no pose of the model meets exactly."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import least_squares

import condyle as cd
from condyle.ik import search

BOX = cd.Inertia.box(1.0, (0.1, 0.1, 0.3))
FRAMES = 12


def person():
    """A free pelvis, a trunk and four limbs: 37 degrees of freedom."""
    b, at = cd.ModelBuilder(), cd.SE3.from_translation
    b.add_body("pelvis", joint=cd.joints.free(), inertia=BOX)
    b.add_body("trunk", "pelvis", cd.joints.ball(), BOX, at((0, 0, 0.1)))
    for side, y in (("r", -1), ("l", 1)):
        b.add_body(f"thigh_{side}", "pelvis", cd.joints.ball(), BOX, at((0, 0.1 * y, 0)))
        b.add_body(f"shank_{side}", f"thigh_{side}", cd.joints.revolute("y"), BOX, at((0, 0, -0.42)))
        b.add_body(f"foot_{side}", f"shank_{side}", cd.joints.universal("y", "x"), BOX, at((0, 0, -0.43)))
        b.add_body(f"toes_{side}", f"foot_{side}", cd.joints.revolute("y"), BOX, at((0.15, 0, -0.03)))
        b.add_body(f"upper_{side}", "trunk", cd.joints.ball(), BOX, at((0, 0.18 * y, 0.4)))
        b.add_body(f"fore_{side}", f"upper_{side}", cd.joints.universal("y", "z"), BOX, at((0, 0, -0.3)))
        b.add_body(f"hand_{side}", f"fore_{side}", cd.joints.universal("x", "y"), BOX, at((0, 0, -0.25)))
        b.set_range(f"shank_{side}", low=-0.05, high=2.0)
    return b.build()


def recording(model, noise, count=FRAMES):
    """Coordinates of a motion, and for each body three markers on it (3, 3) and where they were seen (T, 3, 3)."""
    rng, t = np.random.default_rng(0), np.linspace(0, 1, count)
    size, phase = 0.25 * rng.normal(size=model.nv), rng.uniform(0, 6, model.nv)
    moves = size * np.sin(3 * t[:, None] + phase)
    q = cd.integrate(model, np.array([model.neutral()] * count), moves)
    low, high = np.array([model.range_of(n) for n in ("shank_r", "shank_l")]).T
    places = [model.place_of(n)[1] for n in ("shank_r", "shank_l")]
    q[:, places] = np.clip(q[:, places], low, high)
    T = cd.forward_kinematics(model, q).as_matrix()
    at = 0.08 * rng.normal(size=(len(model.bodies), 3, 3))
    xyz = np.einsum("tbij,bkj->tbki", T[:, :, :3, :3], at) + T[:, :, None, :3, 3]
    return q, at, xyz + noise * rng.normal(size=xyz.shape)


def targets(model, at, xyz):
    return [cd.ik.points(b.name, at[i], xyz[:, i]) for i, b in enumerate(model.bodies)]


def gaps(model, q, at, xyz):
    """Where the markers are less where they were seen, (T, rows), from the poses of the bodies."""
    T = cd.forward_kinematics(model, q).as_matrix()
    x = np.einsum("tbij,bkj->tbki", T[:, :, :3, :3], at) + T[:, :, None, :3, 3]
    return (x - xyz).reshape(len(q), -1)


def relative_gradient(model, q, at, xyz):
    """The gradient of ½|r|² over |J| |r|, (T, nv), by central differences along cd.integrate."""
    h = 1e-6
    moved = [[gaps(model, cd.integrate(model, q, s * h * e), at, xyz) for s in (1, -1)] for e in np.eye(model.nv)]
    J = np.stack([(ahead - behind) / (2 * h) for ahead, behind in moved], axis=-1)
    r = gaps(model, q, at, xyz)
    return np.einsum("tri,tr->ti", J, r) / (np.linalg.norm(J, axis=(1, 2)) * np.linalg.norm(r, axis=1))[:, None]


def no_newton(*_):
    raise AssertionError("Newton's method is not needed here")


@pytest.mark.parametrize("noise", [0.002, 0.01])
@pytest.mark.parametrize("method", ["damped", "qp"])
def test_measured_markers_end_at_a_stationary_point_without_newton(noise, method, monkeypatch):
    """Oracle: the projected gradient by differences of forward kinematics; Newton's method and its second derivatives
    are forbidden."""
    monkeypatch.setattr(search, "polished", no_newton)
    monkeypatch.setattr(search, "off_saddles", no_newton)
    model = person()
    q, at, xyz = recording(model, noise, FRAMES if method == "damped" else 3)
    found = cd.ik.solve(model, targets(model, at, xyz), q[0], method=method)
    assert found.stationary.all() and not found.reached.any()
    slope = relative_gradient(model, found.q, at, xyz)
    for name in ("shank_r", "shank_l"):  # against a limit the gradient may point outwards
        _, place, column = model.place_of(name)
        low, high = model.range_of(name)
        slope[:, column] = np.where(found.q[:, place] <= low + 1e-12, np.minimum(slope[:, column], 0), slope[:, column])
        slope[:, column] = np.where(
            found.q[:, place] >= high - 1e-12, np.maximum(slope[:, column], 0), slope[:, column]
        )
    assert np.abs(slope).max() < 1e-8
    assert_allclose(found.residual, np.linalg.norm(gaps(model, found.q, at, xyz), axis=1), rtol=1e-12)


def test_no_lower_place_is_found_by_another_solver():
    """Oracle: scipy's trust-region least squares from the answer and from the true motion."""
    model = person()
    q, at, xyz = recording(model, 0.01, 2)
    found = cd.ik.solve(model, targets(model, at, xyz), q[0], limits=False)

    def residuals(dv, start, k):
        return gaps(model, cd.integrate(model, start, dv)[None], at, xyz[k : k + 1])[0]

    for k in range(2):
        for start in (found.q[k], q[k]):
            other = least_squares(residuals, np.zeros(model.nv), args=(start, k), xtol=1e-12, ftol=1e-12)
            assert np.sqrt(2 * other.cost) > found.residual[k] * (1 - 1e-9)


def test_a_motion_followed_frame_by_frame_is_the_same():
    """Oracle: the batch from one start."""
    model = person()
    q, at, xyz = recording(model, 0.005)
    wanted = targets(model, at, xyz)
    together, along = cd.ik.solve(model, wanted, q[0]), cd.ik.follow(model, wanted, q[0])
    assert_allclose(along.residual, together.residual, rtol=1e-9)
    assert along.stationary.all()


def test_markers_on_a_model_with_coupled_coordinates_need_no_newton_either(monkeypatch):
    """Oracle: the gradient along the coupling by differences; the coupling by hand."""
    monkeypatch.setattr(search, "polished", no_newton)
    monkeypatch.setattr(search, "off_saddles", no_newton)
    b, out = cd.ModelBuilder(), cd.SE3.from_translation((0.3, 0, 0))
    for name, parent in (("a", None), ("b", "a"), ("c", "b")):
        b.add_body(name, parent, cd.joints.revolute("z"), BOX, out)
    b.add_constraint(cd.constraints.couple("c", "b", ratio=0.5))
    model = b.build()
    at = np.array([[0.1, 0.05, 0.0], [0.2, -0.05, 0.0]])
    T = cd.forward_kinematics(model, [0.4, 0.6, 0.3]).as_matrix()
    noise = 0.01 * np.random.default_rng(0).normal(size=(3, 2, 3))
    seen = np.einsum("bij,kj->bki", T[:, :3, :3], at) + T[:, None, :3, 3] + noise
    found = cd.ik.solve(model, [cd.ik.points(n, at, seen[i]) for i, n in enumerate("abc")], [0.1, 0.2, 0.1])
    assert found.stationary and abs(found.q[2] - 0.5 * found.q[1]) < 1e-10

    def cost(x):
        T = cd.forward_kinematics(model, [x[0], x[1], 0.5 * x[1]]).as_matrix()
        return 0.5 * np.sum((np.einsum("bij,kj->bki", T[:, :3, :3], at) + T[:, None, :3, 3] - seen) ** 2)

    x, h = found.q[:2], 1e-5
    slope = [(cost(x + h * e) - cost(x - h * e)) / (2 * h) for e in np.eye(2)]
    assert np.abs(slope).max() < 1e-9
