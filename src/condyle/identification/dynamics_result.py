"""What an identification from motion and forces found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import unknown_name
from .base_parameters import BaseParameter
from .result import Identified


@dataclass(frozen=True)
class Quantity:
    """A physical number that was unknown.

    Attributes
    ----------
    name : str
        With its unit.
    value, deviation : float
    determined : bool
        Whether the data say what it is by itself; if not, its value rests on the start, and its deviation is infinite.
    """

    name: str
    value: float
    deviation: float
    determined: bool


@dataclass(frozen=True)
class IdentifiedDynamics(Identified):
    """A model and a motion that explain measured forces, and markers or coordinates beside them.

    Attributes
    ----------
    times : ndarray, shape (F,)
        [s]
    v, a : ndarray, shape (F, nv)
        Velocities and accelerations of the motion.
    torque_names : tuple of str
    torques : ndarray, shape (F, k)
        Computed forces [N m, N].
    torque_residuals : ndarray, shape (F, k)
        Computed less measured; NaN where not measured.
    misfit : dict of str to float
        Root mean square of residuals over their standard deviations, by kind: 1 if noise is all there is.
    quantities : tuple of Quantity
        Masses, centres, moments, stiffnesses and dampings that were unknown, in their own units.
    base : tuple of BaseParameter
        Combinations of inertial numbers that the forces depend on, of bodies whose inertia was unknown as a whole.
    """

    times: np.ndarray
    v: np.ndarray
    a: np.ndarray
    torque_names: tuple[str, ...]
    torques: np.ndarray
    torque_residuals: np.ndarray
    misfit: dict[str, float]
    quantities: tuple[Quantity, ...]
    base: tuple[BaseParameter, ...]

    def quantity(self, name: str) -> Quantity:
        """A physical number by name, without its unit.

        Parameters
        ----------
        name : str
            "shank.mass", "shank.com.z", "shank.moment.yy", "springs[0].stiffness", "knee.damping", ….

        Returns
        -------
        Quantity

        Raises
        ------
        UnknownName
            If it was not unknown.
        """
        known = {x.name.partition(" [")[0]: x for x in self.quantities}
        if name not in known:
            raise unknown_name("quantity", name, known, "this identification")
        return known[name]

    def headline(self) -> list[str]:
        """How well the data are met, in words."""
        off = np.sqrt(np.nanmean(self.torque_residuals**2, axis=0))
        worst = int(np.argmax(off))
        lines = [f"forces are met within {off[worst]:.3g} N m or N (root mean square of {self.torque_names[worst]}, "
                 f"the largest) after {self.rounds} steps"]  # fmt: skip
        return lines + ([f"markers within {1e3 * self.rms:.3g} mm"] if self.marker_names else [])

    def __str__(self) -> str:
        """Forces, then unknowns, then physical numbers and base parameters."""
        lines = [super().__str__()]
        for x in self.quantities:
            words = f"± {x.deviation:.2g}" if x.determined else "(not determined by itself)"
            lines.append(f"{x.name} = {x.value:.5g} {words}")
        lines += [f"base parameter {x.name} = {x.value:.5g} ± {x.deviation:.2g}" for x in self.base]
        return "\n".join(lines)
