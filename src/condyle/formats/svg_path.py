"""Path text of SVG (the `d` of a `<path>`) as points: lines, Bézier curves and arcs; a row for each subpath."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ..errors import BadValue, require

COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
TOKEN = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([\s,]+)|(.)", re.DOTALL)
STEPS = 32  # points of a Bézier curve or an arc
FLAT = 1e-9  # an ellipse with less than this ratio of its radii is a line
SAME = 1e-100  # of its radii: ends of an arc so close to each other are one point, as in the standard
LONGEST = 200_000  # numbers
LARGEST = 1e9  # a number in a path: squares and sums of what is drawn stay finite


@dataclass
class Subpath:
    """Points (n, 2) in the file's units, and whether Z closed it."""

    points: list[np.ndarray] = field(default_factory=list)
    closed: bool = False


def svg_points(text: str, steps: int = STEPS) -> list[Subpath]:
    """The subpaths of a path, curves as `steps` points each; y points down as in the file.

    Parameters
    ----------
    text : str
        Commands M L H V C S Q T A Z, in upper and lower case.
    steps : int
        Points of each Bézier curve and arc.

    Returns
    -------
    list of Subpath

    Raises
    ------
    BadValue
        At the first character or number that makes no path, with its place.
    """
    return Pen(steps).drawn(commands(text))


def commands(text: str) -> list[tuple[str, list[float], int]]:
    """(letter, numbers, place) of each command; a letter with several sets of numbers is several commands."""
    out: list[tuple[str, list[float], int]] = []
    numbers = 0
    for match in TOKEN.finditer(text):
        letter, number, _, other = match.groups()
        require(other is None, "SVG path: unexpected character", BadValue, character=other, at=match.start())
        if letter:
            out.append((letter, [], match.start()))
        elif number:
            numbers += 1
            require(numbers <= LONGEST, f"SVG path: more than {LONGEST} numbers", BadValue)
            require(bool(out), "SVG path: it begins with M x y", BadValue, found=number)
            value, at = float(number), match.start()
            require(abs(value) <= LARGEST, f"SVG path: a number beyond {LARGEST:g}", BadValue, number=number, at=at)
            out[-1][1].append(value)
    require(bool(out) and out[0][0] in "Mm", "SVG path: it begins with M x y", BadValue, text=text[:40])
    return [c for command in out for c in split(*command)]


def split(letter: str, numbers: list[float], place: int) -> list[tuple[str, list[float], int]]:
    """One command for each set of numbers; after a move they are lines."""
    count = COUNTS[letter.upper()]
    good = len(numbers) == 0 if count == 0 else len(numbers) > 0 and len(numbers) % count == 0
    require(good, f"SVG path: {letter} takes {count} numbers", BadValue, got=len(numbers), at=place)
    if count == 0:
        return [(letter, [], place)]
    after = {"M": "L", "m": "l"}.get(letter, letter)
    sets = [numbers[i : i + count] for i in range(0, len(numbers), count)]
    return [(letter if k == 0 else after, part, place) for k, part in enumerate(sets)]


class Pen:
    """Where the pen is, where its subpath began, and the last control point for smooth curves."""

    def __init__(self, steps: int) -> None:
        self.t = np.arange(1, steps + 1)[:, None] / steps
        self.at = self.start = np.zeros(2)
        self.control: tuple[str, np.ndarray] | None = None
        self.paths: list[Subpath] = []

    def drawn(self, commands) -> list[Subpath]:
        """All subpaths with at least two points."""
        for letter, numbers, place in commands:
            self.draw(letter.upper(), self.absolute(letter, numbers), place)
        return [p for p in self.paths if len(p.points) > 1]

    def absolute(self, letter: str, numbers: list[float]) -> np.ndarray:
        """The numbers from the origin instead of from the pen."""
        values = np.array(numbers, float)
        if letter.islower() and letter != "z":
            shift = {"h": self.at[:1], "v": self.at[1:], "a": np.r_[np.zeros(5), self.at]}
            values = values + shift.get(letter, np.resize(self.at, len(values)))
        return values

    def draw(self, letter: str, v: np.ndarray, place: int) -> None:
        """One command with absolute numbers."""
        control, self.control = self.control, None
        if letter == "M":
            self.at = self.start = v
            self.paths.append(Subpath([v]))
        elif letter == "Z":
            self.close(place)
        elif letter in "LHV":
            self.go({"L": v, "H": np.r_[v, self.at[1]], "V": np.r_[self.at[0], v]}[letter][None])
        elif letter == "A":
            self.go(arc(self.at, v, self.t, place))
        else:
            self.bezier(letter, v, control)

    def close(self, place: int) -> None:
        require(bool(self.paths), "SVG path: Z without a subpath", BadValue, at=place)
        self.paths[-1].closed, self.at = True, self.start

    def bezier(self, letter: str, v: np.ndarray, control: tuple[str, np.ndarray] | None) -> None:
        """Cubic or quadratic; S and T mirror the last control point of their own kind."""
        kind = "C" if letter in "CS" else "Q"
        if letter in "ST":
            mirrored = 2.0 * self.at - control[1] if control and control[0] == kind else self.at
            v = np.r_[mirrored, v]
        points = np.vstack([self.at, v.reshape(-1, 2)])
        self.control = kind, points[-2]
        for _ in range(len(points) - 1):  # de Casteljau
            points = [a + self.t * (b - a) for a, b in pairwise(points)]
        self.go(points[0])

    def go(self, points: np.ndarray) -> None:
        """Append points; after Z a new subpath begins where the last one did."""
        if self.paths[-1].closed:
            self.paths.append(Subpath([self.at]))
        self.paths[-1].points.extend(points)
        self.at = points[-1]


def arc(start: np.ndarray, v: np.ndarray, t: np.ndarray, place: int) -> np.ndarray:
    """Points of an elliptic arc from its end points, by the standard's conversion to a centre."""
    (rx, ry), turn, large, sweep, end = np.abs(v[:2]), np.radians(v[2]), v[3] != 0, v[4] != 0, v[5:]
    require(set(v[3:5]) <= {0.0, 1.0}, "SVG path: the flags of an arc are 0 or 1", BadValue, got=v[3:5], at=place)
    if min(rx, ry) <= FLAT * max(rx, ry) or np.linalg.norm(end - start) <= SAME * max(rx, ry):
        return start + t * (end - start)
    least = FLAT * np.linalg.norm(end - start)  # radii far too small grow all the same, and may not overflow
    rx, ry = np.array([rx, ry]) / max(rx, ry) * max(rx, ry, least)
    c, s = np.cos(turn), np.sin(turn)
    R = np.array([[c, -s], [s, c]])
    x, y = R.T @ (start - end) / 2.0
    grown = np.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))  # radii too small are grown until the arc reaches
    rx, ry = grown * rx, grown * ry
    under = max(0.0, (rx * ry) ** 2 / ((rx * y) ** 2 + (ry * x) ** 2) - 1.0)
    local = np.sqrt(under) * (1.0 if large != sweep else -1.0) * np.array([rx * y / ry, -ry * x / rx])
    angles = [np.arctan2((sign * y - local[1]) / ry, (sign * x - local[0]) / rx) for sign in (1.0, -1.0)]
    way = (angles[1] - angles[0]) % (2.0 * np.pi) - (0.0 if sweep else 2.0 * np.pi)
    a = angles[0] + t[:, 0] * way
    points = (R @ (np.stack([rx * np.cos(a), ry * np.sin(a)]) + local[:, None])).T + (start + end) / 2.0
    points[-1] = end
    return points
