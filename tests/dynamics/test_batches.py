"""A batch is its states: bitwise the same in any company, and each with a status of its own."""

import os
import subprocess
import sys

import numpy as np
import pytest

import condyle as cd
from condyle import errors
from twins.trees import MIXED, twin

KINDS = (*MIXED, ("ball", 4), ("free", -1))


@pytest.fixture(scope="module")
def mixed():
    """A model with many joint kinds, and states for it."""
    made = twin(KINDS, np.random.default_rng(11))
    model = made.model
    rng = np.random.default_rng(12)
    pairs = [made.state(rng) for _ in range(67)]
    q, v = (np.stack(x) for x in zip(*pairs, strict=True))
    return model, q, v, rng.normal(size=(67, model.nv))


@pytest.fixture(scope="module")
def bounded():
    """A slider on a curve that must not leave its domain, and states of which the second does."""
    frames = cd.SE3.exp([[0, 0, 0.3 * k, 0.1 * k, 0, 0] for k in range(6)])
    joint = cd.joints.spline_curve(frames, outside="error", name="s")
    model = cd.ModelBuilder().add_body("bead", None, joint, cd.Inertia.sphere(1.0, 0.1, com=(0, 0, 0.1))).build()
    return model, np.array([[1.0], [9.0], [2.0]]), np.full((3, 1), 0.3)


CALLS = {
    "forward_dynamics": lambda m, q, v, **o: cd.forward_dynamics(m, q, v, v, **o),
    "inverse_dynamics": lambda m, q, v, **o: cd.inverse_dynamics(m, q, v, v, **o),
    "mass_matrix": lambda m, q, v, **o: cd.mass_matrix(m, q, **o),
    "center_of_mass": lambda m, q, v, **o: cd.center_of_mass(m, q, **o),
    "momentum": lambda m, q, v, **o: cd.momentum(m, q, v, **o).linear,
    "energy": lambda m, q, v, **o: cd.energy(m, q, v, **o).total,
    "derivatives": lambda m, q, v, **o: cd.inverse_dynamics_derivatives(m, q, v, v, **o).dq,
}


@pytest.mark.parametrize("call", list(CALLS))
def test_states_outside_of_a_domain_are_named_or_nan(bounded, call):
    """Oracle: the states inside by themselves, bitwise."""
    model, q, v = bounded
    with pytest.raises(errors.OutsideDomain, match=r"state \[1\] \(1 of 3 states failed\)"):
        CALLS[call](model, q, v)
    found = CALLS[call](model, q, v, on_failure="nan")
    assert np.isnan(found[1]).all()
    np.testing.assert_array_equal(found[[0, 2]], CALLS[call](model, q[[0, 2]], v[[0, 2]]))
    assert np.isnan(CALLS[call](model, q[1], v[1], on_failure="nan")).all()


def test_a_result_does_not_depend_on_the_company_it_is_in(mixed):
    """Oracle: bitwise equality over batch sizes, positions and thread counts."""
    model, q, v, tau = mixed
    whole = cd.forward_dynamics(model, q, v, tau, threads=1)
    for threads in (2, 5):
        assert np.array_equal(cd.forward_dynamics(model, q, v, tau, threads=threads), whole)
    for start, stop in ((0, 1), (3, 5), (7, 30), (60, 67)):
        part = cd.forward_dynamics(model, q[start:stop], v[start:stop], tau[start:stop])
        assert np.array_equal(part, whole[start:stop])
    order = np.random.default_rng(0).permutation(67)
    assert np.array_equal(cd.forward_dynamics(model, q[order], v[order], tau[order]), whole[order])


def test_one_state_agrees_with_its_lane(mixed):
    """Oracle: the same source on float64 and on lanes."""
    model, q, v, tau = mixed
    whole = cd.forward_dynamics(model, q, v, tau)
    single = np.array([cd.forward_dynamics(model, *s) for s in zip(q, v, tau, strict=True)])
    np.testing.assert_allclose(whole, single, rtol=1e-12, atol=1e-12 * np.abs(single).max())


