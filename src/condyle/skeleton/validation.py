"""What a skeleton's data must satisfy, and what is said when it does not."""

from __future__ import annotations

import numpy as np

from ..errors import BadInertia, BadShape, BadTree, BadValue, NotFinite, require
from ..spatial import Inertia

UNIT = 1e-9


def check_shape(array: np.ndarray, shape: tuple[int, ...], name: str) -> None:
    """The shape, and no NaN or infinity."""
    require(array.shape == shape, f"{name} must have shape {shape}; got {array.shape}", BadShape)
    require(np.isfinite(array).all(), f"{name} holds NaN or infinity; every entry must be a finite number", NotFinite)


def check_bodies(names: tuple[str, ...], masses: np.ndarray, inertias: np.ndarray) -> None:
    """Positive masses, symmetric positive definite moments of inertia."""
    for name, mass, moment in zip(names, masses.tolist(), inertias, strict=True):
        require(mass > 0, f"body {name!r}: the mass must be positive [kg]; got {mass:g}", BadInertia)
        skew = np.abs(moment - moment.T).max()
        require(
            skew <= 1e-9 * np.abs(moment).max(),
            f"body {name!r}: the moment of inertia must be symmetric; entries differ by {skew:.3g} kg m²",
            BadInertia,
        )
        least = np.linalg.eigvalsh(moment)[0]
        require(
            least > 0,
            f"body {name!r}: the moment of inertia must be positive definite [kg m²], about the centre of mass; "
            f"its least eigenvalue is {least:.6g}",
            BadInertia,
        )


def check_moments(names: tuple[str, ...], masses: np.ndarray, inertias: np.ndarray) -> None:
    """Moments of inertia that a body can have."""
    for name, mass, moment in zip(names, masses.tolist(), inertias, strict=True):
        try:
            Inertia(mass, moment=moment)
        except BadInertia as error:
            raise BadInertia(f"body {name!r}: {error}") from None


def check_pairs(names: tuple[str, ...], pairs: np.ndarray, bodies: tuple[str, ...]) -> None:
    """Two different bodies per joint; the world (−1) is one of them at most."""
    n = len(bodies)
    for name, (a, b) in zip(names, pairs.tolist(), strict=True):
        require(
            -1 <= a < n and -1 <= b < n,
            f"joint {name!r} joins bodies {a} and {b}; there are {n} bodies, 0 to {n - 1}, and the world is -1",
            BadTree,
        )
        itself = "the world" if a < 0 else f"body {bodies[a]!r}"
        require(a != b, f"joint {name!r} joins {itself} with itself; a joint needs two different bodies", BadTree)


def check_axes(names: tuple[str, ...], axes: np.ndarray) -> None:
    """Both axes of unit length (a hinge), or both zero (a ball)."""
    for name, lengths in zip(names, np.linalg.norm(axes, axis=-1), strict=True):
        ball = (lengths == 0.0).all()
        require(
            ball or (lengths > 0.0).all(),
            f"joint {name!r} has one zero axis and one that is not; a ball has both zero, a hinge none",
        )
        require(
            ball or (np.abs(lengths - 1.0) <= UNIT).all(),
            f"joint {name!r}: a hinge axis must have length 1; got lengths {lengths[0]:.9g} and {lengths[1]:.9g}. "
            "Divide each axis by its length (zero axes make a ball)",
        )


def check_friction(names: tuple[str, ...], friction: np.ndarray) -> None:
    """Not negative."""
    for name, mu in zip(names, friction.tolist(), strict=True):
        require(mu >= 0, f"joint {name!r}: friction must not be negative [N m s/rad]; got {mu:g}", BadValue)


def check_constant(names: tuple[str, ...], kinds: tuple[str, ...], torques: np.ndarray) -> None:
    """On hinges only."""
    for name, kind, torque in zip(names, kinds, torques.tolist(), strict=True):
        require(
            torque == 0.0 or kind == "hinge",
            f"joint {name!r} is a {kind}: only a hinge has an axis for a constant torque; got {torque:g} N m",
        )


def check_connected(unreached: list[int], names: tuple[str, ...], anchored: bool) -> None:
    """One skeleton, not several."""
    if not unreached:
        return
    lost = ", ".join(repr(names[i]) for i in unreached[:10]) + (", …" if len(unreached) > 10 else "")
    root = "the world" if anchored else f"body {names[0]!r}"
    raise BadTree(
        f"{len(unreached)} of {len(names)} bodies are not connected with {root}: {lost}. "
        "Join them or tie them with springs, or make one skeleton of each part"
    )
