"""What ligaments store is what bodies lose to them."""

import numpy as np
import pytest

import condyle as cd

LAWS = {
    "blankevoort": {"linear_stiffness": 2000.0, "slack_length": 0.05, "damping_coefficient": 0.0},
    "path_spring": {"stiffness": 4000.0, "resting_length": 0.05},
    "ligament": {"pcsa_force": 300.0, "resting_length": 0.05},
}


def bone(law, **more):
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("bone", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(0.5))
    return b.add_muscle("band", [(None, (0, 0, 0)), ("bone", (0, 0, 0))], law, **LAWS.get(law, {}) | more).build()


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_tension_is_the_slope_of_the_energy(law):
    """Oracle: the law itself, integrated by Gauss's rule between its kinks, to round-off; zero while slack."""
    model, (nodes, weights), ends = bone(law), np.polynomial.legendre.leggauss(6), np.linspace(0.05, 0.075, 51)
    half = 0.5 * (ends[1] - ends[0])
    x = (ends[:-1, None] + half * (1 + nodes)).reshape(-1, 1)
    pull = cd.muscles.forces(model, x, np.zeros_like(x), 0.0).tendon_force.reshape(-1, 6)
    stored = cd.muscles.elastic_energy(model, ends[1:, None])[:, 0]
    assert stored[-1] > 0.1 and cd.muscles.elastic_energy(model, [[0.04], [0.049]]).max() == 0.0
    assert np.abs(stored - np.cumsum(half * (pull @ weights))).max() < 1e-13 * stored[-1]


@pytest.mark.slow
def test_a_taut_band_keeps_its_energy_to_round_off():
    """Oracle: conservation where the law has no kink: 0.2 J, 500 steps."""
    model = bone("path_spring")
    options = {"duration": 0.01, "step": 2e-5, "record": 1e-3, "integrator": "rk4"}
    run = cd.muscles.simulate(model, [0.06], [0.1], excitations=0.0, **options)
    assert run.q.min() > 0.05 and np.ptp(run.q) > 2e-3
    assert np.ptp(run.energy().total + cd.muscles.elastic_energy(model, run.q)[:, 0]) < 1e-13


def test_muscles_say_that_it_is_not_known():
    model = bone("millard")
    assert np.isnan(cd.muscles.elastic_energy(model, [0.3])).all()
    assert (cd.muscles.elastic_energy(bone("path"), [0.3]) == 0.0).all()


def knee_with_ligaments(damping=0.0):
    """A shank that gives, on a published knee, with four bands that go slack and taut as it swings. All made up."""
    from condyle.gallery.bones.knee import knee

    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    shank = cd.Inertia(3.5, (0.01, -0.18, 0.02), (0.05, 0.006, 0.05))
    b.add_body("shank", joint=cd.joints.compliant(knee(6)), inertia=shank)
    b.add_compliance("shank", stiffness=np.repeat([200.0, 2e4], 3))
    for name, top, end in (
        ("medial", (0.0, -0.375, -0.045), (0.0, -0.02, -0.03)),
        ("lateral", (0.0, -0.375, 0.045), (-0.01, -0.02, 0.03)),
        ("front", (-0.01, -0.385, 0.005), (0.012, 0.0, 0.0)),
        ("back", (0.005, -0.385, -0.005), (-0.02, -0.01, 0.0)),
    ):
        slack = 0.985 * float(np.linalg.norm(np.subtract(top, np.add(end, (0, -0.4, 0)))))
        constants = {"linear_stiffness": 3000.0, "slack_length": slack, "damping_coefficient": damping}
        b.add_muscle(name, [(None, top), ("shank", end)], "blankevoort", **constants)
    return b.build()


def swing(model):
    q = model.neutral()
    q[0] = -0.9
    options = {"integrator": "adaptive", "tolerance": 1e-12, "step": 1e-3, "record": 0.01}
    return cd.muscles.simulate(model, q, excitations=0.0, duration=0.22, **options)


@pytest.mark.slow
def test_bodies_springs_and_ligaments_keep_their_energy_together():
    """Oracle: conservation over bands that go slack and taut; work of each band is what it no longer stores."""
    model = knee_with_ligaments()
    run = swing(model)
    stored = cd.muscles.elastic_energy(model, run.q)
    assert (stored.max(axis=0) > 1e-3).sum() == 3 and (stored.min(axis=0) == 0.0).all()
    total = run.energy().total + stored.sum(axis=1)
    assert np.ptp(total) < 1e-9
    assert np.abs(run.work + stored - stored[0]).max() < 1e-9
