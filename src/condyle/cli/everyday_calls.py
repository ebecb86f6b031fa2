"""Groups of everyday calls, made once: `condyle warmup` compiles their kernels, and wheels carry them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable

import numpy as np

LEG_STEPS, LEG_POSES = "steps of a leg", "poses of a leg"  # the two halves of a first demonstration
LEG_ENTRIES = "condyle.simulation.kernels.fixed_step.fixed_steps", "condyle.dynamics.kernels.body_poses.pose_states"


MANY = np.linspace(0.0, 1.0, 16)


def arm():
    """Seven hinges."""
    import condyle as cd

    builder = cd.ModelBuilder()
    link = cd.Inertia.box(1.0, (0.1, 0.1, 0.3), com=(0, 0, 0.15))
    for i in range(7):
        above = f"link{i - 1}" if i else None
        joint = cd.joints.revolute("zyx"[i % 3])
        builder.add_body(f"link{i}", parent=above, joint=joint, inertia=link, placement=_raised(0.3 if i else 0.0))
    return builder.build()


def _raised(z: float):
    import condyle as cd

    return cd.SE3.exp([0, 0, 0, 0, 0, z])


def _four_bar():
    """Three bars and the ground."""
    import condyle as cd

    bar = cd.Inertia.box(1.0, (0.05, 0.05, 1.0), com=(0, 0, 0.5))
    builder = cd.ModelBuilder()
    for i, above in enumerate([None, "bar0", "bar1"]):
        place = _raised(1.0 if i else 0.0)
        builder.add_body(f"bar{i}", parent=above, joint=cd.joints.revolute("y"), inertia=bar, placement=place)
    builder.add_constraint(cd.constraints.point("bar2", (0, 0, 1.0), None, (1.0, 0, 0)))
    return builder.build(), np.array([0.0, np.pi / 2, np.pi / 2])


def states(count: int = 16) -> tuple[np.ndarray, np.ndarray]:
    q = np.linspace(-1.0, 1.0, 7 * count).reshape(count, 7)
    return q, 0.5 * q


def _singly_and_together(call: Callable, model, *arrays: np.ndarray) -> None:
    """A call for one state, on floats, and for a batch, on lanes."""
    call(model, *(x[0] for x in arrays))
    call(model, *arrays)


def forward() -> None:
    """Accelerations."""
    import condyle as cd

    _singly_and_together(cd.forward_dynamics, arm(), *states())


def inverse() -> None:
    """Forces."""
    import condyle as cd

    q, v = states()
    _singly_and_together(cd.inverse_dynamics, arm(), q, v, v)


def kinematics() -> None:
    """Poses and Jacobians."""
    import condyle as cd

    model, (q, v) = arm(), states()
    _singly_and_together(cd.forward_kinematics, model, q)
    curved = _curved()
    cd.forward_kinematics(curved, curved.neutral())
    _singly_and_together(lambda m, x: cd.body_jacobian(m, x, "link6"), model, q)
    _singly_and_together(cd.body_velocities, model, q, v)


def inertia() -> None:
    """Mass matrix, energy, momentum and what forces do."""
    import condyle as cd

    model, (q, v) = arm(), states()
    _singly_and_together(cd.mass_matrix, model, q)
    for call in (cd.energy, cd.momentum):
        _singly_and_together(call, model, q, v)
    b = cd.ModelBuilder().add_body("ball", joint=cd.joints.prismatic("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
    b.add_stiffness("ball", 1.0).add_contact("ball", sphere=((0, 0, 0), 0.1), stiffness=1.0)
    for call in (cd.energy, cd.element_forces):
        _singly_and_together(call, b.build(), MANY[:, None], MANY[:, None])


def _spline():
    """A joint on a curve."""
    import condyle as cd

    return cd.joints.spline_curve(cd.SE3.exp(np.linspace(0.0, 1.0, 8)[:, None] * [0, 1, 0, 0.01, 0, 0.02]))


def _curved():
    """Two bodies, of which the second glides on a curve."""
    import condyle as cd

    link = cd.Inertia.box(1.0, (0.1, 0.1, 0.3))
    b = cd.ModelBuilder().add_body("thigh", joint=cd.joints.revolute("y"), inertia=link)
    return b.add_body("shank", "thigh", _spline(), link).build()


def joints() -> None:
    """Poses and derivatives of a spline joint."""
    joint = _spline()
    for q in (0.3, MANY):
        for call in (joint.pose, joint.jacobian, joint.hessian):
            call(q)


def fixed_steps() -> None:
    """Simulation with fixed steps."""
    _simulated("rk4")


def adaptive_steps() -> None:
    """Simulation with error control."""
    _simulated("adaptive")


def variational_steps() -> None:
    """Simulation by a variational integrator."""
    _simulated("variational")


def gradients_through_time() -> None:
    """Gradients of trajectories by their start, backwards through the steps."""
    import condyle as cd

    for integrator in ("rk4", "variational"):
        options = {"duration": 0.01, "step": 1e-3, "integrator": integrator}
        _singly_and_together(
            lambda m, q, v, o=options: cd.simulate_vjp(m, q, v, cotangent=lambda run: (run.q, run.v), **o),
            arm(),
            *states(),
        )


def _simulated(integrator: str) -> None:
    import condyle as cd

    options = {"duration": 0.01, "step": 1e-3, "integrator": integrator}
    _singly_and_together(lambda m, q, v: cd.simulate(m, q, v, **options), arm(), *states())


def loops() -> None:
    """Accelerations and steps of a closed loop."""
    import condyle as cd

    model, q = _four_bar()
    many = np.tile(q, (16, 1)), np.zeros((16, 3))
    for call in (cd.forward_dynamics, cd.constraint_forces, cd.project):
        _singly_and_together(call, model, *many)
    for integrator in ("rk4", "adaptive"):
        options = {"duration": 0.01, "step": 1e-3, "integrator": integrator}
        _singly_and_together(lambda m, x, v, o=options: cd.simulate(m, x, v, **o), model, *many)


def reaching() -> None:
    """Inverse kinematics."""
    import condyle as cd

    model, (q, _) = arm(), states()
    goals = cd.forward_kinematics(model, q)[:, 6].xyz
    for goal in (goals[0], goals):
        cd.ik.solve(model, cd.ik.position("link6", goal))


def derivatives() -> None:
    """Slopes of dynamics, forwards and backwards."""
    import condyle as cd

    model, (q, v) = arm(), states()
    for call in (cd.inverse_dynamics_derivatives, cd.linearize):
        _singly_and_together(call, model, q, v, v)
    _singly_and_together(lambda m, x, y: cd.forward_dynamics_vjp(m, x, y, cotangent=y), model, q, v)
    looped, at = _four_bar()
    cd.linearize(looped, at, np.zeros(3), np.zeros(3))


def skeletons() -> None:
    """Steps of a skeleton in maximal coordinates."""
    import condyle as cd

    b = cd.skeleton.SkeletonBuilder()
    b.add_body("upper", cd.Inertia.box(2.0, (0.1, 0.1, 0.4)), position=(0, 0, 1.0))
    b.add_body("lower", cd.Inertia.box(1.0, (0.1, 0.1, 0.4)), position=(0, 0, 0.6))
    b.add_ball("upper", None, at=(0, 0, 1.2))
    b.add_hinge("lower", "upper", at=(0, 0, 0.8), axis=(0, 1, 0))
    skeleton = b.build()
    start = skeleton.projected().state
    many = cd.skeleton.State(*(np.repeat(x[None], 16, axis=0) for x in vars(start).values()))
    for state in (start, many):
        skeleton.accelerations(state)
        for integrator in ("variational", "rk4"):
            skeleton.simulate(state, duration=0.02, step=0.01, integrator=integrator)


def held_models() -> None:
    """Steps of a model with a joint on a curve in maximal coordinates."""
    import condyle as cd

    model = _curved()
    held = cd.skeleton.from_model(model, model.neutral())
    held.accelerations()
    held.simulate(duration=0.02, step=0.01)


def couplers() -> None:
    """Dynamics and steps of a model in which one coordinate is a function of another."""
    import condyle as cd

    link = cd.Inertia.box(1.0, (0.1, 0.1, 0.3), com=(0, 0, -0.15))
    b = cd.ModelBuilder().add_body("thigh", joint=cd.joints.revolute("y"), inertia=link)
    b.add_body("shank", "thigh", cd.joints.revolute("y"), link, placement=_raised(-0.3))
    model = b.add_coupler("shank", "thigh", cd.joints.functions.polynomial([0.0, 0.8])).build()
    q = MANY[:, None]
    for call in (cd.forward_dynamics, cd.mass_matrix, cd.forward_kinematics):
        _singly_and_together(call, model, q, *([q] if call is cd.forward_dynamics else []))
    _singly_and_together(cd.inverse_dynamics, model, q, q, q)
    options = {"duration": 0.01, "step": 1e-3, "integrator": "rk4"}
    _singly_and_together(lambda m, x, v: cd.simulate(m, x, v, **options), model, q, q)


def members() -> None:
    """Dynamics and steps of a batch whose members have masses of their own."""
    import condyle as cd

    model, (q, v) = arm(), states()
    own = {"link3.mass": 1.0 + MANY}
    cd.forward_dynamics(model, q, v, parameters=own)
    cd.inverse_dynamics(model, q, v, v, parameters=own)
    cd.simulate(model, q, v, duration=0.01, step=1e-3, integrator="rk4", parameters=own)


def muscles() -> None:
    """Lengths, moment arms, forces and motion of a forearm with a muscle that wraps."""
    import condyle as cd

    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body("forearm", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(1.5, (0, -0.15, 0)))
    b.add_wrap("trochlea", "cylinder", quadrant="-x", radius=0.02, length=0.1)
    size = {"max_isometric_force": 600.0, "optimal_fiber_length": 0.12, "tendon_slack_length": 0.2}
    path = [(None, (-0.02, 0.3, 0)), ("forearm", (-0.02, 0.02, 0))]
    model = b.add_muscle("triceps", path, "millard", wraps=["trochlea"], **size).build()
    q = np.linspace(0.5, 1.5, 16)[:, None]
    for call in (cd.muscles.lengths, cd.muscles.moment_arms):
        _singly_and_together(call, model, q)
    _singly_and_together(lambda m, x, v: cd.muscles.forces(m, x, v, activation=0.3), model, q, 0.0 * q)
    _singly_and_together(lambda m, x, v: cd.forward_dynamics(m, x, v, activation=[0.3]), model, q, 0.0 * q)
    cd.linearize(model, q[0], 0.0 * q[0], activation=[0.3])
    options = {"excitations": [0.3], "duration": 0.01}
    _singly_and_together(lambda m, x, v: cd.simulate(m, x, v, **options, step=1e-3), model, q, 0.0 * q)
    cd.muscles.simulate(model, [0.5], **options, integrator="adaptive")


def reach() -> None:
    """Postures of a person's arm for a goal."""
    import condyle as cd

    found = cd.workspace.fit_arm(cd.workspace.synthetic_subject("male"))
    goal = found.forward(elevation=1.2, abduction=0.9, twist=0.4).wrist
    found.solve(goal)
    found.elbow_curves(goal)


