"""The printed iteration beside the exact one."""

import numpy as np
import pytest
from scipy.linalg import expm

from condyle import design
from condyle.design.lee_terzopoulos import printed_hessians
from condyle.design.problem.bending_penalty import gauss_points
from condyle.design.problem.curve_derivatives import Controls
from condyle.errors import NotSupported
from condyle.splines import clamped_knots, cumulative_pieces
from support.knees import hat, noisy_knee


@pytest.mark.parametrize("weight", [0.0, 1e-4, 1e-2])
def test_the_printed_iteration_is_slower_and_stops_beside_the_optimum(weight):
    """Oracle: a separate implementation converged linearly, in twice the iterations, to a cost 1e-5 to 4e-4 higher."""
    q, _, poses = noisy_knee(25, 0.02, 0.002)
    exact, printed = (
        design.fit_curve(poses, q, frames=9, smoothing=weight, method=m) for m in ("gauss-newton", "paper")
    )
    assert printed.converged and printed.iterations > exact.iterations + 3
    assert printed.gradient > 1e-5 > 1e5 * exact.gradient
    assert 1e-6 < printed.cost / exact.cost - 1 < 1e-3


def hessian_at(frames, at):
    """h of all places by definition: S and its slope from the joint's exponential factors, by central differences."""
    z = [np.zeros(6), *Controls.of(frames).z]

    def twist(i, x):
        S = np.zeros(6)
        for l in range(3):
            g = z[at.first[i] + l + 1]
            b, db, ddb = at.weights[:, i, l]
            b, db = b + x * db + 0.5 * x * x * ddb, db + x * ddb  # Taylor along q; h needs no third derivative
            E = expm(-hat(b * g))
            S = vee_of(E @ hat(S) @ np.linalg.inv(E)) + db * g
        return S

    step = 1e-4
    return np.array([(twist(i, step) - twist(i, -step)) / (2 * step) for i in range(len(at))])


def vee_of(m):
    return np.array([m[2, 1], m[0, 2], m[1, 0], m[0, 3], m[1, 3], m[2, 3]])


@pytest.mark.slow
def test_the_printed_rate_of_the_hessian_is_right_to_first_order():
    """Oracle: finite differences of h by definition (scipy's expm); the error halves with the frames' distance.

    A separate implementation measured relative errors of .185, .093, .047 at distances .5, .25, .125.
    """
    directions = np.random.default_rng(0).normal(size=(6, 6))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    at, _ = gauss_points(cumulative_pieces(clamped_knots(np.arange(5.0), 4), 4), 4)
    errors = []
    for distance in (0.5, 0.25, 0.125):
        frames = [np.eye(4)]
        for x in directions:
            frames.append(frames[-1] @ expm(hat(distance * x)))
        frames = np.array(frames)
        h, N = printed_hessians(Controls.of(frames), at)
        assert np.abs(h - hessian_at(frames, at)).max() < 1e-6
        u, e = np.random.default_rng(1).normal(size=(7, 6)), 1e-4
        ends = [
            hessian_at(np.array([G @ expm(hat(s * e * x)) for G, x in zip(frames, u, strict=True)]), at)
            for s in (1, -1)
        ]
        rate = (ends[0] - ends[1]) / (2 * e)
        printed = np.array([n @ u[f : f + 4].ravel() for n, f in zip(N, at.first, strict=True)])
        errors.append(np.linalg.norm(printed - rate) / np.linalg.norm(rate))
    assert errors[0] < 0.3
    assert np.array(errors[:-1]) / errors[1:] == pytest.approx([2, 2], rel=0.2)


@pytest.mark.parametrize("options", [{"penalty": "curvature"}, {"loss": "huber"}])
def test_what_the_paper_does_not_know_is_refused(options):
    """Oracle: the words."""
    q, _, poses = noisy_knee(25, 0.02, 0.002)
    with pytest.raises(NotSupported, match="plain least squares and penalty='hessian' only"):
        design.fit_curve(poses, q, frames=9, method="paper", **options)
