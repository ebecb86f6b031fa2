"""Whether something is a number of the kind that times, gains and tolerances are."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np


def positive(x: Any) -> bool:
    """Whether x is a finite number above zero."""
    return isinstance(x, Real) and bool(np.isfinite(float(x))) and float(x) > 0.0


def not_negative(x: Any) -> bool:
    """Whether x is zero, or a finite number above it."""
    return positive(x) or (isinstance(x, Real) and float(x) == 0.0)
