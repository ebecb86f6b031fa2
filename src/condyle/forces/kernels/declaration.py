"""What a law of force declares: the port that it acts at, its constants with their units and ranges, its functions.

A law is written once, on numbers of any type. It acts on one of these readings of its port:

- COORDINATE: `force(z, c, x, rate)` on a coordinate x, positive towards larger x.
- LINE: `force(z, c, length, rate)`, the tension between two points.
- TURNS: `force(z, c, turns, shifts, turn_rates, shift_rates)`, the generalised forces on three angles and on three
  shifts of one frame in another.
- GAP: `force(z, c, radius, depth, rate, slip)`: the normal force between two surfaces that are `depth` deep in each
  other, which grows at `rate`, and the drag, friction over slip velocity; `slip` is that velocity's square, `radius`
  the relative radius of curvature.

`energy` takes what of this is no rate. What is lost follows: −force · rate − dE/dt.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, NamedTuple

COORDINATE, LINE, TURNS, GAP = "coordinate", "line", "turns", "gap"


class Constant(NamedTuple):
    """A constant of a law: its unit, where `x` is rad or m and `f` N m or N, its range, and its default.

    Attributes
    ----------
    unit : str
    least : float
        The smallest that it may be.
    above : float
        What it must exceed.
    default : float or None
        None if it must be given.
    linear : bool
        Whether the force is linear in it.
    infinite : bool
        Whether it may be infinite, as the end of a limit.
    """

    unit: str
    least: float = -inf
    above: float = -inf  # that it must exceed
    default: float | None = None
    linear: bool = False  # whether the force is linear in it
    infinite: bool = False  # whether it may be infinite, as the end of a limit


class Law(NamedTuple):
    """A law of force.

    Attributes
    ----------
    name : str
    reading : str
        What it acts on: "coordinate", "line", "turns" or "gap".
    constants : mapping of str to Constant
    force, energy, slopes : callable or None
        Kernels; without `slopes` they follow from the force.
    limit : bool
        Whether it acts beyond constants `low` and `high` only.
    words : str
        What messages call it.
    file : str
        Its type among `loads` in model files; others are in `forces` by their name.
    """

    name: str
    reading: str
    constants: Mapping[str, Constant]
    force: Callable[..., Any]
    energy: Callable[..., Any] | None = None
    slopes: Callable[..., Any] | None = None  # of the force, where they are written by hand
    limit: bool = False  # whether it acts beyond constants `low` and `high`
    words: str = ""  # what messages call it
    file: str = ""  # its type among `loads` in model files; others are in `forces` by their name
