"""What inverse kinematics found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import NotConverged

__all__ = ["Solution"]


@dataclass(frozen=True)
class Solution:
    """Coordinates and how well they reach the targets, for each member of a batch.

    Attributes
    ----------
    q : ndarray, shape (..., nq)
    residual : ndarray, shape (...)
        Norm of all weighted residuals [m, rad].
    reached : ndarray of bool, shape (...)
        Whether the largest residual is below the tolerance.
    stationary : ndarray of bool, shape (...)
        Whether no small change of q inside its limits helps.
    iterations : ndarray of int, shape (...)
        Of the start that was kept.
    restarts : ndarray of int, shape (...)
        Further starts tried.
    """

    q: np.ndarray
    residual: np.ndarray
    reached: np.ndarray
    stationary: np.ndarray
    iterations: np.ndarray
    restarts: np.ndarray

    def require(self) -> Solution:
        """Return the solution itself if every target was reached.

        Returns
        -------
        Solution

        Raises
        ------
        NotConverged
            Else, with the worst residual.
        """
        if not np.all(self.reached):
            raise NotConverged(str(self))
        return self

    def __str__(self) -> str:
        count, good = self.reached.size, int(np.sum(self.reached))
        if not count:
            return "an empty batch: no targets"
        if good == count:
            return f"reached in {int(np.max(self.iterations))} iterations; residual {np.max(self.residual):.3g}"
        worst = float(np.max(self.residual))
        which = "the target is" if count == 1 else f"{count - good} of {count} targets are"
        halted = self.stationary[~self.reached] if self.reached.ndim else self.stationary
        nearest = np.all(halted)
        why = (
            "the nearest pose found is kept" if nearest else "the iteration limit ended the search; raise `iterations`"
        )
        return f"{which} not reached: residual {worst:.3g} (weighted metres and radians); {why}"
