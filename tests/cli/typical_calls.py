"""Calls as people make them, on other models than those of `condyle warmup`; prints what they have to compile.

Run by test_warmup.py in a process of its own, after all groups of `condyle warmup` were run there.
"""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle.cli.everyday_calls import STEPS
from condyle.numeric.entries.entry import Entry

LINK = cd.Inertia.box(1.0, (0.1, 0.1, 0.3), com=(0, 0, 0.15))
UP = cd.SE3.from_translation([0, 0, 0.3])


def limb() -> cd.Model:
    """A ball joint, a hinge with a damper and a curve."""
    frames = cd.SE3.exp(np.linspace(0.0, 1.0, 9)[:, None] * [0.1, 0.5, 0, 0.02, 0, 0.01])
    b = cd.ModelBuilder().add_body("trunk", joint=cd.joints.ball(), inertia=LINK)
    b.add_body("thigh", "trunk", cd.joints.revolute("y"), LINK, placement=UP)
    return b.add_body("shank", "thigh", cd.joints.spline_curve(frames), LINK, placement=UP).build()


def ring() -> tuple[cd.Model, np.ndarray]:
    """Four bars and the ground, with springs."""
    bar, b = cd.Inertia.box(1.0, (0.05, 0.05, 1.0), com=(0, 0, 0.5)), cd.ModelBuilder()
    for i in range(3):
        place = cd.SE3.from_translation([0, 0, 1.0 if i else 0.0])
        b.add_body(f"bar{i}", f"bar{i - 1}" if i else None, cd.joints.revolute("y"), bar, placement=place)
    b.add_constraint(cd.constraints.point("bar2", (0, 0, 1.0), None, (1.0, 0, 0)))
    return b.add_damping("bar0", 0.1).build(), np.array([0.0, np.pi / 2, np.pi / 2])


def on_one_and_many(model: cd.Model, q: np.ndarray, calls) -> None:
    """Each call for one state and for twenty."""
    v = np.full(model.nv, 0.0)
    for call in calls:
        call(model, q, v)
        call(model, np.tile(q, (20, 1)), np.tile(v, (20, 1)))


def used() -> None:
    """Typical uses."""
    free = [
        cd.forward_dynamics,
        cd.energy,
        cd.body_velocities,
        lambda m, q, v: cd.forward_kinematics(m, q),
        lambda m, q, v: cd.mass_matrix(m, q),
        lambda m, q, v: cd.inverse_dynamics(m, q, v, v),
        lambda m, q, v: cd.linearize(m, q, v, v),
        lambda m, q, v: cd.forward_dynamics_vjp(m, q, v, cotangent=v),
    ]
    steps = [
        lambda m, q, v, i=i: cd.simulate(m, q, v, duration=0.003, step=1e-3, integrator=i)
        for i in ("rk4", "semi-implicit", "adaptive")
    ]
    model = limb()
    on_one_and_many(model, model.neutral(), [*free, *steps])
    looped, q = ring()
    on_one_and_many(looped, q, [cd.forward_dynamics, *steps])
    arm, q = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=LINK).build(), np.array([0.3])
    options = {"duration": 0.003, "step": 1e-3, "cotangent": lambda run: (run.q, run.v)}
    on_one_and_many(
        arm, q, [lambda m, q, v, i=i: cd.simulate_vjp(m, q, v, integrator=i, **options) for i in ("rk4", "variational")]
    )
    goals = cd.forward_kinematics(arm, np.linspace(-1.0, 1.0, 20)[:, None])[:, 0]
    for goal in (goals[0], goals):
        cd.ik.solve(arm, cd.ik.pose("rod", goal))
    skeleton = cd.skeleton.from_model(arm)
    skeleton.simulate(
        cd.skeleton.state_of(arm, np.linspace(-1.0, 1.0, 20)[:, None], np.zeros(1)), duration=0.02, step=0.01
    )


def used_beside_trees() -> None:
    """Typical uses of couplers, of members with numbers of their own, and of models in maximal coordinates."""
    model = limb()
    b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=LINK)
    b.add_body("tip", "rod", cd.joints.prismatic("z"), LINK)
    coupled, q = b.add_coupler("tip", "rod", cd.joints.functions.sinusoid(0.1)).build(), np.array([0.3])
    run = {"duration": 0.003, "step": 1e-3, "integrator": "rk4"}
    on_one_and_many(coupled, q, [cd.forward_dynamics, lambda m, q, v: cd.simulate(m, q, v, **run)])
    cd.simulate(model, model.neutral(), parameters={"shank.mass": np.linspace(1.0, 2.0, 20)}, **run)
    cd.skeleton.from_model(model, model.neutral()).simulate(duration=0.02, step=0.01)


def main() -> None:
    """All groups of `condyle warmup`, then typical uses, of which what was not there is printed."""
    for step in STEPS.values():
        step()
    found, missing = Entry._found, []
    Entry._found = lambda entry, kinds, given: missing.append(f"{entry.name} {kinds}") or found(entry, kinds, given)
    used()
    used_beside_trees()
    print("\n".join(["missing:", *missing]))


if __name__ == "__main__":
    main()
