"""`simulate`: states forward in time, in compiled code, for one state or a batch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..dynamics.states import states
from ..errors import NotSupported, require
from ..model import Model
from .endings import explained
from .plan import check_integrator, make_plan, positive
from .run import Run
from .trajectory import Trajectory

__all__ = ["simulate"]


def simulate(
    model: Model,
    q,
    v=None,
    *,
    duration: float,
    step: float = 1e-3,
    integrator: str = "rk4",
    control: Callable | np.ndarray | None = None,
    control_at: str = "steps",
    wrenches=None,
    record: float | None = None,
    t0: float = 0.0,
    stop: Callable | None = None,
    tolerance: float = 1e-8,
    land_on_knots: bool | None = None,
    progress: bool = False,
    threads: int | None = None,
) -> Trajectory:
    """Simulate `duration` seconds from (q, v), one state or a batch, and record every `record` seconds (every step).

    `integrator`: "euler", "semi-implicit", "rk4", "adaptive" (error per step below `tolerance`; one state lands on
    spline knots, a batch if `land_on_knots`), or "variational". `control(t, q, v)` gives generalised forces for the
    whole batch once per step and is held (control_at="stages": at every stage of rk4), or is an array (..., nv) or
    (..., steps, nv). `wrenches` act throughout. `stop(t, q, v)` ends members where it says True, looked at when
    recording. A member that fails stops with a reason in `.stopped` and NaN in its later records; the others go on.
    """
    check_integrator(model, integrator)
    require(control_at in ("steps", "stages"), "control_at must be 'steps' or 'stages'", control_at=control_at)
    at_stages = control_at == "stages" and callable(control)
    require(
        not at_stages or integrator == "rk4",
        "control_at='stages' is for integrator='rk4'; other integrators hold the control over a step",
        integrator=integrator,
    )
    require(
        not (at_stages and model.constraints),
        "control_at='stages' does not take models with constraints; let the control be held over a step",
        NotSupported,
    )
    s = states(model, q, v=np.zeros(model.nv) if v is None else v, wrenches=wrenches)
    plan = make_plan(t0, duration, step, record)
    land = s.single if land_on_knots is None else bool(land_on_knots)
    how = (integrator, control, positive(tolerance, "tolerance", "-"), land, threads)
    run = Run(model, s, plan, *how)
    run.march(control if callable(control) else None, stop, progress, at_stages)
    trajectory = run.trajectory()
    return explained(run, trajectory, *how) if s.single and control is None else trajectory
