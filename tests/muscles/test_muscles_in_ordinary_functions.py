"""Muscles in the functions of bodies: they act where an activation or excitations are given, and are never silent."""

import warnings

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadValue, IdleMuscles, NotSupported
from support.muscle_models import limb

Q, V = [0.2, 0.4], [0.5, -1.0]


POINT = cd.Inertia.point(1.0, (0, 0, 1.0))


def rod(weight=9.81, inertia=POINT):
    """A rod on a hinge with a muscle of 1000 N at its optimal length, 0.24 m from the hinge."""
    b = cd.ModelBuilder(gravity=(0, 0, weight))
    b.add_body("rod", joint=cd.joints.revolute("y"), inertia=inertia)
    rigid = {"ignore_tendon_compliance": 1, "tendon_slack_length": 0.4}
    return b.add_muscle("flexor", [(None, (0.3, 0, 0)), ("rod", (0, 0, 0.4))], **rigid).build()


CALLS = {
    "forward_dynamics": lambda m: cd.forward_dynamics(m, [0.0], [0.0]),
    "batch": lambda m: cd.forward_dynamics(m, [[0.0], [0.1]], [0.0]),
    "simulate": lambda m: cd.simulate(m, [0.0], duration=0.002),
    "Evaluator": lambda m: cd.Evaluator(m),
    "inverse_dynamics": lambda m: cd.inverse_dynamics(m, [0.0], [0.0], [0.0]),
    "inverse_dynamics of a batch": lambda m: cd.inverse_dynamics(m, [[0.0], [0.1]], [0.0], [0.0]),
    "bias_forces": lambda m: cd.bias_forces(m, [0.0], [0.0]),
    "inverse_dynamics_derivatives": lambda m: cd.inverse_dynamics_derivatives(m, [0.0], [0.0], [0.0]),
    "inverse_dynamics_vjp": lambda m: cd.inverse_dynamics_vjp(m, [0.0], [0.0], [0.0], cotangent=[1.0]),
    "energy": lambda m: cd.energy(m, [0.0], [0.0]),
    "energy_hessian": lambda m: cd.energy_hessian(m, [0.0]),
    "direct": lambda m: cd.control.direct(turning(m), [0.0], {"turn": 0.1}, duration=0.01, step=0.005),
    "replay": lambda m: cd.control.replay(m, constant_torque(), step=0.005),
    "optimize": lambda m: cd.control.optimize(m, [0.0], [0.1], duration=0.5, intervals=3),
}


def turning(model):
    """The hinge's angle as a coordinate to direct."""
    return cd.control.AnimationSpace(model, [cd.control.joint("rod", name="turn")])


def constant_torque():
    """1 N m for 10 ms."""
    t = np.linspace(0.0, 0.01, 5)
    return cd.control.TorqueFunctions(t, np.ones((5, 1)), np.zeros((5, 1)), np.zeros((5, 1)))


@pytest.mark.parametrize("call", CALLS)
def test_idle_muscles_are_named(call):
    """Oracle: the warning, which names the muscle and the way out; the way out is silent."""
    with pytest.warns(IdleMuscles, match=r"'flexor'.*without_muscles\(\)"):
        CALLS[call](rod())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CALLS[call](rod().without_muscles())


@pytest.mark.parametrize("call", [name for name in CALLS if name not in ("simulate", "Evaluator")])
def test_functions_speak_once_of_a_model(call):
    """Oracle: how many warnings two calls give, so that loops are not slowed down."""
    model = rod()
    with pytest.warns(IdleMuscles) as caught:
        _ = [CALLS[call](model) for _ in range(2)]
    assert len([x for x in caught if issubclass(x.category, IdleMuscles)]) == 1


