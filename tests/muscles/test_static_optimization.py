"""Static optimisation: activations of least effort."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

import condyle as cd
from condyle.errors import Approximated, BadValue
from condyle.muscles.least_effort import least_effort
from support.laboratory import FOLDER


@pytest.mark.parametrize("power", [2.0, 3.0])
def test_the_least_effort_is_that_of_a_general_solver(power):
    """Oracle: scipy's SLSQP on random problems with bounds that hold."""
    rng = np.random.default_rng(0)
    A, x0 = 30 * rng.normal(size=(6, 4, 15)), rng.uniform(0.01, 0.6, (6, 15))
    b, low, high = np.einsum("smn,sn->sm", A, x0), np.full(15, 0.01), np.full(15, 0.7)
    found = least_effort(A, b, low, high, power)
    assert found.converged.all()
    assert np.abs(found.missing).max() < 1e-6
    for k in range(6):
        exact = {"type": "eq", "fun": lambda x, k=k: A[k] @ x - b[k], "jac": lambda x, k=k: A[k]}
        other = minimize(
            lambda x: (x**power).sum(), x0[k], jac=lambda x: power * x ** (power - 1), bounds=[(0.01, 0.7)] * 15,
            constraints=exact, method="SLSQP", options={"ftol": 1e-14, "maxiter": 500},
        )  # fmt: skip
        np.testing.assert_allclose(found.x[k], other.x, atol=1e-6)


def test_moments_that_cannot_be_given_are_missed_by_as_little_as_can_be():
    """Oracle: two actuators of one moment, fully on."""
    found = least_effort(np.array([[[3.0, 4.0]]]), np.array([[10.0]]), np.zeros(2), np.ones(2), 2.0)
    np.testing.assert_allclose(found.x, 1.0)
    np.testing.assert_allclose(found.missing, 3.0)


@pytest.fixture(scope="module")
def model():
    """A forearm with two flexors of 1000 N and one extensor of 500 N; moment arms of 5, 3 and 4 cm at a right angle."""
    b = cd.ModelBuilder().add_body("arm", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(1.0, (0.3, 0, 0)))
    rigid = {"ignore_tendon_compliance": 1, "optimal_fiber_length": 0.1, "tendon_slack_length": 0.2}
    for name, arm, force in (("one", 0.05, 1000.0), ("two", 0.03, 1000.0), ("three", -0.04, 500.0)):
        b.add_muscle(name, [(None, (arm, 0.3, 0)), ("arm", (arm, 0, 0))], max_isometric_force=force, **rigid)
    return b.build()


def test_synergists_share_by_their_moments(model):
    """Oracle: a = Aᵀ b / (A Aᵀ) by hand, the extensor at its least; at optimal length and rest a muscle gives a F."""
    found = cd.muscles.static_optimization(model, [0.0], [0.0], [20.0], bounds=(0.0, 1.0))
    A = np.array([50.0, 30.0])
    np.testing.assert_allclose(found.activation, [*(A * 20.0 / (A @ A)), 0.0], atol=1e-9)
    np.testing.assert_allclose(found.force, found.activation * [1000, 1000, 500], atol=1e-6)
    assert np.abs(found.missing).max() < 1e-6


@pytest.mark.slow
def test_reserves_give_what_muscles_cannot(model):
    """Oracle: muscles fully on give 80 N m less the extensor's least."""
    with pytest.warns(Approximated, match="arm"):
        found = cd.muscles.static_optimization(model, [0.0], [0.0], [100.0])
    assert abs(found.missing[0] - (100 - 80 + 0.01 * 20)) < 1e-6
    found = cd.muscles.static_optimization(model, [[0.0]] * 3, [0.0], [100.0], reserves={"arm": 0.1})
    assert found.reserve.shape == (3, 1)
    np.testing.assert_allclose(found.reserve, 20.2, atol=1e-6)


def test_each_muscle_has_the_bounds_of_its_controls(model):
    """Oracle: by hand: the first at its largest control, the third at its least, the second gives the rest."""
    own = ({"max_control": 0.2}, {}, {"min_control": 0.1})
    bounded = tuple(replace(m, constants={**m.constants, **x}) for m, x in zip(model.muscles, own, strict=True))
    found = cd.muscles.static_optimization(replace(model, muscles=bounded), [0.0], [0.0], [20.0])
    np.testing.assert_allclose(found.activation, [0.2, (20.0 - 0.2 * 50.0 + 0.1 * 20.0) / 30.0, 0.1], atol=1e-9)
    wrong = (replace(model.muscles[0], constants={"min_control": 0.5, "max_control": 0.2}), *model.muscles[1:])
    with pytest.raises(BadValue, match="'one'"):
        cd.muscles.static_optimization(replace(model, muscles=wrong), [0.0], [0.0], [20.0])


@pytest.mark.parametrize(
    "others", [{"power": 1.0}, {"bounds": (0.5, 0.2)}, {"reserves": {"leg": 1.0}}, {"reserves": -1.0}]
)
def test_what_cannot_be_optimised_is_refused(model, others):
    """Oracle: none."""
    with pytest.raises(BadValue):
        cd.muscles.static_optimization(model, [0.0], [0.0], [1.0], **others)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::condyle.CondyleWarning")
def test_the_arm_of_opensim_is_driven_as_in_its_reference():
    """Oracle: activations that OpenSim's own tests keep, between 0.2 and 0.8 s; its tolerance is 1e-4 of a sum."""
    folder = FOLDER / "opensim" / "static_optimization"
    if not folder.exists():
        pytest.skip(f"{folder} is not here")
    model = cd.load(folder / "arm26.osim")
    motion, there = (
        cd.load(folder / "arm26_InverseKinematics.mot", model=model),
        cd.read_table(folder / "reference_thelen_activation.sto"),
    )
    rows = (there.times > 0.2) & (there.times < 0.8)
    q, v, a = cd.trial.derivatives(motion.t, motion.q, 6.0, there.times[rows])
    tau = cd.inverse_dynamics(model, q, v, a)
    found = cd.muscles.static_optimization(model, q, v, tau, bounds=(0.0, 1.0))
    assert np.abs(found.missing).max() < 1e-6
    assert np.abs(found.activation - there.values[rows, 1:]).max() < 5e-3
