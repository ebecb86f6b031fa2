"""What an identification found, how sure it is, and what the data leave open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..design import require_new
from ..errors import unknown_name
from ..formats.safe_files import write_text
from ..model import Model
from ..typing import PathLike

NINETY_FIVE = 1.959963984540054  # standard deviations on each side


@dataclass(frozen=True)
class Identified:
    """A model and a motion that explain measured markers.

    Attributes
    ----------
    model : Model
        With what was unknown at its best values, and markers where they were found.
    q : ndarray, shape (F, nq)
        The motion.
    names : tuple of str
        Of all shared unknowns, one for each number.
    values : ndarray, shape (p,)
        Their best values: changes from the start, in m, rad or logarithms of sizes.
    covariance : ndarray, shape (p, p)
        Of `values`; directions that the data do not determine are left out.
    open : tuple of str
        Directions that the data do not determine, in words; they stay at the start.
    fixed : tuple of str
        What was held so that joints and coordinates keep their meaning, in words.
    marker_names : tuple of str
    residuals : ndarray, shape (F, m, 3)
        Computed less measured [m]; NaN where a marker was not seen.
    sigma : float
        Standard deviation of a measured number [m]: as given, or as the residuals say.
    rounds, evaluations : int
        Steps, and how often the model was evaluated over all frames.
    converged : bool
    """

    model: Model
    q: np.ndarray
    names: tuple[str, ...]
    values: np.ndarray
    covariance: np.ndarray
    open: tuple[str, ...]
    fixed: tuple[str, ...]
    marker_names: tuple[str, ...]
    residuals: np.ndarray
    sigma: float
    rounds: int
    evaluations: int
    converged: bool

    @property
    def deviations(self) -> np.ndarray:
        """Standard deviations of `values`, (p,)."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    @property
    def intervals(self) -> np.ndarray:
        """95 % intervals of `values`, (p, 2)."""
        half = NINETY_FIVE * self.deviations
        return np.stack([self.values - half, self.values + half], axis=1)

    def of(self, name: str) -> slice:
        """Where the numbers of an unknown stand in `values`.

        Parameters
        ----------
        name : str
            "knee.frames", "shank.placement", "thigh.scale" or "markers".

        Returns
        -------
        slice

        Raises
        ------
        UnknownName
            If it was not unknown.
        """
        owners = [n.rpartition("[")[0] for n in self.names]
        if name not in owners:
            raise unknown_name("unknown", name, dict.fromkeys(owners), "this identification")
        first = owners.index(name)
        return slice(first, first + owners.count(name))

    @property
    def rms(self) -> float:
        """Root mean square of the distances of markers [m]; 0 without markers."""
        if not self.marker_names:
            return 0.0
        return float(np.sqrt(np.nanmean(np.sum(self.residuals**2, axis=2))))

    def report(self, path: PathLike | None = None, *, title: str = "An identified model", force: bool = False) -> str:
        """A page with intervals, what is open and errors of markers, written to `path` if one is given.

        Parameters
        ----------
        path : str or path, optional
            The file to write (.html).
        title : str, optional
        force : bool, optional
            Write over a file that exists.

        Returns
        -------
        str
            The page.

        Raises
        ------
        BadFile
            If the file exists, or cannot be written.
        """
        from .page import page

        text = page(self, title)
        if path is not None:
            require_new(path, force)
            write_text(path, text)
        return text

    def headline(self) -> list[str]:
        """How well the data are met, in words."""
        return [f"markers are met within {1e3 * self.rms:.3g} mm (root mean square) after {self.rounds} steps"]

    def __str__(self) -> str:
        """A summary by unknowns, with the largest standard deviation of each."""
        lines = self.headline()
        if not self.converged:
            lines.append("the steps did not converge")
        for name in dict.fromkeys(n.rpartition("[")[0] for n in self.names):
            part = self.of(name)
            size, sure = np.abs(self.values[part]).max(), self.deviations[part].max()
            lines.append(f"{name}: {part.stop - part.start} numbers, largest change {size:.3g}, ± {sure:.2g}")
        lines += [f"held: {words}" for words in self.fixed]
        lines += [f"not determined by the data: {words}" for words in self.open]
        return "\n".join(lines)
