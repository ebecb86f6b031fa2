"""(p) One state for each call from Python, arrays given: a loop in Python over calls, as a first script of anybody is.

Times are of Pinocchio's call over ours: `cd.Evaluator`, which like Pinocchio's `data` keeps its results, and the public
functions, which return new arrays and, for poses, objects.
"""

import numpy as np
import pinocchio as pin

import condyle as cd

from ..engines import description, in_condyle, in_pinocchio
from ..table import Row
from ..timing import Timed, compare

__all__ = ["measure"]

CALLS = 2000
MOST = 1.5  # times Pinocchio's call


def looped(call, *arguments):
    """Many calls."""

    def run():
        for _ in range(CALLS):
            call(*arguments)

    return Timed(run, CALLS)


def calls(mechanism):
    """For each function: by the evaluator, in public, and by Pinocchio."""
    model, (other, carriers) = in_condyle.model(mechanism), in_pinocchio.model(mechanism)
    data, e = other.createData(), cd.Evaluator(model)
    q, v = mechanism.states(np.random.default_rng(0))
    tau, last = v.copy(), model.nbodies - 1
    yield (
        "forward dynamics",
        (e.forward_dynamics, q, v, tau),
        (cd.forward_dynamics, model, q, v, tau),
        (*(pin.aba, other, data, q, v, tau),),
    )
    yield (
        "inverse dynamics",
        (e.inverse_dynamics, q, v, tau),
        (cd.inverse_dynamics, model, q, v, tau),
        (*(pin.rnea, other, data, q, v, tau),),
    )
    yield (
        "poses of all bodies",
        (e.forward_kinematics, q),
        (cd.forward_kinematics, model, q),
        (*(pin.forwardKinematics, other, data, q),),
    )
    yield (
        "Jacobian of a body",
        (e.body_jacobian, q, last),
        (cd.body_jacobian, model, q, last),
        (*(pin.computeJointJacobian, other, data, q, carriers[last]),),
    )
    yield "mass matrix", (e.mass_matrix, q), (cd.mass_matrix, model, q), (pin.crba, other, data, q)


def measure():
    arm, tree = description.chain(7), description.tree(["revolute"], 30)
    for name, mechanism in (("arm of 7 hinges", arm), ("tree of 30", tree)):
        for what, kept, public, theirs in calls(mechanism):
            for how, call in (("Evaluator", kept), ("public", public)):
                pace = compare(looped(*call), looped(*theirs))
                note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs"
                yield Row("p", f"{what}, {name}, {how}", 1.0 / pace.ratio, "x", MOST, at_most=True, note=note)
    joint, q = cd.joints.revolute("y"), np.array([0.3])
    pace = compare(looped(joint.pose, q), looped(pin.exp6, np.arange(6.0)))
    yield Row("p", "joint.pose", pace.first * 1e6, "µs", 5.0, at_most=True, note=f"pin.exp6 {pace.second * 1e6:.2g} µs")
