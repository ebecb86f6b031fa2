"""The same pose of the same arm's hand asked of condyle, pink and mink, each in the way its own examples use it.

Condyle begins again from other postures where a search fails, and its time counts that; pink and mink end where they
are stuck.
"""

import numpy as np

from .arm import HAND, START

__all__ = ["in_condyle", "in_mink", "in_pink"]

TOLERANCE, ITERATIONS = 1e-6, 100
RESTARTS = 16  # of condyle: most further starts of a target
DAMPING = 1e-2  # of pink and mink: the best of 0, 1e-3, 1e-2, 0.1 and 1 for either


def in_condyle(path):
    """(solve one, solve all): whether the pose was reached."""
    import condyle as cd

    model = cd.load(path)
    options = {"tolerance": TOLERANCE, "iterations": ITERATIONS, "restarts": RESTARTS}

    def solve(T):
        return cd.ik.solve(model, cd.ik.pose(HAND, T), START, **options).reached

    return solve, solve


def in_pink(path):
    """Differential steps of one second with gain one, its own joint limits, the QP solver daqp."""
    import pink
    import pinocchio as pin
    from pink.limits import ConfigurationLimit

    model = pin.buildModelFromUrdf(str(path))
    data, limits = model.createData(), [ConfigurationLimit(model)]

    def solve(T):
        configuration = pink.Configuration(model, data, START.copy())
        task = pink.FrameTask(HAND, position_cost=1.0, orientation_cost=1.0, lm_damping=DAMPING)
        task.set_target(pin.SE3(T))
        return followed(
            lambda: task.compute_error(configuration),
            lambda: pink.solve_ik(configuration, [task], 1.0, solver="daqp", limits=limits),
            lambda v: configuration.integrate_inplace(v, 1.0),
        )

    return solve


def in_mink(path):
    """The same in mink, on MuJoCo's reading of the file."""
    import mink
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    limits = [mink.ConfigurationLimit(model)]

    def solve(T):
        configuration = mink.Configuration(model, START.copy())
        task = mink.FrameTask(HAND, "body", position_cost=1.0, orientation_cost=1.0, lm_damping=DAMPING)
        task.set_target(mink.SE3.from_matrix(T))
        return followed(
            lambda: task.compute_error(configuration),
            lambda: mink.solve_ik(configuration, [task], 1.0, "daqp", limits=limits),
            lambda v: configuration.integrate_inplace(v, 1.0),
        )

    return solve


def followed(error, step, move):
    """Whether the steps lead to the target within the tolerance; an error of the solver ends them."""
    for _ in range(ITERATIONS):
        if np.abs(error()).max() <= TOLERANCE:
            return True
        try:
            move(step())
        except Exception:  # each has its own error for a QP without a solution
            return False
    return bool(np.abs(error()).max() <= TOLERANCE)