def test_any_leading_shape_broadcasts(mixed):
    model, q, v, tau = mixed
    out = cd.forward_dynamics(model, q[:6].reshape(2, 3, -1), v[0], tau[:3])
    assert out.shape == (2, 3, model.nv)
    np.testing.assert_array_equal(out[1, 2], cd.forward_dynamics(model, q[[5]], v[[0]], tau[[2]])[0])
    assert cd.forward_dynamics(model, q[:0], v[0]).shape == (0, model.nv)


def planar_at_rank_loss():
    """A universal joint whose second axis is turned onto the first: at ±90 degrees a column is lost in compose."""
    b = cd.ModelBuilder()
    joint = cd.joints.compose(cd.joints.revolute("z"), cd.joints.revolute("y"), cd.joints.revolute("x"))
    b.add_body("gimbal", joint=joint, inertia=cd.Inertia.sphere(1.0, 0.1))
    return b.build()


def test_lost_rank_is_named_and_the_others_go_on():
    model = planar_at_rank_loss()
    q = np.zeros((20, 3))
    q[13, 1] = np.pi / 2
    with pytest.raises(errors.RankLost, match=r"state \[13\] \(1 of 20 states failed\).*'gimbal'.*lost rank"):
        cd.forward_dynamics(model, q, np.zeros(3))
    out = cd.forward_dynamics(model, q, np.zeros(3), on_failure="nan")
    assert np.isnan(out[13]).all() and np.isfinite(np.delete(out, 13, axis=0)).all()
    with pytest.raises(errors.RankLost, match=r"^joint 'gimbal'"):
        cd.forward_dynamics(model, q[13], np.zeros(3))


@pytest.mark.parametrize("wild", [1e6, -1e6, 1e300, -1e300])
@pytest.mark.parametrize("lane", range(8))
def test_wild_coordinates_in_any_lane_hurt_nobody_else(mixed, wild, lane):
    """A status, never a crash; the other lanes are bitwise what they were."""
    model, q, v, _ = mixed
    q = q[:8].copy()
    calm = cd.forward_dynamics(model, q, v[:8])
    spline = next(b.joint_name for b in model.bodies if np.isfinite(b.joint.domain).any())
    i = model.names.index(next(b.name for b in model.bodies if b.joint_name == spline))
    q[lane, model.joint_starts[i][0]] = wild
    out = cd.forward_dynamics(model, q, v[:8], on_failure="nan")
    rest = np.arange(8) != lane
    assert np.array_equal(out[rest], calm[rest])


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda a: a.update(q=a["q"][:-1]), errors.BadShape, r"q must have shape \(\.\.\., \d+\).*got"),
        (lambda a: a.update(v=np.zeros(3)), errors.BadShape, r"v must have shape"),
        (lambda a: a.update(tau=np.zeros((4, 1))), errors.BadShape, r"tau must have shape"),
        (lambda a: a.update(wrenches=np.zeros(6)), errors.BadShape, r"wrenches must have shape"),
        (lambda a: a.update(wrenches="a"), errors.BadShape, r"wrenches must be an array of real numbers"),
        (lambda a: a.update(v=None), errors.BadShape, r"v must be given, one number per degree of freedom; got None"),
        (lambda a: a["v"].__setitem__(2, np.nan), errors.NotFinite, r"v\[2\] is nan"),
        (lambda a: a["q"].__setitem__(1, np.inf), errors.NotFinite, r"q\[1\] is inf"),
        (lambda a: a.update(q="abc"), errors.BadShape, "real numbers"),
        (lambda a: a.update(a=np.zeros_like(a["v"])), errors.PrescribedMismatch, "has none"),
        (lambda a: a.update(errors="ignore"), errors.BadValue, "'raise' or 'nan'"),
    ],
)
def test_bad_states_are_named(mixed, change, error, words):
    model, q, v, _ = mixed
    arguments = {"q": q[0].copy(), "v": v[0].copy()}
    change(arguments)
    with pytest.raises(error, match=words):
        cd.forward_dynamics(model, **arguments)


