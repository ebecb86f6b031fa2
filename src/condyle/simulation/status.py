"""Why a member of a batch stopped."""

from __future__ import annotations

from ..dynamics.kernels.layout import KINDS
from ..dynamics.run import describe
from ..model import Model
from .kernels.status import ASKED, BLOWN_UP, LEFT_DOMAIN, NOT_SOLVED, STUCK

__all__ = ["reason"]


def reason(model: Model, status: int) -> str:
    """A status in words."""
    kind = status % KINDS
    if kind == BLOWN_UP:
        body = model.bodies[status // KINDS]
        return f"the motion blew up: joint {body.joint_name!r} is faster than any real one. Try a smaller step"
    if kind == STUCK:
        return "the error control needed a step below 1e-13 s: the motion is too stiff or not smooth here"
    if kind == NOT_SOLVED:
        return (
            "the equations of the variational step found no solution: the motion turns or bends too sharply within one "
            "step. Try a smaller step"
        )
    if kind == ASKED:
        return "the stop condition was met"
    if kind == LEFT_DOMAIN:
        body = model.bodies[status // KINDS]
        return f"joint {body.joint_name!r} left its domain, which it refuses (outside='error')"
    return describe(model, status)
