"""Derivatives of constrained accelerations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd

pytestmark = pytest.mark.slow  # the compiler needs long for these kernels; test_in_plain_python.py runs some of them

BOX = cd.Inertia.box(1.0, (0.1, 0.2, 0.3))


def four_bar():
    """A planar loop: its point constraint has a row that says nothing."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body("crank", None, cd.joints.revolute("z"), BOX)
    b.add_body("coupler", "crank", cd.joints.revolute("z"), BOX, cd.SE3.from_translation((0.3, 0, 0)))
    b.add_body("rocker", None, cd.joints.revolute("z"), BOX, cd.SE3.from_translation((1.0, 0, 0)))
    b.add_constraint(cd.constraints.point("coupler", (1.0, 0, 0), "rocker", (0.7, 0, 0)))
    return b.build(), [0.5, 0.2, 1.5], [1.0, 0.3, -0.2]


def coupled():
    """A spline joint whose coordinate a hinge follows by a polynomial."""
    frames = cd.SE3.stack([cd.SE3.exp([0, 0.3 * k, 0, 0.02 * k**2, 0, 0.05 * k]) for k in range(6)])
    b = cd.ModelBuilder()
    b.add_body("bone", None, cd.joints.spline_curve(frames), BOX)
    b.add_body("cap", "bone", cd.joints.revolute("x"), BOX, cd.SE3.from_translation((0.1, 0, 0.2)))
    b.add_constraint(cd.constraints.couple("cap", "bone", cd.functions.polynomial([0.1, 0.4, -0.1])))
    return b.build(), [1.3, 0.5], [0.4, 0.0]


@pytest.mark.parametrize("case", [four_bar, coupled])
def test_derivatives_are_differences_of_constrained_accelerations(case):
    """Oracle: central differences of forward_dynamics, along moves and speeds that keep the constraints."""
    model, q, v = case()
    q, v = cd.project(model, q, v)
    tau = np.linspace(0.3, -0.5, model.nv)
    by_q, by_v, by_tau = cd.linearize(model, q, v, tau)
    h = 1e-5
    differences = [
        (cd.forward_dynamics(model, q, v, tau + h * e) - cd.forward_dynamics(model, q, v, tau - h * e)) / (2 * h)
        for e in np.eye(model.nv)
    ]
    assert_allclose(by_tau, np.transpose(differences), atol=1e-7)
    _, along = cd.project(model, q, np.ones(model.nv))  # a velocity that keeps the constraints
    ends = [cd.forward_dynamics(model, q, v + s * h * along, tau) for s in (1, -1)]
    assert_allclose(by_v @ along, (ends[0] - ends[1]) / (2 * h), atol=1e-6)

    def moved(s):
        """Along the constraint surface: the pose h further, and the same speed along it."""
        at, rate = cd.project(model, cd.integrate(model, q, s * h * along), v)
        return at, rate

    (q1, v1), (q0, v0) = moved(1), moved(-1)
    a1, a0 = cd.forward_dynamics(model, q1, v1, tau), cd.forward_dynamics(model, q0, v0, tau)
    expected = by_q @ cd.difference(model, q0, q1) + by_v @ (v1 - v0)
    assert_allclose(a1 - a0, expected, atol=2e-9)
