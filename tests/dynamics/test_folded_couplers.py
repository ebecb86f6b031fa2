"""Coordinates that are functions of others: the same motion as with constraints, without any."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from support.coupled import CASES, built, expanded, free_of_couplers, random_states, reduced_accelerations

import condyle as cd


def gap(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize("case", CASES)
def test_accelerations_are_those_of_the_reduced_equations(case):
    """Oracle: (GᵀMG) ÿ = Gᵀ(τ − h − Mg), dense, with M and h of the model without couplers; one state and a batch."""
    model = built(CASES[case], loads=True)
    q, v, tau = random_states(model, 11)
    expected = reduced_accelerations(model, CASES[case], q, v, tau)
    assert gap(cd.forward_dynamics(model, q, v, tau), expected) < 1e-12
    assert gap(cd.forward_dynamics(model, q[0], v[0], tau[0]), expected[0]) < 1e-12
