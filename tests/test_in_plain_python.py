"""Derivatives and adjoints without the compiler: some of their tests, in plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
DERIVATIVES = "dynamics/test_derivatives.py::test_"
PLAIN = [
    DERIVATIVES + "every_kind_of_joint_has_the_derivatives_of_the_recursion[back_curve]",
    DERIVATIVES + "quaternion_columns_are_steps_of_integrate",
    DERIVATIVES + "random_trees_linearize_as_the_recursion_does[0]",
    DERIVATIVES + "prescribed_coordinates_keep_their_accelerations",
    DERIVATIVES + "a_body_without_inertia_is_named",
    "dynamics/test_adjoint.py::test_cotangents_of_accelerations_are_the_transposed_derivatives[0]",
    "dynamics/test_adjoint.py::test_cotangents_of_forces_are_the_transposed_derivatives[0]",
    "dynamics/test_adjoint.py::test_cotangents_of_parameters_are_differences_of_rebuilt_models",
    "dynamics/test_linear_with_constraints.py",
    "dynamics/test_second_order.py::test_the_hessian_of_energy_is_its_second_derivative",
    "dynamics/test_second_order.py::test_dual_numbers_are_complex_steps_where_nothing_else_is_written",
    "simulation/test_gradients_through_time.py::test_the_gradient_is_that_of_the_steps[semi-implicit]",
    "simulation/test_gradients_through_time.py::test_what_cannot_be_is_named",
]


@pytest.mark.slow
def test_derivatives_and_adjoints_hold_in_plain_python():
    """Oracle: the tests themselves (complex steps of the recursions, differences), run without the compiler."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *PLAIN]
    environment = {**os.environ, "CONDYLE_COMPILE": "0"}
    done = subprocess.run(command, cwd=TESTS, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
