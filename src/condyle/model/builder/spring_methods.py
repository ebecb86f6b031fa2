"""Loads of a builder between bodies: springs between points, bushings between frames."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ...forces.kernels.laws.bushing import BUSHING
from ...spatial.arrays import real_numbers
from ...typing import ArrayLike
from .force_methods import ForceMethods


class SpringMethods(ForceMethods):
    """What pulls bodies together: the methods of a builder that add springs between them."""

    def add_spring(
        self,
        body_a: str | None,
        point_a: ArrayLike,
        body_b: str | None,
        point_b: ArrayLike,
        *,
        stiffness: float,
        length: float,
        damping: float = 0.0,
    ) -> Self:
        """A spring between a point of one body and a point of another (None: the world), each in its body's frame.

        `stiffness` [N/m], rest `length` [m], `damping` [N s/m] along the line between the points.

        Parameters
        ----------
        body_a : str or None
            Name of the first body; None is the world.
        point_a : array_like, shape (3,)
            Its point, in its own frame [m].
        body_b : str or None
            Name of the second body; None is the world.
        point_b : array_like, shape (3,)
            Its point, in its own frame [m].
        stiffness : float
            [N/m], not negative.
        length : float
            At rest [m], not negative.
        damping : float, optional
            Along the line between the points [N s/m], not negative.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If a body has not been added.
        BadValue
            If both bodies are the same, or a constant is negative.

        Examples
        --------
        A block of 2 kg on a spring of 50 N/m that is stretched by 0.4 m:

        >>> import condyle as cd
        >>> block = cd.Inertia.point(2.0)
        >>> b = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("block", joint=cd.joints.prismatic("x"), inertia=block)
        >>> model = b.add_spring(None, (0, 0, 0), "block", (0, 0, 0), stiffness=50.0, length=1.0).build()
        >>> cd.forward_dynamics(model, [1.4], [0.0]).round(6)
        array([-10.])
        """
        constants: dict[str, Any] = {"stiffness": stiffness, "damping": damping, "length": length}
        return self.add_force("spring", (body_a, point_a, body_b, point_b), **constants)

    def add_bushing(
        self,
        body_a: str | None,
        frame_a: ArrayLike | None,
        body_b: str | None,
        frame_b: ArrayLike | None,
        *,
        stiffness: ArrayLike,
        damping: ArrayLike = 0.0,
    ) -> Self:
        """Springs and dampers of all six motions between a frame of one body and a frame of another (None: the world).

        The frame of b is turned from that of a by Rx(α) Ry(β) Rz(γ) and shifted by p in the axes of a; the generalised
        forces on (α, β, γ, p) are −(stiffness · x + damping · ẋ). β must stay clear of ±90°.

        Parameters
        ----------
        body_a : str or None
            Name of the first body; None is the world.
        frame_a : SE3, array_like, shape (4, 4), or None
            Frame on the first body; None is its own.
        body_b : str or None
            Name of the second body; None is the world.
        frame_b : SE3, array_like, shape (4, 4), or None
            Frame on the second body; None is its own.
        stiffness : array_like, shape (6,)
            Of three turns [N m/rad], then of three shifts [N/m], not negative.
        damping : array_like, shape (6,), optional
            Of three turns [N m s/rad], then of three shifts [N s/m], not negative.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If a body has not been added.
        BadValue
            If both bodies are the same, or a constant is negative.

        Examples
        --------
        >>> import condyle as cd
        >>> b = cd.ModelBuilder(gravity=(0, 0, 0))
        >>> b = b.add_body("arm", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(2.0, (1, 0, 0)))
        >>> model = b.add_bushing(None, None, "arm", None, stiffness=(0, 0, 5, 0, 0, 0)).build()
        >>> cd.forward_dynamics(model, [0.4], [0.0]).round(6)
        array([-1.])
        """
        six = [np.broadcast_to(real_numbers(x, "add_bushing"), (6,)) for x in (stiffness, damping)]
        constants: dict[str, Any] = dict(zip(BUSHING.constants, np.concatenate(six).tolist(), strict=True))
        return self.add_force("bushing", (body_a, frame_a, body_b, frame_b), **constants)
