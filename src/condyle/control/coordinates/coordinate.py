"""A coordinate of an animation space: a name, labelled rows and a formula on postures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...errors import BadShape, BadValue, NotFinite, require
from ..goals import Keyframes
from .jets import Jet
from .pose_jet import Posture
from .user_calls import called

AXES = "xyz"
REAL = 1e-9  # share of a number that its imaginary part may be: far above a tiny step, far below a number's own


class Place(NamedTuple):
    """A point of a body, or the centre of mass (body None), and which of its components: for compiled code."""

    body: str | None
    at: tuple[float, float, float]
    axes: tuple[int, ...]


@dataclass(frozen=True)
class Coordinate:
    """One or several numbers that an animator thinks in. Make one with `cd.control.point`, `joint`, `function`, …

    Attributes
    ----------
    name : str
    labels : tuple of str
        Names of the rows.
    formula : callable
        formula(posture) gives a `Jet` (count, rows).
    has_value : bool
        False for what is known by its rate alone (spin, momentum): it takes rates as goals, not positions.
    place : Place or None
        For compiled code, where the formula is nothing but a place.
    traced : bool
        False for a formula on plain numbers with derivatives of a person's own: what it chooses by is not seen.
    """

    name: str
    labels: tuple[str, ...]
    formula: Callable[[Posture], Jet]
    has_value: bool = True
    place: Place | None = None
    traced: bool = True

    @property
    def size(self) -> int:
        """How many rows."""
        return len(self.labels)

    def minus(self, target: Any) -> Coordinate:
        """This coordinate less a target: a number, f(t) of numpy's functions, or keyframes. It is zero on target.

        Parameters
        ----------
        target : float, array_like, callable or Keyframes
            A number, f(t) written with numpy's functions, or keyframes.

        Returns
        -------
        Coordinate
        """
        return replace(
            self, formula=lambda posture: self._rows(posture) - moving(target, posture, self.size), place=None
        )

    def renamed(self, name: str) -> Coordinate:
        """The same under another name.

        Parameters
        ----------
        name : str

        Returns
        -------
        Coordinate
        """
        return replace(self, name=name, labels=tuple(name + label[len(self.name) :] for label in self.labels))

    def at(self, posture: Posture) -> Jet:
        """The jet (count, rows), checked.

        Parameters
        ----------
        posture : Posture

        Returns
        -------
        Jet

        Raises
        ------
        NotFinite
            If a value or a slope is not finite.
        BadValue
            If a value or a slope is a complex number.
        """
        u = self._rows(posture)
        if not (np.isfinite(u.value).all() and np.isfinite(u.slope).all()):
            raise NotFinite(self._not_finite(u, posture))
        if np.iscomplexobj(u.value) or np.iscomplexobj(u.slope):
            self._require_real(u)
            return u if posture.along is not None else Jet(np.real(u.value), np.real(u.slope))
        return u

    def _require_real(self, u: Jet) -> None:
        """Refuse complex numbers of a person's own: the imaginary part carries second derivatives."""
        parts = (u.value, u.slope)
        if any(np.abs(np.imag(x)).max(initial=0.0) > REAL * (1.0 + np.abs(np.real(x)).max(initial=0.0)) for x in parts):
            raise BadValue(
                f"coordinate {self.name!r} gives complex numbers, whose real part alone has no derivatives here, or "
                "the root or logarithm of a number that has none. Write it with real functions, such as np.cos(x) and "
                "np.sin(x) for np.exp(1j * x) and np.hypot(x, y) for abs(x + 1j * y), or give gradient= and hessian="
            )

    def _rows(self, posture: Posture) -> Jet:
        u = called(self.formula, posture, f"coordinate {self.name!r}")
        require(
            isinstance(u, Jet),
            f"coordinate {self.name!r} must be computed from the posture with numpy's functions to have derivatives",
            BadValue,
            got=type(u).__name__,
        )
        u = u.reshape(len(posture), 1) if u.shape == (len(posture),) else u
        expected = (len(posture), self.size)
        if u.shape != expected:
            lost = u.shape[:1] != expected[:1]
            hint = ". The first axis counts states: stack and reduce numbers along axis=-1" if lost else ""
            raise BadShape(f"coordinate {self.name!r} must have shape {expected}; got {u.shape}{hint}")
        return u

    def _not_finite(self, u: Jet, posture: Posture) -> str:
        good = np.isfinite(u.value).all(axis=1) & np.isfinite(u.slope).all(axis=(1, 2))
        i = int(np.argmin(good))
        what = "value" if not np.isfinite(u.value[i]).all() else "gradient"
        q = np.array2string(posture.real_q[i], precision=4, threshold=12)
        return f"coordinate {self.name!r}: its {what} is not finite in state {i}, q = {q}"


def moving(target: Any, posture: Posture, size: int) -> Any:
    """A target of `size` rows at the posture's time, as a jet or a constant."""
    if isinstance(target, Keyframes):
        return _given_motion(target, posture.t)
    if not callable(target):
        return np.asarray(target, dtype=float)
    x = called(target, posture.t, "a target")
    x = np.asarray(x, dtype=float) if not isinstance(x, Jet) else x
    per_state = isinstance(x, Jet) or (size == 1 and len(posture) == x.size)  # constants that np.where chose, too
    return x.reshape(-1, 1) if x.ndim == 1 and per_state else x


def _given_motion(target: Keyframes, t: Jet) -> Jet:
    """x(t) with ẋ and ẍ known."""
    times = np.real(t.value)
    x, rate, acceleration = target.motion(times)
    step = np.imag(t.value)[:, None]
    if np.iscomplexobj(t.value):
        x, rate = x + 1j * step * rate, rate + 1j * step * acceleration
    return Jet(x, rate[..., None] * t.slope[:, None, :])


def axis_numbers(axes: str) -> list[int]:
    """'xz' → [0, 2]."""
    good = isinstance(axes, str) and axes and all(a in AXES for a in axes) and len(set(axes)) == len(axes)
    require(good, "axes must be letters of 'xyz', each once", BadValue, axes=axes)
    return [AXES.index(a) for a in axes]
