"""Arms fitted once for all tests."""

import numpy as np
import pytest

from condyle.splines.bezier.bezier_surface import BezierSurface
from condyle.splines.bezier.domain_complex import hexagon
from condyle.workspace import Arm, Lengths, fit_arm, synthetic_subject


@pytest.fixture(scope="session")
def male():
    return fit_arm(synthetic_subject("male", seed=3))


@pytest.fixture(scope="session")
def ball_arm():
    """A shoulder that never moves: the elbow runs on a sphere of known centre and radius."""
    complex = hexagon(3)
    x, y = complex.points.T
    shoulder = np.tile([0.15, 0.0, 0.0], (37, 1))
    elbow = shoulder + 0.3 * np.column_stack([1.2 - 0.4 * (x * x + y * y), x, y])
    low, high = elbow + [0.0, 0.2, 0.1], elbow + [0.02, -0.1, 0.2]
    control = np.hstack([shoulder, elbow, low, high])
    return Arm(BezierSurface(complex, control), Lengths(0.15, 0.3, 0.27))


KINDS = {
    "cubic": {},
    "seven patches": {"extra": True, "count": 150},
    "split in four": {"split": 1},
    "quartic": {"degree": 4},
    "quintic": {"degree": 5},
}
FIRST, *OTHERS = KINDS


@pytest.fixture(scope="session", params=[FIRST, *(pytest.param(kind, marks=pytest.mark.slow) for kind in OTHERS)])
def any_arm(request):
    """An arm of every layout and degree, fitted with one weight (no cross-validation, to be quick)."""
    options = {"count": 90} | KINDS[request.param]
    samples = synthetic_subject("male", count=options.pop("count"), seed=3)
    return fit_arm(samples, smoothing=1e-5, **options)
