"""`AnimationSpace`: the coordinates an animator thinks in, with derivatives.  [ParkFussellBrowne1992, eqs. 9-15]"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import isfinite

import numpy as np

from ..dynamics.arguments import States, states
from ..dynamics.kinematics import STEP
from ..errors import BadShape, BadValue, NotFinite, NotSupported, require, unknown_name
from ..model import Model
from ..spatial.arrays import for_kernels
from ..typing import ArrayLike
from .coordinates.compiled_places import CompiledPlaces
from .coordinates.coordinate import Coordinate
from .coordinates.jets import Jet
from .coordinates.perfect_powers import Power, powers_among, probes
from .coordinates.pose_jet import Posture, second_derivatives


class AnimationSpace:
    """Coordinates u = f(q, t) of a model; all functions take batches by leading axes.

    u̇ = G v + ∂u/∂t and ü = G a + bias. A coordinate that is a power of a joint-linear one, such as (q − a)², has no
    gradient where it is zero: where it is to stay zero or as it is, its base q − a is held (`replaced` says which).
    Values, derivatives and goals are those of the coordinate as it was written.

    Parameters
    ----------
    model : Model
    coordinates : Coordinate or sequence of Coordinate
        From `cd.control.point`, `joint`, `distance`, …; the rows of u in this order.
    powers : {"replace", "keep"}, optional
        What to do with powers of joint-linear coordinates that are held: hold their base, or them.
    redundant : bool, optional
        Allow more rows than freedoms, as the closing of loops may have.

    Raises
    ------
    BadValue
        If there are no coordinates, two of one name, or more rows than freedoms.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(1.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> space = cd.control.AnimationSpace(model, cd.control.point("bob", (0, 0, -1), axes="x"))
    >>> space.value([np.pi / 6]).round(6), space.gradient([0.0]).round(6)
    (array([-0.5]), array([[-1.]]))
    """

    def __init__(
        self,
        model: Model,
        coordinates: Coordinate | Sequence[Coordinate],
        *,
        powers: str = "replace",
        redundant: bool = False,
    ):
        require(isinstance(model, Model), "an animation space is of a cd.Model", got=type(model).__name__)
        require(powers in ("replace", "keep"), "powers must be 'replace' or 'keep'", powers=powers)
        coordinates = (coordinates,) if isinstance(coordinates, Coordinate) else tuple(coordinates)
        require(coordinates, "an animation space needs at least one coordinate")
        for c in coordinates:
            require(isinstance(c, Coordinate), "coordinates come from cd.control.point, joint, …", got=type(c).__name__)
            if c.place is not None and c.place.body is not None:
                model.body_index(c.place.body)
        names = [c.name for c in coordinates]
        require(len(set(names)) == len(names), "names of coordinates must differ; give name=…", names=names)
        self.model = model
        self.powers: dict[str, Power] = powers_among(model, coordinates) if powers == "replace" else {}
        self.replaced: dict[str, int] = {name: power.exponent for name, power in self.powers.items()}
        self.held_spaces: dict[frozenset[str], AnimationSpace] = {}  # what `held` made, by names of powers
        self.coordinates, self.redundant = coordinates, redundant
        if not redundant:
            _check_count(model, coordinates)

    @cached_property
    def size(self) -> int:
        """How many rows u has."""
        return sum(c.size for c in self.coordinates)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Names of the rows."""
        return tuple(label for c in self.coordinates for label in c.labels)

    def rows(self, names: str | Sequence[str]) -> np.ndarray:
        """Row numbers of coordinates or of single rows, by name.

        Parameters
        ----------
        names : str or sequence of str

        Returns
        -------
        ndarray of int

        Raises
        ------
        UnknownName
            If there is no such coordinate or row.
        """
        names = [names] if isinstance(names, str) else list(names)
        return np.concatenate([self._rows(name) for name in names])

    def _rows(self, name: str) -> np.ndarray:
        start = 0
        for c in self.coordinates:
            if c.name == name:
                return np.arange(start, start + c.size)
            if name in c.labels:
                return np.array([start + c.labels.index(name)])
            start += c.size
        raise unknown_name("coordinate", name, [c.name for c in self.coordinates], "this animation space")

    @cached_property
    def row_sizes(self) -> np.ndarray:
        """How long the gradient of each row is in the midst of its poses (size,); a row far below that vanishes.

        Zero where it cannot be told.
        """
        q = probes(self.model)
        try:
            with np.errstate(all="ignore"):
                G = self.jets(Posture(self.model, q, np.zeros(len(q)))).slope[..., :-1]
        except Exception:  # a person's own function may not know these poses
            return np.zeros(self.size)
        return np.median(np.linalg.norm(G, axis=-1), axis=0)

    @cached_property
    def has_value(self) -> np.ndarray:
        """Which rows have a value, not only a rate."""
        return np.array([c.has_value for c in self.coordinates for _ in c.labels])

    def value(self, q: ArrayLike, t: ArrayLike = 0.0) -> np.ndarray:
        """u(q, t), (..., size).

        Parameters
        ----------
        q : array_like, shape (..., nq)
        t : float or array_like, shape (...), optional
            [s]

        Returns
        -------
        ndarray, shape (..., size)
        """
        s, times = self._states(q, t)
        return s.shaped(self.jets(self._posture(s, times)).value, self.size)

    def gradient(self, q: ArrayLike, t: ArrayLike = 0.0) -> np.ndarray:
        """G = ∂u/∂q along velocities, (..., size, nv).  [eq. 13]

        Parameters
        ----------
        q : array_like, shape (..., nq)
        t : float or array_like, shape (...), optional
            [s]

        Returns
        -------
        ndarray, shape (..., size, nv)
        """
        s, times = self._states(q, t)
        return s.shaped(self.jets(self._posture(s, times)).slope[..., :-1], self.size, self.model.nv)

    def time_slope(self, q: ArrayLike, t: ArrayLike = 0.0) -> np.ndarray:
        """∂u/∂t at fixed q, (..., size).

        Parameters
        ----------
        q : array_like, shape (..., nq)
        t : float or array_like, shape (...), optional
            [s]

        Returns
        -------
        ndarray, shape (..., size)
        """
        s, times = self._states(q, t)
        return s.shaped(self.jets(self._posture(s, times)).slope[..., -1], self.size)

    def rate(self, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0) -> np.ndarray:
        """u̇ = G v + ∂u/∂t, (..., size).  [eq. 10, with its time term]

        Parameters
        ----------
        q : array_like, shape (..., nq)
        v : array_like, shape (..., nv)
        t : float or array_like, shape (...), optional
            [s]

        Returns
        -------
        ndarray, shape (..., size)
        """
        s, times = self._states(q, t, v=v)
        slope = self.jets(self._posture(s, times)).slope
        return s.shaped(np.einsum("smk,sk->sm", slope, _with_time(s["v"])), self.size)

    def bias(self, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0) -> np.ndarray:
        """v'Hv and the time terms: ü = G a + bias, (..., size).  [eq. 12, with its time terms]

        Parameters
        ----------
        q : array_like, shape (..., nq)
        v : array_like, shape (..., nv)
        t : float or array_like, shape (...), optional
            [s]

        Returns
        -------
        ndarray, shape (..., size)
        """
        s, times = self._states(q, t, v=v)
        return s.shaped(self.motion(s["q"], s["v"], times)[3], self.size)

    def gradient_rate(self, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0) -> np.ndarray:
        """dG/dt along the motion, (..., size, nv).

        Parameters
        ----------
        q : array_like, shape (..., nq)
        v : array_like, shape (..., nv)
        t : float or array_like, shape (...), optional
            [s]

        Returns
        -------
        ndarray, shape (..., size, nv)
        """
        s, times = self._states(q, t, v=v)
        return s.shaped(self.motion(s["q"], s["v"], times)[2], self.size, self.model.nv)

    def hessian(self, q: ArrayLike, t: ArrayLike = 0.0) -> np.ndarray:
        """H[..., i, j, k] = ∂G_ij along velocity k, (..., size, nv, nv); symmetric but for quaternions and spin.

        [eq. 14]

        Parameters
        ----------
        q : array_like, shape (..., nq)
        t : float or array_like, shape (...), optional
            [s]

        Returns
        -------
        ndarray, shape (..., size, nv, nv)
        """
        s, times = self._states(q, t)
        H = second_derivatives(self.model, self.jets, s["q"], times)[2]
        return s.shaped(H, self.size, self.model.nv, self.model.nv)

    def motion(self, q: np.ndarray, v: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, ...]:
        """(u, [G, ∂u/∂t], Ġ, bias) of flat arrays (count, …), all from one run.

        Parameters
        ----------
        q : ndarray, shape (count, nq)
        v : ndarray, shape (count, nv)
        t : ndarray, shape (count,)
            [s]

        Returns
        -------
        tuple of four ndarray
            u (count, size), [G, ∂u/∂t] (count, size, nv + 1), Ġ (count, size, nv), bias (count, size).
        """
        return self.motion_at(Posture(self.model, q, t, (v, np.ones(len(q)))), v)

    def motion_at(self, posture: Posture, v: np.ndarray) -> tuple[np.ndarray, ...]:
        """The same of a posture that is a step ahead along v.

        Parameters
        ----------
        posture : Posture
        v : ndarray, shape (count, nv)

        Returns
        -------
        tuple of four ndarray
        """
        u = self.jets(posture)
        rates = np.imag(u.slope) / STEP
        bias = np.einsum("smk,sk->sm", rates, _with_time(v))
        return np.real(u.value), np.real(u.slope), rates[..., :-1], bias

    def jets(self, posture: Posture) -> Jet:
        """All rows (count, size).

        Parameters
        ----------
        posture : Posture

        Returns
        -------
        Jet

        Raises
        ------
        Exception
            What a coordinate of a person's own function raises goes on, with a note that names the coordinate.
        """
        kind = posture.motion.moves.dtype
        values = np.zeros((len(posture), self.size), dtype=kind)
        slopes = np.zeros((len(posture), self.size, self.model.nv + 1), dtype=kind)
        places, at = self._places, 0
        if places.numbers:
            places.fill(posture, values, slopes)
        for k, c in enumerate(self.coordinates):
            if k not in places.numbers:
                try:
                    u = c.at(posture)
                except Exception as error:
                    error.add_note(f"while coordinate {c.name!r} of {self!r} was evaluated")
                    raise
                values[:, at : at + c.size], slopes[:, at : at + c.size] = u.value, u.slope
            at += c.size
        return Jet(values, slopes)

    @cached_property
    def _places(self) -> CompiledPlaces:
        return CompiledPlaces(self.model, self.coordinates)

    def _posture(self, s: States, times: np.ndarray) -> Posture:
        return Posture(self.model, s["q"], times, single=s.single)

    def _states(self, q, t, **others) -> tuple[States, np.ndarray]:
        return checked_states(self.model, q, t, **others)

    def __repr__(self) -> str:
        return f"<AnimationSpace: {', '.join(self.labels)} of {self.model!r}>"


def checked_states(model: Model, q, t, **others) -> tuple[States, np.ndarray]:
    """States, and a time [s] for each."""
    s = states(model, q, **others)
    if type(t) is float and isfinite(t):
        return s, np.full(s.count, t)
    t = np.asarray(t, dtype=float)
    require(np.isfinite(t).all(), "times must be finite", NotFinite)
    try:
        return s, for_kernels(np.broadcast_to(t, s.batch)).reshape(s.count)
    except ValueError:
        raise BadShape(f"t must be one time or one per state {s.batch}; got shape {t.shape}") from None


def require_space(thing: object) -> None:
    """Refuse what was given in place of an animation space: a model, a coordinate, the name of one."""
    hints = {
        Model: "; make one of this model: cd.control.AnimationSpace(model, coordinates)",
        Coordinate: "; make one of it and its model: cd.control.AnimationSpace(model, coordinate)",
    }
    hint = next((words for kind, words in hints.items() if isinstance(thing, kind)), "")
    expected = f"the coordinates must be a cd.control.AnimationSpace{hint}"
    require(isinstance(thing, AnimationSpace), expected, BadValue, got=type(thing).__name__)


def space_states(space: AnimationSpace, q, t, **others) -> tuple[States, np.ndarray]:
    """States of the model of a space, and a time [s] for each; what is no space is refused."""
    require_space(space)
    return checked_states(space.model, q, t, **others)


def require_free(model: Model, what: str) -> None:
    """No coordinate of the model may be prescribed."""
    names = prescribed_names(model)
    require(
        not names,
        f"{what}: the model prescribes {', '.join(map(repr, names))}; leave that out and lead cd.control.joint of it "
        "by a goal of the same function",
        NotSupported,
    )


def prescribed_names(model: Model) -> list[str]:
    """The coordinates whose motion the model prescribes."""
    return [name for name in model.coordinates if model.v_index(name) in model.prescribed_columns]


def _with_time(v: np.ndarray) -> np.ndarray:
    return np.concatenate([v, np.ones((len(v), 1))], axis=1)


def _check_count(model: Model, coordinates: tuple[Coordinate, ...]) -> None:
    rows = [label for c in coordinates for label in c.labels]
    free = model.nv - len(model.prescribed)
    require(
        len(rows) <= free,
        f"{len(rows)} coordinates ({', '.join(rows[:12])}) are more than the model's {free} freedoms; drop "
        f"{len(rows) - free}, or give them priorities in spaces of their own",
        BadValue,
    )
