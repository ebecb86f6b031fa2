"""The examples of public docstrings: they run, and they show what they say."""

import doctest
import inspect
import math
import re

import numpy as np
import pytest

import condyle
from public_names import public_functions, public_things

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


class Near(doctest.OutputChecker):
    """Compares numbers to six digits and ignores white space, so that no example rests on the last bit."""

    def check_output(self, want, got, optionflags):
        """Whether the words are the same and the numbers are near."""
        same = re.sub(r"\s", "", NUMBER.sub("#", want)) == re.sub(r"\s", "", NUMBER.sub("#", got))
        pairs = zip(NUMBER.findall(want), NUMBER.findall(got), strict=False)
        return same and all(math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-9) for a, b in pairs)


def examples():
    """The examples of every public class, function and method."""
    parser = doctest.DocTestParser()
    found = {}
    for name, thing, *_ in [*public_things(), *public_functions()]:
        text = inspect.getdoc(thing) or ""
        if ">>>" in text:
            globs = {"cd": condyle, "np": np}
            found[name] = parser.get_doctest(text, globs, name, None, 0)
    return found


EXAMPLES = examples()


SLOW = (
    "condyle.workspace.Arm",  # each fits a surface first
    "condyle.linearize",  # these need the compiler for long
    "condyle.inverse_dynamics_derivatives",
    "condyle.forward_dynamics_vjp",
    "condyle.inverse_dynamics_vjp",
    "condyle.simulate_vjp",
    "condyle.forward_dynamics_jvp",
    "condyle.body_hessian",
    "condyle.point_hessian",
    "condyle.center_of_mass_hessian",
    "condyle.momentum_derivatives",
    "condyle.energy_hessian",
    "condyle.identify",
    "condyle.simulation.stable_steps",
    "condyle.ModelBuilder.add_coupler",
    "condyle.ModelBuilder.add_constraint",
    "condyle.gallery.three_bodies",
    "condyle.trial.inverse_kinematics",
    "condyle.control.optimize",
    "condyle.muscles",
    "condyle.ensemble",  # starts processes
)


def marked(name):
    """As a parameter of a test, marked if it needs long."""
    return pytest.param(name, marks=[pytest.mark.slow] if name.startswith(SLOW) else [])


@pytest.mark.parametrize("name", [marked(name) for name in sorted(EXAMPLES)])
def test_every_example_of_a_docstring_runs(name, tmp_path, monkeypatch):
    """Oracle: the output that the docstring states, numbers to six digits; files go to an empty folder."""
    monkeypatch.chdir(tmp_path)
    lines: list[str] = []
    with np.printoptions(precision=8, suppress=True, linewidth=100):
        runner = doctest.DocTestRunner(checker=Near(), verbose=False)
        runner.run(EXAMPLES[name], out=lines.append)
    told = "".join(lines)
    if "Skipped: needs more than" in told:  # the limit of plain Python, which doctest takes for a failure
        pytest.skip("needs too long as plain Python")
    assert not runner.failures, told


# what most programs call
EVERYDAY = [
    *("load", "save", "view.export", "read_table", "write_table"),
    *("SE3", "Inertia", "Inertia.sphere", "Inertia.box", "Inertia.capsule"),
    *("joints.revolute", "joints.prismatic", "joints.helical", "joints.cylindrical", "joints.planar"),
    *("joints.universal", "joints.ball", "joints.free", "joints.elliptic", "joints.weld", "joints.product"),
    *("joints.compose", "joints.spline_curve", "joints.spline_surface", "joints.Joint.pose", "joints.Joint.jacobian"),
    *("functions.polynomial", "functions.spline", "functions.from_callable"),
    *("ModelBuilder", "ModelBuilder.add_body", "ModelBuilder.add_spring", "ModelBuilder.add_limit"),
    *("ModelBuilder.prescribe", "ModelBuilder.add_constraint", "constraints.point", "constraints.couple"),
    *("forward_kinematics", "body_jacobian", "forward_dynamics", "inverse_dynamics", "mass_matrix", "bias_forces"),
    *("energy", "momentum", "center_of_mass", "linearize", "integrate", "difference", "world_force", "simulate"),
    *("design.fit_curve", "design.fit_surface", "ik.solve", "ik.follow", "ik.position", "ik.pose", "ik.points"),
    *("ik.coordinate", "trial.inverse_kinematics", "trial.inverse_dynamics", "trial.lowpass", "trial.derivatives"),
    *("control.AnimationSpace", "control.direct", "control.keyframes", "control.point"),
    *("workspace.fit_arm", "workspace.Arm.solve", "workspace.Arm.forward"),
]


def test_the_functions_that_everybody_uses_have_examples():
    """Oracle: a list written by hand."""
    assert not [name for name in EVERYDAY if f"condyle.{name}" not in EXAMPLES]
