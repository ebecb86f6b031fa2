"""Inertias, springs and shapes from motion and forces: derivatives, recovery, base parameters, plates, bad input."""

import warnings
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import errors
from condyle.identification.band_solver import banded_equations
from condyle.identification.identify_dynamics import _expanded, _problem
from condyle.identification.inertial_unknowns import Moment
from condyle.identification.motion_spline import Motion, TimeBasis, fitted_motion, moved
from support.driven_leg import (
    DAMPING,
    INERTIAS,
    REST,
    SIGMA,
    STIFFNESS,
    TENDON,
    lagrange,
    leg_twin,
    marked,
    motion,
    seen_markers,
    work_forces,
    work_terms,
)

SPRINGS = ("b1.stiffness", "b1.rest", "b1.damping", "springs[0].stiffness", "springs[0].damping", "springs[0].length")
WHOLE = ("b0.inertia", "b1.inertia", "b2.inertia")
ROUGH = tuple((1.2 * m, np.array(c) + 0.02, 1.3 * np.array(J)) for m, c, J in INERTIAS)


def rough(kind="universal"):
    """A start that is off in all of its numbers."""
    return leg_twin(kind, ROUGH, (4.0, 0.6, 0.5), (700.0, 8.0, 0.24)).model


@cache
def driven(kind="universal", frames=161, seconds=2.0):
    """Times, coordinates and forces of the true leg."""
    t = np.linspace(0.0, seconds, frames)
    twin = leg_twin(kind)
    return t, motion(t, twin.model, kind)[0], work_forces(twin, t, kind)


def plates(tau, model, q):
    """The push on the foot that leaves nothing to the root: what the thigh would need, moved through the world."""
    T = cd.forward_kinematics(model, q).as_matrix()[:, 0]
    force = (T[:, :3, :3] @ tau[:, 3:6, None])[..., 0]
    moment = (T[:, :3, :3] @ tau[:, :3, None])[..., 0] + np.cross(T[:, :3, 3], force)
    return force, np.zeros_like(force), moment


def test_virtual_work_of_differences_is_lagranges():
    """Oracle: the slow equations of `oracles.lagrangian` at two moments, for the data that all others start from."""
    t = np.array([0.3, 0.9])
    for kind in ("universal", "free"):
        twin = leg_twin(kind)
        state = motion(t, twin.model, kind)
        assert_allclose(work_forces(twin, t, kind), lagrange(twin, *state), atol=1e-6)


