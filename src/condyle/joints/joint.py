"""A joint: a smooth map from coordinates to the pose of the child's frame M in the parent's frame F."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate

import numpy as np

from ..errors import BadShape, NotSupported, require, unknown_name
from ..spatial import SE3
from ..spatial.frozen import Frozen, kept
from ..typing import ArrayLike
from .canonical_form import inverted
from .controls import Controls
from .segments import BALL, FACTORS, WIDTHS, Grid, Segment, Term
from .validate_joint import check_names, check_segments

OUTSIDE = ("extend", "error")


@cache
def _evaluation():
    """The module that evaluates joints: it loads the compiler, so only when needed."""
    from . import evaluate

    return evaluate


@dataclass(frozen=True, eq=False, repr=False)
class Joint(Frozen):
    """G(q) = Π over segments of H · Π_k exp(ĝ_k φ_k(q)).  [LeeTerzopoulos2008, eq. 26]

    Made by the constructors of `condyle.joints`; frozen.

    Attributes
    ----------
    segments : tuple of Segment
        The product form, as kernels read it.
    coordinates : tuple of str
        Names; a quaternion is one coordinate of several numbers.
    outside : {"extend", "error"}
        Beyond the domain of a spline: continue every φ linearly, or refuse.
    title : str
        For messages and reports.
    controls : CurveControls, SurfaceControls or None
        What a spline was designed by, if that is known.
    corners : tuple of tuple of float
        Where the Jacobian jumps (`cd.joints.track`), for each coordinate; empty for a smooth joint.
    """

    segments: tuple[Segment, ...]
    coordinates: tuple[str, ...]
    outside: str = "extend"
    title: str = "joint"
    controls: Controls | None = None
    corners: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        check_names(self.coordinates)
        check_segments(self.segments, len(self.coordinates), self.title)
        object.__setattr__(self, "segments", tuple(kept_segment(s) for s in self.segments))
        require(self.outside in OUTSIDE, f"{self.title}: outside must be 'extend' or 'error'", outside=self.outside)
        unused = set(range(len(self.coordinates))) - {c for s in self.segments for c in coordinates_of(s)}
        names = [self.coordinates[c] for c in sorted(unused)]
        require(not unused, f"{self.title}: no factor reads these coordinates, so they move nothing", coordinates=names)
        good = len(self.corners) in (0, len(self.coordinates))
        require(good, f"{self.title}: corners are given for each coordinate", BadShape, corners=self.corners)
        object.__setattr__(self, "corners", self.corners if any(self.corners) else ())

    @cached_property
    def offsets(self) -> list[tuple[int, int]]:
        """Where each coordinate begins in q and in v."""
        return list(accumulate(self.widths, lambda at, w: (at[0] + w[0], at[1] + w[1]), initial=(0, 0)))[:-1]

    @cached_property
    def nq(self) -> int:
        """How many numbers q has."""
        return sum(w[0] for w in self.widths)

    @cached_property
    def nv(self) -> int:
        """How many degrees of freedom: columns of the Jacobian."""
        return sum(w[1] for w in self.widths)

    @cached_property
    def takes_any_q(self) -> bool:
        """Whether all finite numbers are coordinates: no quaternions, and its domain may be left."""
        return self.nq == len(self.coordinates) and self.outside != "error"

    @cached_property
    def widths(self) -> list[tuple[int, int]]:
        """How many numbers each coordinate has in q and in v."""
        quaternions = {s.grid.coordinates[0]: WIDTHS[s.kind] for s in self.segments if s.kind != FACTORS}
        return [quaternions.get(c, WIDTHS[FACTORS]) for c in range(len(self.coordinates))]

    @cached_property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """(low, high) for each coordinate: where its splines are defined, one period if it wraps, else ±infinity."""
        return tuple(self._domain(c) for c in range(len(self.coordinates)))

    @cached_property
    def periodic(self) -> tuple[bool, ...]:
        """Which coordinates wrap: all that reads them is periodic."""
        return tuple(self._is_periodic(c) for c in range(len(self.coordinates)))

    def _domain(self, coordinate: int) -> tuple[float, float]:
        wraps = self.periodic[coordinate]
        ends = [(b[0], b[-1]) for b, periodic in self._axes(coordinate) if wraps or not periodic]
        return (max(float(e[0]) for e in ends), min(float(e[1]) for e in ends)) if ends else (-np.inf, np.inf)

    def _is_periodic(self, coordinate: int) -> bool:
        readers = [s.grid.coordinates for s in self.segments if coordinate in coordinates_of(s)]
        axes = self._axes(coordinate)
        same = {(b[0], b[-1]) for b, _ in axes}
        return len(same) == 1 and all(p for _, p in axes) and all(coordinate in c for c in readers)

    def _axes(self, coordinate: int) -> list[tuple[np.ndarray, bool]]:
        """Breakpoints and wrapping of every grid axis that looks the coordinate up."""
        axes = (a for s in self.segments for a in zip(s.grid.coordinates, s.grid.breaks, s.grid.periodic, strict=False))
        return [(b, p) for c, b, p in axes if c == coordinate]

    def pose(self, q: ArrayLike) -> SE3:
        """The pose G(q) of M in F.  [LeeTerzopoulos2008, eq. 26]

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates [rad, m]; a joint with one coordinate takes plain numbers (...,) too.

        Returns
        -------
        SE3
            Poses of batch shape (...); where an array is expected they are matrices (..., 4, 4).

        Examples
        --------
        >>> import condyle as cd
        >>> cd.joints.prismatic("x").pose([0.5]).xyz
        array([0.5, 0. , 0. ])
        """
        return _evaluation().pose(self, q)

    def jacobian(self, q: ArrayLike) -> np.ndarray:
        """S = (G⁻¹ ∂G/∂q)^∨ in M, angular part first, shape (..., 6, nv).  [LeeTerzopoulos2008, eqs. 27-29]

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates [rad, m].

        Returns
        -------
        ndarray, shape (..., 6, nv)

        Raises
        ------
        BadShape
            If the last axis does not have nq numbers.
        OutsideDomain
            If a coordinate is outside the domain and the joint refuses that.

        Examples
        --------
        >>> import condyle as cd
        >>> cd.joints.revolute("z").jacobian([0.3])[:, 0]
        array([0., 0., 1., 0., 0., 0.])
        """
        return _evaluation().jacobian(self, q)

    def hessian(self, q: ArrayLike) -> np.ndarray:
        """∂s_i/∂q_j at [..., i, j], shape (..., 6, nv, nv); not symmetric.  [LeeTerzopoulos2008, eqs. 30, 31]

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates [rad, m].

        Returns
        -------
        ndarray, shape (..., 6, nv, nv)

        Raises
        ------
        BadShape
            If the last axis does not have nq numbers.
        """
        return _evaluation().hessian(self, q)

    def third(self, q: ArrayLike) -> np.ndarray:
        """∂²s_i/∂q_j∂q_l at [..., i, j, l], shape (..., 6, nv, nv, nv).

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates [rad, m].

        Returns
        -------
        ndarray, shape (..., 6, nv, nv, nv)

        Raises
        ------
        BadShape
            If the last axis does not have nq numbers.
        """
        return _evaluation().third(self, q)

    def inverse(self) -> Joint:
        """The joint whose pose is G(q)⁻¹: exact, with the same coordinates.

        Raises
        ------
        NotSupported
            If a coordinate is a quaternion.
        """
        if any(s.kind != FACTORS for s in self.segments):
            raise NotSupported(
                f"{self.title}: a joint with a quaternion has no inverse in this form. Exchange parent and child "
                "in the model, or compose three revolute joints instead."
            )
        return replace(
            self,
            segments=tuple(inverted(s) for s in reversed(self.segments)),
            title=f"inverse {self.title}",
            controls=None,
        )

    def renamed(self, names: Mapping[str, str] | Sequence[str] | str) -> Joint:
        """The same joint with other coordinate names: all of them in order, or {old: new}.

        Parameters
        ----------
        names : mapping of str to str, sequence of str or str
            {old: new}, or all names in order; a joint of one coordinate takes its name alone.

        Returns
        -------
        Joint

        Raises
        ------
        UnknownName
            If there is no coordinate of an old name.
        BadShape
            If there are not as many names as coordinates.

        Examples
        --------
        >>> import condyle as cd
        >>> cd.joints.revolute("z").renamed("flexion").coordinates
        ('flexion',)
        """
        if isinstance(names, Mapping):
            for old in set(names) - set(self.coordinates):
                raise unknown_name("coordinate", old, self.coordinates, self.title)
            return replace(self, coordinates=tuple(names.get(c, c) for c in self.coordinates))
        names = (names,) if isinstance(names, str) else tuple(names)
        expected = f"{self.title}: {len(self.coordinates)} coordinates need as many names"
        require(len(names) == len(self.coordinates), expected, BadShape, names=names)
        return replace(self, coordinates=names)

    def __repr__(self) -> str:
        coordinates = "; ".join(self._described(c) for c in range(len(self.coordinates))) or "no coordinates"
        parts = " · ".join(described_segment(s) for s in self.segments)
        return f"<{self.title}: {coordinates}; G = {parts}; outside: {self.outside}>"

    def _described(self, coordinate: int) -> str:
        """'angle in [0, 6] (periodic)'."""
        low, high = self.domain[coordinate]
        kind = " (periodic)" if self.periodic[coordinate] else ""
        where = f" in [{low:g}, {high:g}]" if np.isfinite([low, high]).any() else ""
        return f"{self.coordinates[coordinate]}{where}{kind}"


def arrays_of(segment: Segment) -> list[np.ndarray]:
    """All the numbers of a segment."""
    return [segment.poses, segment.twists, *(t.constants for t in segment.terms), *segment.grid.breaks]


def coordinates_of(segment: Segment) -> set[int]:
    """All coordinates that a segment reads."""
    return {c for t in segment.terms for c in t.coordinates}.union(segment.grid.coordinates)


def kept_segment(segment: Segment) -> Segment:
    """The same segment with read-only copies of its arrays: kernels pack a joint once and keep the tables."""
    terms = tuple(Term(t.code, t.coordinates, kept(t.constants)) for t in segment.terms)
    grid = Grid(segment.grid.coordinates, kept(segment.grid.breaks), segment.grid.periodic)
    return Segment(kept(segment.poses), kept(segment.twists), terms, grid, segment.kind)


def described_segment(segment: Segment) -> str:
    """What a segment does, in a few words."""
    if segment.kind != FACTORS:
        return "quaternion" if segment.kind == BALL else "quaternion and position"
    if not segment.terms:
        return "pose"
    rows = f" on {segment.grid.rows} rows" if segment.grid.breaks else ""
    return f"H exp×{len(segment.terms)}{rows}"
