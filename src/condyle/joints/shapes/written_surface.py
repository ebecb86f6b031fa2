"""A surface given as a function: its own values and exact slopes if it takes complex numbers, else its pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..functions.function import compiled
from .complex_derivatives import circle_derivative
from .written_function import written_function

ORDER = 16  # of the pieces: wide ones have the most exact derivatives
CIRCLE = (0.1, 12)  # radius by half a piece, and places, of circles that slopes at complex parameters are taken by


class Written(NamedTuple):
    """at(q, (i, j)) of a function, its breakpoints, and what is known of it (attributes of `Surface`)."""

    at: Callable[[np.ndarray, tuple[int, int]], np.ndarray]
    breaks: tuple[np.ndarray, np.ndarray]
    graph: bool
    exact: bool
    analytic: bool


def written_surface(
    f: Callable, box: tuple[np.ndarray, np.ndarray], periodic: tuple[bool, bool], title: str
) -> Written:
    """The surface of a function of two parameters that gives points or heights."""
    f, width = written_function(f, box, ((3,), ()), "(N,), (N,) and gives points (N, 3) or heights (N,)", title)

    def component(i: int) -> Callable[[np.ndarray], np.ndarray]:
        return lambda q: f(*q.T).reshape(len(q), -1)[:, i]

    made = [compiled(component(i), (0, 1), box, ORDER, 5e-13, periodic, title) for i in range(int(np.prod(width)))]

    def at(q: np.ndarray, nu: tuple[int, int]) -> np.ndarray:
        if np.iscomplexobj(q) and any(nu):
            return slope_around(f, q, nu, radii)
        if exact and sum(nu) <= 1:
            return complex_step(f, q, nu)
        parts = [m.derivative(*q.T, order=nu) for m in made]
        return np.stack(parts, axis=-1) if len(parts) == 3 else parts[0]

    radii = [CIRCLE[0] * 0.5 * min(float(np.diff(m.grid.breaks[c]).min()) for m in made) for c in (0, 1)]
    exact = takes_complex(f, made, box)
    smooth = all(len(b) == 2 for b in box)  # circles must not reach over places where it is less smooth
    breaks: Any = box
    if exact and smooth:  # no piece of a turn is wider than those of the places, beside which it is analytic
        breaks = tuple(np.unique(np.concatenate([m.grid.breaks[c] for m in made])) for c in (0, 1))
    return Written(at, breaks, len(made) == 1, exact, exact and smooth)


def complex_step(f: Callable, q: np.ndarray, nu: tuple[int, int]) -> np.ndarray:
    """f, or its slope by one parameter, exact to round-off."""
    if not any(nu):
        return np.asarray(f(*q.T), q.dtype)
    shifted = q + 1e-30j * np.asarray(nu)
    return np.imag(f(*shifted.T)) / 1e-30


def slope_around(f: Callable, q: np.ndarray, nu: tuple[int, int], radii: Sequence[float]) -> np.ndarray:
    """The slope of f by one parameter at complex places (N, 2)."""
    c = int(np.argmax(nu))
    other = np.repeat(q[:, 1 - c], CIRCLE[1])
    slope = circle_derivative(lambda x: f(*((x, other) if c == 0 else (other, x))), q[:, c], 1, radii[c], CIRCLE[1])
    return slope if slope.shape[1] == 3 else slope[:, 0]


def takes_complex(f: Callable, pieces: Sequence, box) -> bool:
    """Whether slopes by complex numbers are those of the function's pieces: some functions drop imaginary parts."""
    q = np.stack([b[0] + (b[-1] - b[0]) * np.array([0.21, 0.58, 0.87]) for b in box], axis=-1)
    try:
        slopes = [complex_step(f, q, nu).reshape(3, -1) for nu in ((1, 0), (0, 1))]
    except (TypeError, ValueError):
        return False
    expected = [np.stack([p.derivative(*q.T, order=nu) for p in pieces], axis=-1) for nu in ((1, 0), (0, 1))]
    scale = max(float(np.abs(expected).max()), 1e-300)
    return bool(np.abs(np.array(slopes) - expected).max() < 1e-6 * scale)