@pytest.mark.slow
def test_derivatives_are_those_of_all_residuals():
    """Oracle: central differences by every unknown and every coefficient of the motion, with plates and markers."""
    t, q, tau = driven("free", 24, 0.3)
    start = marked(rough("free"))
    ground = {"b2": plates(tau, start, q)}
    seen = cd.MeasuredMotion(t, q, tau, seen_markers(start, q, 0, 1e-3), ground,
                             {"torques": SIGMA, "markers": 1e-3, "coordinates": 0.01})  # fmt: skip
    for names in ((*WHOLE, *SPRINGS, "b1.frames", "b2.placement"), ("b0.scale", "b1.scale")):
        problem, at, _ = _problem(start, seen, _expanded(start, names), True, None, 0.1)
        rng = np.random.default_rng(0)
        y, h = 0.05 * rng.normal(size=problem.size), 1e-6
        y[problem.size - problem.markers.free.shape[1] :] *= 0.1
        basis = problem.basis
        at = moved(start, at, basis.jets(0.02 * rng.normal(size=(basis.count, start.nv))))
        parts = problem.linearized(at, y)

        def residual(dy, dz, at=at, y=y, basis=basis, problem=problem):
            found = problem.residuals(moved(start, at, basis.jets(dz)), y + dy)
            return np.concatenate([x.residuals.ravel() for x in found])

        none, still = np.zeros(problem.size), np.zeros((basis.count, start.nv))
        for k in range(problem.size):
            e = h * np.eye(problem.size)[k]
            expected = (residual(e, still) - residual(-e, still)) / (2 * h)
            got = np.concatenate([x.shared[..., k].ravel() for x in parts])
            assert_allclose(got, expected, rtol=0, atol=1e-5 * max(np.abs(expected).max(), 1.0))
        for _ in range(5):
            d = rng.normal(size=still.shape)
            expected = (residual(none, h * d) - residual(none, -h * d)) / (2 * h)
            jets = basis.jets(d)
            got = np.concatenate([sum(np.einsum("fncv,fv->fnc", s, jets[j]) for j, s in enumerate(x.slopes)).ravel()
                                  for x in parts])  # fmt: skip
            assert_allclose(got, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


@pytest.mark.slow
def test_the_covariance_is_that_of_all_unknowns_together():
    """Oracle: the dense inverse of the whole normal matrix, motion and shared numbers, from rows stacked by hand."""
    t, q, tau = driven("universal", 30, 0.6)
    start = rough()
    seen = cd.MeasuredMotion(t, q, tau, sigma={"torques": SIGMA, "coordinates": 0.005})
    problem, at, _ = _problem(start, seen, _expanded(start, ["b1.mass", "b1.damping"]), True, {"b1.mass": 0.3}, None)
    y = np.zeros(problem.size)
    rows = []
    for part in problem.linearized(at, y):
        N = np.zeros((3, len(t), problem.basis.count))
        for j in range(3):
            np.put_along_axis(N[j], problem.basis.places, problem.basis.values[j], axis=1)
        by_z = sum(np.einsum("fncv,fl->fnclv", s, N[j]) for j, s in enumerate(part.slopes))
        count = part.residuals.size
        rows.append(
            np.concatenate(
                [part.shared.reshape(count, problem.size), by_z.reshape(count, problem.basis.count * start.nv)], axis=1
            )
        )
    J = np.concatenate(rows)
    whole = J.T @ J
    whole[0, 0] += 0.3**-2
    expected = np.linalg.inv(whole)[: problem.size, : problem.size]
    assert_allclose(np.linalg.inv(banded_equations(problem, at, y, "squares", 0.0).schur), expected, rtol=1e-5)


@pytest.mark.slow
def test_everything_that_forces_depend_on_is_found():
    """Oracle: the leg that moved; the rank of the regressor of virtual work, a column for each pseudo-inertia."""
    t, q, tau = driven()
    seen = cd.MeasuredMotion(t, q, tau, sigma={"torques": SIGMA})
    found = cd.identify_dynamics(rough(), seen, unknown=[*WHOLE, *SPRINGS])
    assert found.converged and found.misfit["torques"] < 0.02
    for name, true in zip(SPRINGS, (STIFFNESS, REST, DAMPING, *TENDON), strict=True):
        assert_allclose(found.quantity(name).value, true, rtol=5e-3)
    slopes, bent = work_terms(leg_twin().model, t)
    g = np.zeros((4, 4))
    columns = []
    for b in range(3):
        for i in range(4):
            for j in range(i, 4):
                g[:] = 0.0
                g[i, j] = g[j, i] = 1.0
                push = np.einsum("fixy,yz,fxz->fi", slopes[:, :, b], g, bent[:, b])
                push -= np.einsum("fixy,y,x->fi", slopes[:, :, b, :3], g[:, 3], [0, 0, -9.81])
                columns.append(push.ravel())
    Y = np.array(columns).T
    sizes = np.linalg.svd(Y / np.linalg.norm(Y, axis=0).clip(1e-3), compute_uv=False)
    assert len(found.base) == np.sum(sizes > 1e-6 * sizes[0])
    assert any(" + " in x.name or " − " in x.name for x in found.base)
    assert not found.quantity("b1.mass").determined and np.isinf(found.quantity("b1.mass").deviation)
    assert any("moment" in words for words in found.open)
    alone = next(x for x in found.base if x.name == "b2.mx")
    assert_allclose(alone.value, INERTIAS[2][0] * INERTIAS[2][1][0], atol=2e-3)
    text = str(found)
    assert "base parameter" in text and "b1.damping" in text and "b1.damping" in found.report()


@pytest.mark.slow
def test_a_hinge_has_three_base_parameters():
    """Oracle: τ = Iyy θ̈ + g (mx cos θ − mz sin θ) …: the closed form of a pendulum."""
    t = np.linspace(0, 4, 200)
    q = np.stack([np.sin(2 * t) + 0.4 * np.sin(5 * t)], axis=1)
    a = -4 * np.sin(2 * t) - 10 * np.sin(5 * t)
    mx, mz, inertia = 0.3, -1.1, 0.7
    tau = inertia * a + 9.81 * (-mx * np.cos(q[:, 0]) - mz * np.sin(q[:, 0]))
    box = cd.Inertia(2.0, (0, 0, -0.3), (0.05, 0.05, 0.02))
    start = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=box).build()
    seen = cd.MeasuredMotion(t, q, {"bob": tau}, sigma={"torques": 0.05})
    found = cd.identify_dynamics(start, seen, unknown=["bob.inertia"])
    values = {x.name: (x.value, x.deviation) for x in found.base}
    assert set(values) == {"bob.mx", "bob.mz", "bob.Iyy"} and len(found.open) == 7
    assert_allclose([values[f"bob.{k}"][0] for k in ("mx", "mz", "Iyy")], [mx, mz, inertia], atol=1e-4)
    Y = np.stack([-9.81 * np.cos(q[:, 0]), -9.81 * np.sin(q[:, 0]), a], axis=1)
    expected = 0.05 * np.sqrt(np.diag(np.linalg.inv(Y.T @ Y)))
    assert_allclose([values[f"bob.{k}"][1] for k in ("mx", "mz", "Iyy")], expected, rtol=1e-3)


