"""How a coordinate moves its body: rotational, translational or coupled, in OpenSim's words; angles typed in degrees.

A coordinate is *rotational* if it turns its body by as much as it says (a linear function of slope 1 or −1 about an
axis), *translational* if it does not turn it, *coupled* if it turns it by another function of itself, such as a spline.
"""

from __future__ import annotations

import numpy as np

from ..errors import warn
from ..joints import Joint
from ..joints.segments import FACTORS, POLYNOMIAL, Segment, Term

ROTATIONAL, TRANSLATIONAL, COUPLED = "rotational", "translational", "coupled"
TWO_TURNS = {"rad": 4.0 * np.pi, "deg": 720.0}


def motion_type(joint: Joint, coordinate: int) -> str:
    """How a coordinate of a joint moves its body."""
    factors = [(s, k, term) for s in joint.segments if s.kind == FACTORS for k, term in enumerate(s.terms)]
    turning = [(s, k, t) for s, k, t in factors if coordinate in t.coordinates and s.twists[:, k, :3].any()]
    if not turning:
        return TRANSLATIONAL
    return ROTATIONAL if any(_by_itself(*factor) for factor in turning) else COUPLED


def _by_itself(segment: Segment, k: int, term: Term) -> bool:
    """Whether a factor turns by its coordinate, forward or backward: a linear function of slope 1 or −1."""
    if term.code != POLYNOMIAL or len(term.coordinates) != 1 or term.constants.shape[1] < 2:
        return False
    rate = term.constants[:, 1] * np.linalg.norm(segment.twists[:, k, :3], axis=1)
    return bool(np.allclose(np.abs(rate), 1.0, rtol=0, atol=1e-12)) and not term.constants[:, 2:].any()


def warn_if_degrees(low: float, high: float, what: str) -> None:
    """Warn of the ends of an angle [rad] that are beyond two turns, and within two turns if they were meant in degrees.

    Parameters
    ----------
    low, high : float
        Ends of a range of a coordinate that turns its body by as much as it says.
    what : str
        Whose they are, such as "range of 'knee'".
    """
    largest = max((abs(end) for end in (low, high) if np.isfinite(end)), default=0.0)
    if TWO_TURNS["rad"] < largest <= TWO_TURNS["deg"]:
        turned = f"[{np.degrees(low):.5g}, {np.degrees(high):.5g}]"
        warn(
            f"{what}: [{low:g}, {high:g}] rad is {turned} degrees, more than two turns. Are these degrees? Use "
            "numpy.radians"
        )
