"""B-splines by the recursion, for complex numbers too: an oracle that shares nothing with `condyle.splines`."""

from itertools import pairwise

import numpy as np


def deboor(q, knots, k):
    """All B-splines of order k at a complex q, by the recursion."""
    x = np.real(q)
    B = [1.0 + 0j if a <= x < b else 0j for a, b in pairwise(knots)]
    for d in range(1, k):
        left = [(q - knots[i]) / (knots[i + d] - knots[i]) * B[i] if B[i] else 0j for i in range(len(B) - 1)]
        right = [(knots[i + d + 1] - q) / (knots[i + d + 1] - knots[i + 1]) * B[i + 1] if B[i + 1] else 0j
                 for i in range(len(B) - 1)]  # fmt: skip
        B = [a + b for a, b in zip(left, right, strict=True)]
    return np.array(B)


def deboor_slopes(q, knots, k):
    """Their derivatives: (k − 1) (B_i / (t_(i+k−1) − t_i) − B_(i+1) / (t_(i+k) − t_(i+1))) of order k − 1."""
    lower = deboor(q, knots, k - 1)
    parts = [b * (k - 1) / (knots[i + k - 1] - knots[i]) if b else 0j for i, b in enumerate(lower)]
    return np.array([a - b for a, b in pairwise(parts)])