def test_batch_shapes_that_do_not_go_together_are_named(mixed):
    model, q, v, _ = mixed
    with pytest.raises(errors.BadShape, match=r"batch shapes do not go together: q .*v "):
        cd.forward_dynamics(model, q[:3], v[:4])


def test_quaternions_near_unit_norm_are_normalised_and_others_refused():
    b = cd.ModelBuilder()
    b.add_body("top", joint=cd.joints.ball(), inertia=cd.Inertia.box(1.0, (0.1, 0.2, 0.3)), joint_name="pivot")
    model = b.build()
    q = np.array([0.5, 0.5, 0.5, 0.5])
    v = np.array([1.0, 2.0, 3.0])
    nearly = cd.forward_dynamics(model, q * (1 + 5e-7), v)
    np.testing.assert_allclose(nearly, cd.forward_dynamics(model, q, v), rtol=1e-14)
    with pytest.raises(errors.BadQuaternion, match=r"joint 'pivot'.*unit norm.*got norm 1\.1"):
        cd.forward_dynamics(model, 1.1 * q, v)


def test_a_joint_that_refuses_to_be_extended_names_itself():
    frames = [cd.SE3.exp([0, 0, 0.3 * k, 0.1 * k, 0, 0]).as_matrix() for k in range(6)]
    b = cd.ModelBuilder()
    joint = cd.joints.spline_curve(np.array(frames), outside="error")
    b.add_body("bead", joint=joint, inertia=cd.Inertia.sphere(1.0, 0.1), joint_name="wire")
    with pytest.raises(errors.OutsideDomain, match=r"joint 'wire': coordinate 'q' must stay in \[0, 3\], got 3\.5"):
        cd.forward_dynamics(b.build(), [3.5], [0.0])


PLAIN = """
import numpy as np, condyle as cd
from twins.trees import MIXED, twin
made = twin((*MIXED, ("ball", 4), ("free", -1)), np.random.default_rng(11))
q, v = made.state(np.random.default_rng(12))
model = made.model
print(repr(cd.forward_dynamics(model, q, v).tolist()))
print(repr(cd.inverse_dynamics(model, q, v, v).tolist()))
print(repr(cd.simulate(model, q, v, duration=0.004, step=1e-3).q[-1].tolist()))
"""


def test_plain_python_gives_the_same_numbers(mixed):
    """Oracle: the kernels with the compiler switched off."""
    model, q, v, _ = mixed
    q, v = q[0], v[0]
    environment = {**os.environ, "CONDYLE_COMPILE": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    out = subprocess.run([sys.executable, "-c", PLAIN], env=environment, capture_output=True, text=True, check=True)
    plain = [np.array(eval(line)) for line in out.stdout.splitlines()]
    compiled = [
        cd.forward_dynamics(model, q, v),
        cd.inverse_dynamics(model, q, v, v),
        cd.simulate(model, q, v, duration=0.004, step=1e-3).q[-1],
    ]
    for a, b in zip(plain, compiled, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10 * np.abs(b).max())


def test_an_empty_batch_takes_wrenches():
    """Oracle: the shape of no states."""
    model = cd.ModelBuilder().add_body("bar", inertia=cd.Inertia.box(1.0, (1, 1, 1)), joint=cd.joints.ball()).build()
    none = np.empty((0, 3))
    assert cd.forward_dynamics(model, np.empty((0, 4)), none, none, np.empty((0, 1, 6))).shape == (0, 3)
    assert cd.inverse_dynamics(model, np.empty((0, 4)), none, none, np.empty((0, 1, 6))).shape == (0, 3)