def test_each_function_speaks_for_itself():
    """Oracle: a warning of each of two functions for one model, and none of a motion's energy after `simulate`'s."""
    model = rod()
    with pytest.warns(IdleMuscles, match="inverse_dynamics"):
        cd.inverse_dynamics(model, [0.0], [0.0], [0.0])
    with pytest.warns(IdleMuscles, match="energy"):
        cd.energy(model, [0.0], [0.0])
    with pytest.warns(IdleMuscles) as caught:
        cd.simulate(rod(), [0.0], duration=0.002).energy()
    assert len(caught) == 1


@pytest.mark.parametrize("convert", [cd.skeleton.from_model, lambda m: cd.skeleton.maximal_accelerations(m, [0], [0])])
def test_maximal_coordinates_refuse_muscles(convert):
    """Oracle: the class of the error; the way out that it names works."""
    model = rod(inertia=cd.Inertia.sphere(1.0, 0.1, com=(0, 0, 1.0)))
    with pytest.raises(NotSupported, match="muscle"):
        convert(model)
    convert(model.without_muscles())


def test_paths_without_a_law_are_not_idle():
    """Oracle: a path pulls nothing, so there is nothing to say."""
    b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, 1.0)))
    model = b.add_path("rope", [(None, (0.3, 0, 0)), ("rod", (0, 0, 0.4))]).build()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cd.forward_dynamics(model, [0.0], [0.0])


@pytest.mark.slow
def test_an_active_muscle_accelerates_a_rod():
    """Oracle: 0.24 m · 1000 N · a of a point mass of 1 kg at 1 m, alone, in a batch and over a short time."""
    model = rod(0.0)
    np.testing.assert_allclose(cd.forward_dynamics(model, [0.0], [0.0], activation=0.5), [120.0])
    two = cd.forward_dynamics(model, [[0.0], [0.0]], [0.0], activation=[[0.5], [0.25]])
    np.testing.assert_allclose(two, [[120.0], [60.0]])
    run = cd.simulate(model, [0.0], excitations=0.5, activation=0.5, duration=1e-6, step=1e-7)
    assert isinstance(run, cd.muscles.MuscleTrajectory)
    np.testing.assert_allclose(run.v[-1], [1.2e-4], rtol=1e-3)
    np.testing.assert_allclose(cd.linearize(model, [0.0], [0.0], activation=0.5).activation, [[240.0]])
    back = cd.forward_dynamics_vjp(model, [0.0], [0.0], cotangent=[2.0], activation=0.5)
    np.testing.assert_allclose(back.activation, [480.0])


REFUSED = {
    "fibres without an activation": lambda m: cd.forward_dynamics(m, Q, V, fiber_length=0.1),
    "parameters": lambda m: cd.forward_dynamics(m, Q, V, activation=0.1, parameters={"gravity": np.zeros((2, 3))}),
    "a folder": lambda m: cd.simulate(m, Q, excitations=0.1, duration=0.01, record_to="folder"),
    "stages": lambda m: cd.simulate(m, Q, excitations=0.1, duration=0.01, control_at="stages"),
    "knots": lambda m: cd.simulate(m, Q, excitations=0.1, duration=0.01, land_on_knots=True),
    "a start without excitations": lambda m: cd.simulate(m, Q, activation=0.1, duration=0.01),
    "no muscles": lambda m: cd.simulate(m.without_muscles(), Q, excitations=0.1, duration=0.01),
    "no muscles to activate": lambda m: cd.forward_dynamics(m.without_muscles(), Q, V, activation=0.1),
    "gradients by parameters": lambda m: cd.forward_dynamics_vjp(
        m, Q, V, activation=0.1, cotangent=[1, 0], parameters=["gravity"]
    ),
    "gradients by functions": lambda m: cd.simulate_vjp(
        m, Q, excitations=lambda t, q, v: 0.1, duration=0.01, cotangent=(0, 0)
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_go_with_muscles_is_refused(case):
    """Oracle: a named error; nothing is dropped without a word."""
    with pytest.raises((BadValue, NotSupported)):
        REFUSED[case](limb())