def steps_of_a_leg() -> None:
    """What `condyle demo leg` needs to simulate one leg and to show it: LEG_ENTRIES.

    Poses come last: the demonstration itself compiles most of what they need meanwhile.
    """
    import condyle as cd

    model, (q, v) = arm(), states()
    cd.simulate(model, q[0], v[0], duration=0.01, step=1e-3, integrator="rk4")
    cd.forward_kinematics(model, q)


def poses_of_a_leg() -> None:
    """What else `condyle demo leg` computes, which takes the compiler about as long."""
    import condyle as cd

    joint = _spline()
    joint.pose(MANY)
    joint.jacobian(MANY)
    cd.body_velocities(arm(), *states())


def demonstration() -> None:
    """All that `condyle demo leg` calls, pictures included."""
    from ..gallery.showing import show

    with tempfile.TemporaryDirectory() as folder:
        show("leg", folder)


STEPS: dict[str, Callable[[], None]] = {
    "forward dynamics": forward,
    "fixed steps": fixed_steps,
    "adaptive steps": adaptive_steps,
    "variational steps": variational_steps,
    "gradients through time": gradients_through_time,
    "inverse dynamics": inverse,
    "closed loops": loops,
    "inverse kinematics": reaching,
    "kinematics": kinematics,
    "mass matrix and energy": inertia,
    "joints": joints,
    "derivatives": derivatives,
    "skeletons": skeletons,
    "held models": held_models,
    "couplers": couplers,
    "members": members,
    "muscles": muscles,
    "reach": reach,
    LEG_STEPS: steps_of_a_leg,
    LEG_POSES: poses_of_a_leg,
    "demonstration": demonstration,
}