def test_moments_are_those_of_bodies_whatever_the_numbers():
    """Oracle: `cd.Inertia` refuses others; eigenvalues."""
    rng = np.random.default_rng(0)
    block = Moment("x", np.diag([0.05, 0.045, 0.006]), None)
    for _ in range(200):
        values = np.linalg.eigvalsh(block.value(rng.normal(size=6) * 2))
        assert values[0] > 0 and values[0] + values[1] > values[2] * (1 - 1e-9)
    assert_allclose(block.value(np.zeros(6)), np.diag([0.05, 0.045, 0.006]), atol=1e-15)


def test_motions_have_the_velocities_of_their_splines():
    """Oracle: differences in time of a free body's motion before and after a large step."""
    twin = leg_twin("free")
    model, n = twin.model, 200
    t = np.linspace(0.0, 1.0, 5 * n + 1)
    near = np.linspace(0.0, 1.0, 41)
    basis, fine = TimeBasis.of(near, 0.1), TimeBasis.of(t, 0.1)
    q = motion(near, model, "free")[0]
    z = basis.fitted(q)
    step = 0.3 * np.random.default_rng(0).normal(size=(basis.count, model.nv))
    at = fitted_motion(model, fine, fine.jets(z)[0] / _lengths(fine.jets(z)[0]))
    for found in (at, moved(model, at, fine.jets(step))):
        v = cd.difference(model, found.q[:-2], found.q[2:]) / (t[2] - t[0])
        assert_allclose(v[5:-5], found.v[6:-6], atol=1e-3 * np.abs(v).max())
        a = (found.v[2:] - found.v[:-2]) / (t[2] - t[0])
        assert_allclose(a[5:-5], found.a[6:-6], atol=1e-3 * np.abs(a).max())
    assert isinstance(found, Motion)


def _lengths(q):
    out = np.ones_like(q)
    out[:, :4] = np.linalg.norm(q[:, :4], axis=1, keepdims=True)
    return out


