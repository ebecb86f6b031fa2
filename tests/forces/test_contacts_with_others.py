"""Contact beside all else that a model has: constraints, followers, files, and what is differentiated."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd

RADIUS = 0.05
GROUND = {"stiffness": 3e4, "dissipation": 0.5, "friction": 0.6, "slowest": 0.05}


def feet(b, *bodies):
    """Let a sphere at the end of each body touch the ground."""
    for name in bodies:
        b.add_contact(name, sphere=((0.4, 0.02, 0), RADIUS), **GROUND)
    return b


def leg(b):
    """Two turning bodies over the ground, the hip 0.5 m above it; gravity along −z."""
    inertia = cd.Inertia.capsule(2.0, 0.05, 0.3, axis=0, com=(0.2, 0.01, 0))
    b.add_body(
        "thigh", joint=cd.joints.universal("y", "x"), inertia=inertia, placement=cd.SE3.exp([0, 0, 0, 0, 0, 0.5])
    )
    b.add_body(
        "shank", "thigh", joint=cd.joints.revolute("y"), inertia=inertia, placement=cd.SE3.exp([0, 0, 0, 0.4, 0, 0])
    )
    return b


def tree():
    return feet(leg(cd.ModelBuilder()), "thigh", "shank").build()


def followed():
    """The shank's turn makes a toe follow, which touches too."""
    b = leg(cd.ModelBuilder())
    b.add_body("toe", "shank", joint=cd.joints.revolute("y"), inertia=cd.Inertia.sphere(0.4, 0.05),
               placement=cd.SE3.exp([0, 0, 0, 0.3, 0, 0]))  # fmt: skip
    b.add_coupler("toe", "shank", ratio=-0.5, offset=0.1)
    return feet(b, "shank", "toe").build()


def constrained():
    """The end of the shank is tied to a bead on a rail below it."""
    b = leg(cd.ModelBuilder())
    b.add_body("bead", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(0.5, 0.05))
    b.add_constraint(cd.constraints.point("shank", (0.4, 0, 0), "bead", (0, 0, 0.045)))
    return feet(b, "thigh", "shank").build()


def prescribed():
    """The hip goes up and down as it is told."""
    b = cd.ModelBuilder().add_body("hip", joint=cd.joints.prismatic("z"), inertia=cd.Inertia.point(1.0))
    b.prescribe("hip", lambda t: 0.01 * np.sin(5.0 * t))
    inertia = cd.Inertia.capsule(2.0, 0.05, 0.3, axis=0, com=(0.2, 0.01, 0))
    b.add_body(
        "thigh", "hip", joint=cd.joints.universal("y", "x"), inertia=inertia, placement=cd.SE3.exp([0, 0, 0, 0, 0, 0.3])
    )
    return feet(b, "thigh").build()


def near(model, count=4):
    """States whose deepest sphere is up to 10 mm in the ground."""
    rng = np.random.default_rng(0)
    q, v = rng.uniform(-1.5, 1.5, (4000, model.nq)), rng.normal(size=(4000, model.nv))
    if model.constraints:
        q = np.array([x for x in (projected(model, x) for x in q[:60]) if x is not None])
        v = np.array([cd.project(model, x, y)[1] for x, y in zip(q, v, strict=False)])
    T = cd.forward_kinematics(model, q).as_matrix()
    ends = ((f.at.surface_b.radius, T[:, f.at.b] @ f.at.frame_b[:, 3]) for f in model.pair_forces)
    depth = np.max([radius - center[:, 2] for radius, center in ends], axis=0)
    (found,) = np.nonzero((depth > 0.0) & (depth < 0.01))
    assert len(found) >= count
    return [(q[i], v[i]) for i in found[:count]]


def projected(model, q):
    """The state on the constraints that is nearest; None where there is none."""
    try:
        return cd.project(model, q)[0]
    except cd.CondyleError:
        return None


def differences(f, x, h=1e-6):
    """Central differences, one column for each number."""
    steps = h * np.eye(len(x))
    return np.stack([(f(x + d) - f(x - d)) / (2.0 * h) for d in steps], axis=-1)


