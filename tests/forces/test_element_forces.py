"""What every force of a model does: power, wrenches and records of a run."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd

ROD = cd.Inertia.box(1.0, (0.1, 0.2, 0.4), com=(0, 0, -0.2))
DOWN = cd.SE3.from_translation([0, 0, -0.4])


def everything():
    """A floating body with two limbs and a force of every law."""
    b = cd.ModelBuilder().add_body("base", joint=cd.joints.free(), inertia=ROD)
    b.add_body("thigh", "base", cd.joints.revolute("y"), ROD, placement=DOWN)
    b.add_body("shank", "thigh", cd.joints.universal("x", "y"), ROD, placement=DOWN)
    b.add_body("hand", "base", cd.joints.elliptic(0.3, 0.2), ROD, placement=DOWN)
    b.add_stiffness("thigh", 30.0, 0.1, 0.5).add_damping("hand", 0.3).add_limit("thigh", -0.1, 0.1, stiffness=100.0)
    b.add_soft_limit("hand", -0.1, 0.2, stiffness=50.0, transition=0.3, damping=2.0).add_constant_force("thigh", 3.0)
    b.add_spring("hand", (0.1, 0, 0), "shank", (0, 0.1, 0), stiffness=40.0, length=0.3, damping=2.0)
    b.add_bushing("hand", None, "shank", None, stiffness=(1, 2, 3, 4, 5, 6), damping=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6))
    b.add_contact("shank", sphere=((0, 0, -0.2), 0.5), stiffness=1e3, dissipation=0.3, friction=0.5)
    ball = cd.forces.sphere((0, 0, 0), 0.8)
    b.add_contact("hand", sphere=((0, 0, -0.2), 0.5), against="thigh", surface=ball, law="hunt_crossley", modulus=1e4)
    return b.build()


def random_states(model, count=5):
    rng = np.random.default_rng(3)
    q = np.array([cd.integrate(model, model.neutral(), 0.2 * rng.normal(size=model.nv)) for _ in range(count)])
    return q, 0.5 * rng.normal(size=(count, model.nv))


def test_the_power_of_each_force_is_what_it_does_to_the_coordinates():
    """Oracle: what inverse dynamics needs less with the force alone, times the velocities."""
    model = everything()
    q, v = random_states(model)
    found, bare = cd.element_forces(model, q, v), replace(model, forces=())
    for k, force in enumerate(model.forces):
        needed = [cd.inverse_dynamics(m, q, v, 0 * v) for m in (bare, replace(model, forces=(force,)))]
        assert_allclose(found.power[:, k], ((needed[0] - needed[1]) * v).sum(axis=1), rtol=1e-9, atol=1e-12)
        assert_allclose(found[force.name].power, found.power[:, k])


def test_places_and_wrenches_of_forces_between_bodies_push_both_alike():
    """Oracle: accelerations under the wrenches as external ones, turned by hand, without the forces."""
    model = everything()
    (q, *_), (v, *_) = random_states(model, 2)
    found, X = cd.element_forces(model, q, v), cd.forward_kinematics(model, q).as_matrix()
    world = np.zeros((model.nbodies, 6))
    for k, force in enumerate(model.forces):
        if not np.isfinite(found.place[k]).all():
            continue
        for body, sign in ((force.at.b, 1.0), (force.at.a, -1.0)):
            if body >= 0:
                R, p = X[body, :3, :3], X[body, :3, 3]
                moment = found.moment[k] + np.cross(found.place[k] - p, found.force[k])
                world[body] += sign * np.concatenate([R.T @ moment, R.T @ found.force[k]])
    between = tuple(f for f in model.forces if hasattr(f.at, "frame_a"))
    pushed = cd.forward_dynamics(replace(model, forces=()), q, v, wrenches=world)
    assert_allclose(pushed, cd.forward_dynamics(replace(model, forces=between), q, v), rtol=1e-9)


def test_a_force_is_asked_for_by_its_name():
    """Oracle: the class and the nearest name."""
    model = everything()
    with pytest.raises(cd.errors.UnknownName, match="damper@hand"):
        cd.element_forces(model, model.neutral(), np.zeros(model.nv))["damper@hend"]


def test_a_run_has_the_forces_over_time():
    """Oracle: the impulse of the ground, by the trapezoidal rule, stops a ball that rolls nowhere."""
    b = cd.ModelBuilder().add_body("ball", joint=cd.joints.prismatic("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
    model = b.add_contact("ball", sphere=((0, 0, 0), 0.1), stiffness=1e5, dissipation=0.5).build()
    run = cd.simulate(model, [0.11], [-0.5], duration=0.2, step=1e-4)
    push = run.element_forces()["hertz@world-ball"].force[:, 2]
    assert push.shape == run.t.shape and push.min() >= 0.0
    assert np.trapezoid(push, run.t) == pytest.approx(run.v[-1, 0] + 0.5 + 9.81 * 0.2, rel=1e-4)