@pytest.mark.slow
def test_plates_alone_say_what_the_root_carries():
    """Oracle: the leg that moved: with no torque measured, six numbers of the root that nothing holds are enough."""
    t, q, tau = driven("free", 121, 1.5)
    model = leg_twin("free").model
    seen = cd.MeasuredMotion(t, q, {"b0": 0.0}, ground={"b2": plates(tau, model, q)}, sigma={"torques": 0.5})
    start = model.with_parameters({"b1.mass": 4.0, "b2.com": (0.03, 0.01, -0.02)})
    found = cd.identify_dynamics(start, seen, unknown=["b1.mass", "b2.com"])
    assert found.converged and not found.open and len(found.torque_names) == 6
    assert_allclose(found.quantity("b1.mass").value, INERTIAS[1][0], rtol=1e-4)
    assert_allclose(found.model.bodies[2].inertia.com, INERTIAS[2][1], atol=1e-4)


@pytest.mark.slow
def test_encoders_with_noise_and_wrong_torques_do_not_spoil_it():
    """Oracle: the true leg; taken as exact, noisy angles pull the mass away, and outliers do with squares."""
    t, q, tau = driven("universal", 161, 2.0)
    rng = np.random.default_rng(4)
    noisy, torque = q + 0.004 * rng.normal(size=q.shape), tau + SIGMA * rng.normal(size=tau.shape)
    torque[::12] += 15.0
    torque[5] = np.nan
    start = leg_twin().model.with_parameters({"b1.mass": 4.0})
    off, kinds = {}, {"exact": {}, "squares": {"coordinates": 0.004}, "huber": {"coordinates": 0.004}}
    for kind, more in kinds.items():
        seen = cd.MeasuredMotion(t, noisy, torque, sigma={"torques": SIGMA, **more})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loss = "huber" if kind == "huber" else "squares"
            found = cd.identify_dynamics(start, seen, unknown=["b1.mass", "b1.damping"], loss=loss)
        off[kind] = abs(found.quantity("b1.mass").value - INERTIAS[1][0])
        assert np.isnan(found.torque_residuals[5]).all()
    assert off["huber"] < 0.06 and off["huber"] < 0.5 * off["squares"] and off["huber"] < off["exact"]


@pytest.mark.slow
def test_a_knee_from_how_it_moves_and_what_it_takes():
    """Oracle: the true knee over seeds, from markers and torques; `benchmarks.driven_identification` has 20."""
    t, q, tau = driven("universal", 201, 2.0)
    model = marked(leg_twin().model)
    start = marked(leg_twin(constants=(4.0, 0.6, 0.5)).model.with_parameters({"b1.mass": 3.6}))
    names = "b1.mass", "b1.stiffness", "b1.rest", "b1.damping"
    squares, inside = [], []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        noisy = tau + SIGMA * rng.normal(size=tau.shape)
        torques = {"b0.first": noisy[:, 0], "b0.second": noisy[:, 1], "b1": noisy[:, 2]}
        seen = cd.MeasuredMotion(
            t, q, torques, seen_markers(model, q, seed, 1e-3), sigma={"torques": SIGMA, "markers": 1e-3}
        )
        found = cd.identify_dynamics(start, seen, unknown=["b1.frames", *names])
        part = found.of("b1.frames")
        assert found.converged and not found.open and any("b1.frames" in words for words in found.fixed)
        off = [found.quantity(n).value - x for n, x in zip(names, (3.2, STIFFNESS, REST, DAMPING), strict=True)]
        off = np.concatenate([found.values[part], off])
        spread = np.concatenate([found.deviations[part], [found.quantity(n).deviation for n in names]])
        squares.append((off / spread) ** 2)
        inside.append(np.abs(off) < 1.96 * spread)
    assert 0.6 < np.mean(squares) < 1.5 and np.mean(inside) > 0.85