@pytest.mark.parametrize("make", [tree, followed, prescribed])
def test_derivatives_of_accelerations_under_contact(make):
    """Oracle: central differences of the accelerations."""
    model = make()
    for q, v in near(model):
        found = cd.linearize(model, q, v)
        by_q = differences(lambda x, v=v: cd.forward_dynamics(model, x, v), q)
        by_v = differences(lambda x, q=q: cd.forward_dynamics(model, q, x), v)
        assert np.abs(by_q).max() > 10.0
        for got, expected in ((found.q, by_q), (found.v, by_v)):
            assert_allclose(got, expected, rtol=1e-5, atol=1e-7 * np.abs(by_q).max())


@pytest.mark.slow  # constrained derivatives are kernels of their own
def test_derivatives_of_constrained_accelerations_under_contact():
    """Oracle: differences along motions that the constraint allows."""
    model = constrained()
    for q, v in near(model, count=3):
        found, h = cd.linearize(model, q, v), 1e-5
        rng = np.random.default_rng(1)
        _, along = cd.project(model, q, rng.normal(size=model.nv))
        ends = [cd.project(model, q + s * along, v) for s in (h, -h)]
        a = [cd.forward_dynamics(model, *x) for x in ends]
        dq, dv = ((ends[0][k] - ends[1][k]) / (2.0 * h) for k in (0, 1))
        expected = (a[0] - a[1]) / (2.0 * h)
        assert_allclose(found.q @ dq + found.v @ dv, expected, rtol=1e-4, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("make", [tree, followed])
def test_cotangents_through_contact(make):
    """Oracle: central differences of a weighted sum of accelerations."""
    model = make()
    weights = np.random.default_rng(2).normal(size=model.nv)
    for q, v in near(model, count=2):
        tau = np.linspace(-1.0, 1.0, model.nv)
        found = cd.forward_dynamics_vjp(model, q, v, tau, cotangent=weights)
        for got, expected in (
            (found.q, differences(lambda x, v=v, t=tau: weights @ cd.forward_dynamics(model, x, v, t), q)),
            (found.v, differences(lambda x, q=q, t=tau: weights @ cd.forward_dynamics(model, q, x, t), v)),
            (found.tau, differences(lambda x, q=q, v=v: weights @ cd.forward_dynamics(model, q, v, x), tau)),
        ):
            assert_allclose(got, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("law", ["hertz", "hunt_crossley", "smooth"])
@pytest.mark.parametrize("suffix", [".toml", ".osim"])
@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
def test_files_keep_contacts(law, suffix, tmp_path):
    """Oracle: accelerations of the model that was written; OpenSim has no law that keeps books, and says so."""
    model = contact_of(law)
    path = tmp_path / f"feet{suffix}"
    if suffix == ".osim" and law == "hertz":
        with pytest.warns(cd.CondyleWarning, match="hertz@world-shank"):
            cd.save(model, path)
        return
    cd.save(model, path)
    again = cd.load(path)
    assert len(again.forces) == len(model.forces)
    for q, v in near(model):
        a = cd.forward_dynamics(model, q, v)
        assert_allclose(cd.forward_dynamics(again, q, v), a, rtol=1e-9, atol=1e-10 * np.abs(a).max())


def contact_of(law):
    """The leg, its foot on a tilted plane and its knee a sphere that the thigh of another leg has."""
    constants = {"hertz": GROUND, "hunt_crossley": {"modulus": 1e6, "dissipation": 0.4, "static_friction": 0.7,
                 "dynamic_friction": 0.5, "viscous_friction": 0.1, "transition_velocity": 0.1},
                 "smooth": {"modulus": 1e6, "dissipation": 0.4, "dynamic_friction": 0.5}}[law]  # fmt: skip
    b = leg(cd.ModelBuilder())
    tilted = cd.forces.half_space((0.0, 0.0, 0.01), (0.1, -0.05, 1.0))
    b.add_contact("shank", sphere=((0.4, 0.02, 0), RADIUS), surface=tilted, law=law, **constants)
    return b.build()
