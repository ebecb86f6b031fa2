"""Forces from outside that act on bodies, such as ground reactions: which bodies, where, and how much over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...dynamics import forward_kinematics
from ...errors import BadFile, BadValue, require, unknown_name
from ...formats.tables.table import Table
from ...model import Model

GROUND = "ground"
AXES = 3
REACH = 64  # samples: what lies further away changes a cubic spline by less than 2⁻⁶⁴ of its change
PARTS = ("force", "point", "torque")


@dataclass(frozen=True)
class ExternalForce:
    """A measured force on a body, by the columns of a table that hold it.

    Parameters
    ----------
    name : str
    body : str
        The body that it acts on.
    force : str
        What the names of its three columns begin with, x, y, z in the order of the table [N]; empty: no force.
    point : str, optional
        The same of the point where it acts [m]; empty: the origin of the body.
    torque : str, optional
        The same of a free torque [N m]; empty: none.
    force_in, point_in : str, optional
        The body in whose axes force and torque, and the point, are given; the world by default.
    """

    name: str
    body: str
    force: str = ""
    point: str = ""
    torque: str = ""
    force_in: str = GROUND
    point_in: str = GROUND


@dataclass(frozen=True, eq=False)
class ExternalLoads:
    """Forces from outside and the table of their numbers.

    Parameters
    ----------
    forces : tuple of ExternalForce
    table : Table
        With a column of times [s].
    """

    forces: tuple[ExternalForce, ...]
    table: Table

    def require_bodies(self, model: Model) -> None:
        """Raise UnknownName unless all bodies that are named are in a model.

        Parameters
        ----------
        model : Model

        Raises
        ------
        UnknownName
            If one is not.
        BadValue
            If a force acts on ground, where it moves nothing.
        """
        for force in self.forces:
            require(force.body != GROUND, f"external force {force.name!r} acts on ground; name a body", BadValue)
            for body in (force.body, force.force_in, force.point_in):
                if body != GROUND and body not in model.names:
                    raise unknown_name("body", body, model.names, f"the model, for external force {force.name!r}")

    def at(self, times: np.ndarray) -> list[Sampled]:
        """Each force at some times, by natural cubic splines through the table.

        Parameters
        ----------
        times : ndarray, shape (k,)
            [s]

        Returns
        -------
        list of Sampled

        Raises
        ------
        BadFile
            If the table does not reach over those times, or a column is missing.
        """
        t = self.table.times
        steps = np.diff(t)
        rising = len(t) > 0 and bool(np.isfinite(t).all() and (steps > 0).all())
        require(rising, f"{self.table.path}: times must rise", BadFile)
        slack = 1e-6 + (0.0 if len(t) < 2 else 0.5 * float(steps.min()))
        covered = len(t) == 1 or (t[0] - slack <= times[0] and times[-1] <= t[-1] + slack)
        require(covered, f"{self.table.path}: external loads from {t[0]:g} to {t[-1]:g} s do not cover the motion",
                BadFile, from_=float(times[0]), to=float(times[-1]))  # fmt: skip
        wanted = [(k, part) for k, f in enumerate(self.forces) for part in PARTS if getattr(f, part)]
        asked = [(self.forces[k], part) for k, part in wanted]
        places = [columns_of(self.table, getattr(f, part), f"{part} of {f.name!r}") for f, part in asked]
        values = self.table.values[:, [k for place in places for k in place]]
        self._require_whole(values, asked)
        found = interpolated(t, values, times).reshape(len(times), len(wanted), AXES)
        series = {key: found[:, k] for k, key in enumerate(wanted)}
        return [Sampled(f, *(series.get((k, part)) for part in PARTS)) for k, f in enumerate(self.forces)]

    def _require_whole(self, values: np.ndarray, wanted: list[tuple[ExternalForce, str]]) -> None:
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            force, part = wanted[int(bad[0][1]) // AXES]
            rows = sorted({int(row) for row, _ in bad})[:5]
            words = f"{self.table.path}: the {part} of {force.name!r} has gaps; fill them first"
            require(False, words, BadFile, rows=rows)


@dataclass(frozen=True, eq=False)
class Sampled:
    """An external force at some times; each part is (k, 3), or None where there is none."""

    force: ExternalForce
    newtons: np.ndarray | None
    point: np.ndarray | None
    torque: np.ndarray | None


def columns_of(table: Table, identifier: str, what: str) -> list[int]:
    """Where the three columns stand whose names begin with an identifier."""
    known = table.flat_names
    found = [k for k, name in enumerate(known) if name.startswith(identifier)]
    if not found:
        raise BadFile(f"{table.path}: {unknown_name('column', identifier, known, 'the table')}")
    names = [known[k] for k in found[:6]]
    require(len(found) == AXES, f"{table.path}: three columns must begin with {identifier!r}, for the {what}", BadFile,
            columns=names)  # fmt: skip
    return found


def interpolated(t: np.ndarray, values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """By a natural cubic spline; two or three samples by lines, one is constant."""
    if len(t) == 1:
        return np.repeat(values, len(times), axis=0)
    if len(t) < 4:
        return np.stack([np.interp(times, t, column) for column in values.T], axis=1)
    first, last = np.searchsorted(t, [times[0], times[-1]])
    near = slice(max(int(first) - REACH, 0), int(last) + REACH)
    return natural_cubic(t[near], values[near], times)


def natural_cubic(t: np.ndarray, values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """A natural cubic spline through values (T, n), at other times: a tridiagonal system for second derivatives.

    scipy's CubicSpline does the same, and makes polynomials of all pieces, which takes much longer than their use here.
    """
    from scipy.linalg import solveh_banded  # slow to load

    h = np.diff(t)
    slopes = np.diff(values, axis=0) / h[:, None]
    second = np.zeros_like(values)
    bands = np.stack([h[:-1], 2.0 * (h[:-1] + h[1:])])  # above the diagonal, its first number unused, and on it
    second[1:-1] = solveh_banded(bands, 6.0 * np.diff(slopes, axis=0), check_finite=False)
    k = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(h) - 1)
    after, before, step = (times - t[k])[:, None], (t[k + 1] - times)[:, None], h[k][:, None]
    bent = (before**2 / step - step) * before * second[k] + (after**2 / step - step) * after * second[k + 1]
    return (values[k] * before + values[k + 1] * after) / step + bent / 6.0


def wrenches(model: Model, q: np.ndarray, loads: list[Sampled]) -> np.ndarray:
    """What external forces do to each body (k, nbodies, 6): [moment; force] in body axes at the body origin."""
    out = np.zeros((len(q), model.nbodies, 6))
    X = forward_kinematics(model, q).as_matrix()
    for load in loads:
        i = model.body_index(load.force.body)
        force, moment = _in_ground(model, X, load, X[:, i, :3, 3])
        turn = np.swapaxes(X[:, i, :3, :3], 1, 2)
        out[:, i, :3] += np.einsum("nij,nj->ni", turn, moment)
        out[:, i, 3:] += np.einsum("nij,nj->ni", turn, force)
    return out


def _in_ground(model: Model, X: np.ndarray, load: Sampled, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment about an origin, in the axes of ground."""
    force = _turned(model, X, load.newtons, load.force.force_in, len(origin))
    moment = _turned(model, X, load.torque, load.force.force_in, len(origin))
    if load.point is None:
        return force, moment
    point = load.point
    if load.force.point_in != GROUND:
        frame = X[:, model.body_index(load.force.point_in)]
        point = np.einsum("nij,nj->ni", frame[:, :3, :3], point) + frame[:, :3, 3]
    return force, moment + np.cross(point - origin, force)


def _turned(model: Model, X: np.ndarray, vectors: np.ndarray | None, body: str, count: int) -> np.ndarray:
    """Vectors given in a body's axes, in those of ground."""
    if vectors is None:
        return np.zeros((count, 3))
    return vectors if body == GROUND else np.einsum("nij,nj->ni", X[:, model.body_index(body), :3, :3], vectors)