def bad(**changes):
    """A call with something wrong."""
    t, q, tau = driven()
    given = {"times": t, "q": q, "torques": {"b1": tau[:, 2]}, "sigma": {"torques": SIGMA}}
    how = {"unknown": ["b1.mass"]}
    for name, x in changes.items():
        (given if name in ("times", "q", "torques", "sigma", "markers", "ground") else how)[name] = x
    return cd.identify_dynamics(how.pop("model", rough()), cd.MeasuredMotion(**given), **how)


def test_what_cannot_be_is_named():
    """Oracle: classes and names."""
    t, q, tau = driven()
    with pytest.raises(errors.UnknownName, match=r"b1\.mass"):
        bad(unknown=["b1.mas"])
    with pytest.raises(errors.UnknownName, match="b1"):
        bad(torques={"knee": tau[:, 2]})
    with pytest.raises(errors.BadValue, match="torques"):
        bad(sigma={})
    with pytest.raises(errors.UnknownName, match="torques"):
        bad(sigma={"torque": 0.1})
    with pytest.raises(errors.BadValue, match="rise"):
        bad(times=t[::-1])
    with pytest.raises(errors.BadShape, match="161"):
        bad(q=q[:-1])
    with pytest.raises(errors.BadShape, match="b1"):
        bad(torques={"b1": tau[:-1, 2]})
    with pytest.raises(errors.NotFinite, match="7"):
        bad(q=np.where(np.arange(len(q))[:, None] == 7, np.nan, q))
    with pytest.raises(errors.BadValue, match="NaN"):
        bad(torques={"b1": np.full(len(t), np.nan)})
    with pytest.raises(errors.BadValue, match="spacing"):
        bad(spacing=0.0)
    with pytest.raises(errors.BadValue, match="more frames"):
        bad(spacing=0.001, sigma={"torques": 1.0, "coordinates": 0.1})
    with pytest.raises(errors.UnknownName, match="prior"):
        bad(priors={"b2.mass": 0.1})
    with pytest.raises(errors.BadValue, match=r"b1\.mass"):
        bad(unknown=["b1.mass", "b1.inertia"])
    with pytest.raises(errors.UnknownName, match="b2"):
        bad(ground={"toe": (np.zeros((len(t), 3)),) * 2})
    with pytest.raises(errors.BadShape, match="force, point"):
        bad(ground={"b2": np.zeros((len(t), 6))})
    with pytest.raises(errors.BadValue, match="markers"):
        bad(model=marked(rough()), markers=seen_markers(marked(rough()), q, 0, 0.0))


def test_starts_that_no_body_has_are_refused():
    """Oracle: the class and the name of the number."""
    t = np.linspace(0, 1, 40)
    seen = cd.MeasuredMotion(t, np.sin(t)[:, None], {"bob": np.cos(t)}, sigma={"torques": 0.1})
    for inertia, name in (
        (cd.Inertia.point(1.0, (0, 0, -1)), "bob.moment"),
        (cd.Inertia(0.0, moment=np.zeros(3)), "bob.mass"),
    ):
        b = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=inertia).add_damping("bob", 0.0)
        with pytest.raises(errors.BadInertia, match=name):
            cd.identify_dynamics(b.build(), seen, unknown=[name])
        with pytest.raises(errors.BadValue, match=r"bob\.damping"):
            cd.identify_dynamics(b.build(), seen, unknown=["bob.damping"])


@pytest.mark.slow
def test_degrees_and_swapped_columns_are_noticed():
    """Oracle: the warning that residuals are not those of the noise, with the kind that is off."""
    _, q, tau = driven()
    with pytest.warns(errors.CondyleWarning, match="torques"):
        bad(torques={"b1": 1e3 * tau[:, 2]})  # newton millimetres
    with pytest.warns(errors.CondyleWarning, match="torques"):
        bad(torques={"b1": tau[:, 3]})  # the ankle's
    with pytest.warns(errors.CondyleWarning):
        bad(q=np.degrees(q))
