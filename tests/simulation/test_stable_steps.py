"""The largest stable steps: closed forms of damped oscillators, and motions that grow or do not."""

import numpy as np
import pytest

import condyle as cd
from condyle.simulation import stable_steps

K, C = 4.0e4, 60.0  # [N/m], [N s/m] on 1 kg: 200 rad/s, damped by 15 %
INTEGRATORS = ("euler", "semi-implicit", "rk4", "variational")


def cart(**loads):
    """1 kg on a rail, no gravity along it."""
    b = cd.ModelBuilder().add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    for name, arguments in loads.items():
        getattr(b, f"add_{name}")("cart", *arguments)
    return b.build()


def closed_forms(k, c):
    """Of ẍ = −k x − c ẋ: |1 + hλ| = 1, Jury's conditions of semi-implicit Euler, RK4 on its axes, Störmer-Verlet."""
    rates = np.roots([1.0, c, k])
    return {
        "euler": min(-2.0 * x.real / abs(x) ** 2 for x in rates) if c else 0.0,
        "semi-implicit": (np.sqrt(c * c + 4.0 * k) - c) / k,
        "rk4": 2.0 * np.sqrt(2.0 / k) if c == 0 else None,  # |z| = 2√2 on the imaginary axis
        "variational": 2.0 / np.sqrt(k),
    }


@pytest.mark.slow
@pytest.mark.parametrize(("k", "c"), [(K, 0.0), (K, C), (K, 1000.0)])
def test_of_one_oscillator(k, c):
    """Oracle: the closed forms; for RK4 with damping the stability polynomial's edge along the eigenvalues."""
    found = stable_steps(cart(stiffness=(k,), damping=(c,)))
    expected = closed_forms(k, c)
    for name in INTEGRATORS:
        if expected[name] is not None:
            assert found.steps[name] == pytest.approx(expected[name], rel=2e-4), name
    edge = [abs(np.polyval([1 / 24, 1 / 6, 1 / 2, 1, 1], found.steps["rk4"] * x)) for x in np.roots([1.0, c, k])]
    assert max(edge) == pytest.approx(1.0, abs=1e-6)
    assert found.rate == pytest.approx(np.abs(np.roots([1.0, c, k])).max(), rel=1e-9)
    assert found.joint == "cart"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::condyle.simulation.StoppedWarning")
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("share", [0.98, 1.02])
def test_motions_grow_beyond_it_and_not_below(integrator, share):
    """Oracle: the motion itself over 200 steps, as the linear step of an oscillator makes it."""
    model = cart(stiffness=(K,), damping=(C,))
    step = share * stable_steps(model).steps[integrator]
    run = cd.simulate(model, [1e-9], [0.0], duration=200 * step, step=step, integrator=integrator)
    first, last = (np.abs(run.q[part]).max() for part in (slice(0, 20), slice(-20, None)))
    assert (run.stopped is not None or last > 1.1 * first) if share > 1 else (last < 0.95 * first)


@pytest.mark.slow
def test_limits_count_as_engaged():
    """Oracle: a spring of the same numbers; a soft limit is 16/9 as stiff where it is stiffest."""
    spring = stable_steps(cart(stiffness=(K,), damping=(C,))).steps
    b = cd.ModelBuilder().add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    assert stable_steps(b.add_limit("cart", -1, 1, stiffness=K, damping=C).build()).steps == pytest.approx(spring)
    b = cd.ModelBuilder().add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    soft = stable_steps(b.add_soft_limit("cart", -1, 1, stiffness=9 * K, transition=0.1).build())
    assert soft.rate == pytest.approx(4.0 * np.sqrt(K))


@pytest.mark.slow
def test_of_two_bodies_it_is_that_of_the_faster():
    """Oracle: eigenvalues of K − ω² M of a chain of two carts by numpy."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("one", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(2.0))
    b.add_body("two", parent="one", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(0.5))
    found = stable_steps(b.add_stiffness("one", 100.0).add_stiffness("two", 900.0).build())
    mass, stiffness = np.array([[2.5, 0.5], [0.5, 0.5]]), np.diag([100.0, 900.0])
    fastest = np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real.max())
    assert found.rate == pytest.approx(fastest)
    assert found.steps["variational"] == pytest.approx(2.0 / fastest, rel=1e-4)
    assert found.joint == "two"


@pytest.mark.slow
def test_a_constraint_takes_motions_away():
    """Oracle: two coupled carts are one of both masses, on both springs."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    for name, mass in (("one", 1.0), ("two", 3.0)):
        b.add_body(name, joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(mass)).add_stiffness(name, 1e4)
    b.add_constraint(cd.constraints.couple("two", "one"))
    assert stable_steps(b.build()).rate == pytest.approx(np.sqrt(2e4 / 4.0), rel=1e-6)


@pytest.mark.slow
def test_falling_over_is_no_fault_of_the_step():
    """Oracle: an upright pendulum grows by itself, and its spring's oscillation beside it is judged alone."""
    b = cd.ModelBuilder()
    b.add_body("pole", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, 1.0)))
    b.add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0)).add_stiffness("cart", K)
    assert stable_steps(b.build()).steps["variational"] == pytest.approx(2.0 / np.sqrt(K), rel=1e-3)


@pytest.mark.slow
def test_nothing_moves():
    """Oracle: a weld has no motion, so every step is stable."""
    model = cd.ModelBuilder().add_body("rock", joint=cd.joints.weld(), inertia=cd.Inertia.point(1.0)).build()
    found = stable_steps(model)
    assert found.rate == 0.0
    assert set(found.steps.values()) == {np.inf}
    assert "1 s" in str(found)
