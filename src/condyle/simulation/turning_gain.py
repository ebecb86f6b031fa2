"""What semi-implicit steps add to the energy of ball and free joints that turn.

Velocities of these joints are given in axes that turn with the body. A step of h is explicit in ω × v, so that what
turns at ω gains up to h ω² of its energy in a second, for ever.
"""

from __future__ import annotations

import numpy as np

from ..errors import CondyleWarning, warn
from .base_trajectory import BaseTrajectory

WORTH_A_WORD = 0.1  # share of the energy that a run may gain


def warn_of_turning_gain(integrator: str, step: float, run: BaseTrajectory) -> None:
    """Warn of joints that may have gained energy in a run by steps [s]."""
    model = run.model
    if integrator != "semi-implicit" or not model.quaternions or len(run.t) < 2:
        return
    v = np.asarray(run.v)
    gains = {name: _gain(step, run.t, v[..., at : at + 3]) for _, at, name in model.quaternions}
    name = max(gains, key=lambda name: gains[name])
    if gains[name] > WORTH_A_WORD:
        warn(f"simulate: semi-implicit steps of {step:g} s may have given what turns with the joint {name!r} up to "
             f"{gains[name]:.2g} times its energy in this run; take integrator='variational' or 'rk4', or a smaller "
             "step", CondyleWarning)  # fmt: skip


def _gain(step: float, times: np.ndarray, turning: np.ndarray) -> float:
    """h ∫ω² dt of the member that turns most, as far as it went."""
    square = np.nan_to_num((turning**2).sum(axis=-1), posinf=0.0).reshape(-1, len(times))
    return float(step * np.trapezoid(square, times, axis=-1).max(initial=0.0))
