"""Gradients of motions that muscles drive, by their starts, excitations and forces."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, NotSupported
from support.muscle_models import limb

pytestmark = pytest.mark.slow  # kernels on complex numbers take long to compile

STEPS, STEP = 6, 2e-4
Q, V = np.array([0.2, 0.4]), np.array([0.5, -1.0])


@pytest.fixture(scope="module")
def case():
    """A limb with every law, off equilibrium, under excitations and forces that change with time."""
    model, rng = limb(), np.random.default_rng(0)
    n = len(model.muscles)
    fibers = cd.muscles.forces(model, Q, V, 0.25).fiber_length
    start = {
        "q": Q,
        "v": V,
        "activation": np.full(n, 0.25),
        "fiber_length": np.where(fibers > 0, 1.003 * fibers, 1.0),
        "excitations": rng.uniform(0.35, 0.6, (STEPS, n)) * np.where(np.arange(n) == 1, 0.3, 1.0),  # one falls
        "control": rng.normal(size=(STEPS, 2)),
    }
    weights = [rng.normal(size=(STEPS + 1, k)) for k in (2, 2, n, n)]
    return model, start, weights


def run(model, start, integrator):
    return cd.simulate(model, duration=STEPS * STEP, step=STEP, integrator=integrator, **start)


def differences(model, start, weights, integrator, name, h):
    """The gradient of a weighted sum of all records by central differences of order 4."""
    x, out = start[name], np.zeros(start[name].shape)

    def scalar(changed):
        found = run(model, {**start, name: changed}, integrator)
        return sum((w * getattr(found, k)).sum() for w, k in zip(weights, PARTS, strict=True))

    for i in np.ndindex(x.shape):
        e = np.zeros(x.shape)
        e[i] = h
        near, far = scalar(x + e) - scalar(x - e), scalar(x + 2 * e) - scalar(x - 2 * e)
        out[i] = (8 * near - far) / (12 * h)
    return out


PARTS = ("q", "v", "activation", "fiber_length")
SIZES = {"q": 1e-4, "v": 1e-3, "activation": 1e-4, "fiber_length": 1e-6, "excitations": 1e-3, "control": 1e-2}


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit", "euler"])
def test_gradients_are_those_of_differences_of_simulations(case, integrator):
    """Oracle: central differences of order 4 of `cd.simulate`, by every number that it was given."""
    model, start, weights = case
    rigid = run(model, start, integrator).fiber_length[0] != start["fiber_length"]
    weights = [*weights[:3], np.where(rigid, 0.0, weights[3])]  # fibres of rigid tendons follow the pose
    found = cd.simulate_vjp(model, cotangent=tuple(weights), duration=STEPS * STEP, step=STEP,
                            integrator=integrator, **start)  # fmt: skip
    for name, h in SIZES.items():
        expected = differences(model, start, weights, integrator, name, h)
        scale = 1 + np.abs(expected).max()
        np.testing.assert_allclose(getattr(found, name), expected, atol=1e-7 * scale, err_msg=name)


def test_excitations_that_act_throughout_have_one_gradient_for_each_member(case):
    """Oracle: the sum over steps of the gradients of the same excitations given step by step."""
    model, start, weights = case
    given = {k: start[k] for k in ("q", "v", "activation", "fiber_length")}
    options = {"cotangent": tuple(weights[:2]), "duration": STEPS * STEP, "step": STEP, **given}
    held = start["excitations"][0]
    once = cd.simulate_vjp(model, excitations=held, **options)
    rows = cd.simulate_vjp(model, excitations=np.tile(held, (STEPS, 1)), **options)
    assert once.excitations.shape == (len(held),)
    assert once.control.shape == (STEPS, 2)
    np.testing.assert_allclose(once.excitations, rows.excitations.sum(axis=0), rtol=1e-12, atol=1e-15)
    both = tuple(np.stack([w, w]) for w in weights[:2])
    two = cd.simulate_vjp(model, excitations=held, **{**options, "q": np.stack([Q, Q]), "cotangent": both})
    np.testing.assert_allclose(two.excitations, np.stack([once.excitations] * 2), rtol=1e-9, atol=1e-12)


def test_what_has_no_gradient_is_refused(case):
    """Oracle: named errors."""
    model, start, weights = case
    options = {"duration": STEPS * STEP, "step": STEP, **start}
    with pytest.raises(NotSupported, match="adaptive"):
        cd.simulate_vjp(model, cotangent=tuple(weights), **options, integrator="adaptive")
    with pytest.raises(BadShape, match="cotangent of v"):
        cd.simulate_vjp(model, cotangent=(weights[0], weights[1][1:]), **options)
