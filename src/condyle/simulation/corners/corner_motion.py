"""Motion of models whose joints have corners: legs on smooth pieces, impulses between them.

In the time of an impact only the joint's impulse acts, and it does no work on motions that the next piece allows: with
S₋ and S₊ the Jacobians of all bodies before and after, M₊ v₊ = Σ S₊ᵀ J S₋ v₋ for coordinates that are not prescribed.
What arrives at a corner that does not let it through (the next piece would send it back) comes to rest there; it leaves
by the side that accelerates it away, or waits until one does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...dynamics import body_jacobian, forward_kinematics, mass_matrix
from ...errors import CondyleError
from ...joints.corner_pieces import piece_of
from ...model import Model
from ...model.prescribed import prescribed_motion
from ...spatial import adjoint
from ..events import Impact

CREEPING = 1e-7  # rate below which what passed a corner is at rest in it: it would get 1e-15 m away
PULLED = 1e-9  # acceleration away from a corner with which one leaves it
MOST = 500  # impacts within one step


Rubbed = Callable[[Model, np.ndarray, np.ndarray, np.ndarray], float]  # of forces of impulse without and with 1 N s


def none(model: Model, q: np.ndarray, blow: np.ndarray, with_unit: np.ndarray) -> float:
    """No friction."""
    return 0.0


class Legs(Protocol):
    """Motion of smooth models."""

    def __call__(self, model: Model, q, v, *, duration: float, step: float, t0: float, stop=None) -> Any:
        """A trajectory with every step."""
        ...

    def rates(self, model: Model, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Accelerations (T, nv) at times (T,)."""
        ...


class Cornered(NamedTuple):
    """A coordinate with corners: its name and places, its body, and the edges of its pieces."""

    name: str
    body: int
    coordinate: int
    q: int
    v: int
    edges: np.ndarray  # pieces lie between them; of an open track the first and the last are its ends
    period: float  # 0 for an open track


def cornered(model: Model) -> tuple[Cornered, ...]:
    """The coordinates of a model whose joints have corners."""
    out = []
    for name, place in zip(model.coordinates, model.coordinate_places, strict=True):
        joint = model.bodies[place.body].joint
        corners = joint.corners[place.coordinate] if joint.corners else ()
        if corners:
            (low, high), wraps = joint.domain[place.coordinate], joint.periodic[place.coordinate]
            inner = [c for c in corners if low < c < high]
            edges = np.array([low, *inner, high])
            out.append(Cornered(name, place.body, place.coordinate, place.q, place.v, edges, (high - low) * wraps))
    return tuple(out)


class Piece(NamedTuple):
    """Where a coordinate is: on which piece (or, `held`, in the corner at its lower end), how many periods on."""

    number: int
    turns: int
    held: bool = False


class Pieces:
    """The smooth models of a model with corners: one for each choice of pieces."""

    def __init__(self, model: Model) -> None:
        self.model, self.places, self.known = model, cornered(model), {}

    def ends(self, i: int, piece: Piece) -> tuple[float, float]:
        """Of a piece, by its coordinate; infinite where an open track goes straight on."""
        place = self.places[i]
        low, high = place.edges[piece.number : piece.number + 2] + piece.turns * place.period
        if place.period:
            return low, high
        return -np.inf if piece.number == 0 else low, np.inf if piece.number == len(place.edges) - 2 else high

    def on(self, i: int, x: float, way: float) -> Piece:
        """The piece at x, on a corner the one in the direction `way`."""
        place = self.places[i]
        turns = int(np.floor((x - place.edges[0]) / place.period)) if place.period else 0
        side = "right" if way >= 0.0 else "left"
        last = len(place.edges) - 2
        number = int(np.searchsorted(place.edges + turns * place.period, x, side)) - 1
        if place.period and not 0 <= number <= last:
            return Piece(number % (last + 1), turns + (1 if number > last else -1))
        return Piece(min(max(number, 0), last), turns)

    def beside(self, i: int, piece: Piece, way: int) -> Piece:
        """The next piece in a direction."""
        count = len(self.places[i].edges) - 1
        turns, number = divmod(piece.number + way, count)
        return Piece(number, piece.turns + turns)

    def smooth(self, pieces: tuple[Piece, ...]) -> Model:
        """The model on these pieces."""
        if pieces not in self.known:
            self.known[pieces] = self._made(pieces)
        return self.known[pieces]

    def _made(self, pieces: tuple[Piece, ...]) -> Model:
        bodies, still = list(self.model.bodies), {}
        for place, piece in zip(self.places, pieces, strict=True):
            body, (low, high) = bodies[place.body], place.edges[piece.number : piece.number + 2]
            joint = piece_of(body.joint, place.coordinate, low, high, piece.turns)
            bodies[place.body] = replace(body, joint=joint)
            if piece.held:
                still[place.v] = prescribed_motion(float(low + piece.turns * place.period))
        held = {**self.model.prescribed, **still} if still else self.model.prescribed
        return replace(self.model, bodies=tuple(bodies), prescribed=held)


def impact(
    pieces: Pieces, i: int, sides: tuple[tuple[Piece, ...], tuple[Piece, ...]], t: float, q, v, rubbed: Rubbed = none
) -> Impact:
    """The impulse between two choices of pieces that differ in place i; `rubbed` is the friction of it."""
    before, after = sides
    place, old, new = pieces.places[i], pieces.smooth(before), pieces.smooth(after)
    fixed = sorted({*new.prescribed} | {p.v for p, piece in zip(pieces.places, after, strict=True) if piece.held})
    free = np.setdiff1d(np.arange(new.nv), fixed)
    kept, moving = np.zeros(new.nv), {}
    for body in new.bodies:
        moving[body.name] = body_jacobian(old, q, body.name) @ v
        kept += body_jacobian(new, q, body.name).T @ body.inertia.spatial() @ moving[body.name]
    M, leaving = mass_matrix(new, q), np.zeros(new.nv)
    leaving[fixed] = [0.0 if after[i].held and k == place.v else v[k] for k in fixed]
    answer = np.zeros((new.nv, 2))
    answer[free] = np.linalg.solve(
        M[np.ix_(free, free)], np.stack([kept - M @ leaving, np.eye(new.nv)[place.v]], 1)[free]
    )
    leaving, more = leaving + answer[:, 0], answer[:, 1]
    if not after[i].held:
        blows = [_pushed(new, place.body, q, x, moving)[0][3:] for x in (leaving, leaving + more)]
        leaving = leaving + more * rubbed(new, q, *blows)
    impulse, lost = _pushed(new, place.body, q, leaving, moving)
    return Impact(t, place.name, float(q[place.q]), q.copy(), v.copy(), leaving, impulse, lost)


def _pushed(model: Model, body: int, q, leaving, moving) -> tuple[np.ndarray, float]:
    """The joint's impulse on a body, in its axes, with all that it carries; and the energy that all bodies lost."""
    poses, lost, impulse = forward_kinematics(model, q), 0.0, np.zeros(6)
    home, carried = poses[body].inverse(), {body}
    for k, b in enumerate(model.bodies):
        J, old, new = b.inertia.spatial(), moving[b.name], body_jacobian(model, q, b.name) @ leaving
        lost += 0.5 * float(old @ J @ old - new @ J @ new)
        if k == body or b.parent in carried:
            carried.add(k)
            impulse += adjoint((home @ poses[k]).inverse().as_matrix()).T @ J @ (new - old)
    return impulse, lost


class CornerMotion:
    """One motion: where it is, on which pieces, and the impacts so far."""

    def __init__(self, pieces: Pieces, run: Legs, q: np.ndarray, v: np.ndarray) -> None:
        self.pieces, self.run, self.q, self.v = pieces, run, q.copy(), v.copy()
        self.impacts: list[Impact] = []
        self.now = tuple(pieces.on(i, q[p.q], v[p.v]) for i, p in enumerate(pieces.places))
        self.arrived = 0  # impacts since the last record

    def model(self) -> Model:
        """The smooth model that holds now."""
        return self.pieces.smooth(self.now)

    def past(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(..., places): how far each coordinate is beyond the ends of its piece, at states q and v."""
        out = [np.full(q.shape[:-1], -np.inf)] * (not self.pieces.places)
        for i, (place, piece) in enumerate(zip(self.pieces.places, self.now, strict=True)):
            low, high = (-np.inf, np.inf) if piece.held else self.pieces.ends(i, piece)
            out.append(np.maximum(low - q[..., place.q], q[..., place.q] - high))
        return np.stack(out, axis=-1)

    def stepped(self, t: float, h: float) -> tuple[np.ndarray, np.ndarray]:
        """Where one step of length h leads."""
        end = self.run(self.model(), self.q, self.v, duration=h, step=h, t0=t)
        if end.stopped is not None:
            raise StoppedBetween(end.stopped.reason)
        return end.q[-1], end.v[-1]

    def accept(self, q: np.ndarray, v: np.ndarray) -> None:
        """Go on from where the last step led."""
        self.q, self.v = q, v

    def crossed(self, t: float, left: float) -> None:
        """From a record to the next, `left` [s] away, through the corners between them."""
        self.arrived = 0
        while left > 0.0:
            self.leave(t)
            q, v = self.stepped(t, left)
            if not (self.past(q, v) > 0.0).any() and not self._released(t, left, q, v):
                self.accept(q, v)
                return
            h, i = self._next(t, left, q, v)
            if h > 0.0:
                self.accept(*self.stepped(t, h))
            t, left = t + h, left - h
            if i is not None:
                self._strike(i, t)
            if self.arrived > MOST:
                return

    def _next(self, t: float, left: float, q, v) -> tuple[float, int | None]:
        """When the next thing happens, and the coordinate that meets a corner; None where one is let go."""
        passed = np.flatnonzero(self.past(q, v) > 0.0)
        if not len(passed):
            return self._release(t, left), None
        times = [self._arrival(int(i), t, left, q, v) for i in passed]
        first = int(np.argmin(times))
        return times[first], int(passed[first])

    def _arrival(self, i: int, t: float, left: float, q, v) -> float:
        """After how long coordinate i is at the end of its piece: Newton's method, kept between what is known."""
        place = self.pieces.places[i]
        low, high = self.pieces.ends(i, self.now[i])
        target = high if q[place.q] > high else low
        inside, outside, h = 0.0, left, left
        for _ in range(80):
            speed = v[place.v]
            change = (q[place.q] - target) / speed if speed else np.inf
            new = h - change if inside < h - change < outside else 0.5 * (inside + outside)
            if abs(new - h) <= 1e-16 * max(1.0, abs(t)) or not inside < new < outside:
                break
            h = new
            q, v = self.stepped(t, h)
            if self.past(q, v)[i] > 0.0:
                outside = h
            else:
                inside = h
        return h

    def _strike(self, i: int, t: float) -> None:
        """The impulse at the end that coordinate i has met."""
        self.arrived += 1
        place, piece = self.pieces.places[i], self.now[i]
        ends = self.pieces.ends(i, piece)
        up = abs(self.q[place.q] - ends[1]) < abs(self.q[place.q] - ends[0])
        way = 1 if up else -1
        self.q[place.q] = ends[int(up)]
        further = self.pieces.beside(i, piece, way)
        found = self._struck(i, further, t)
        if found.leaving[place.v] * way <= CREEPING:
            further = (further if up else piece)._replace(held=True)  # the corner is at its lower end
            found = self._struck(i, further, t)
        self.impacts.append(found)
        self.now, self.v = self._with(i, further), found.leaving

    def _struck(self, i: int, further: Piece, t: float) -> Impact:
        """The impulse between the piece of coordinate i and a further one."""
        return impact(self.pieces, i, (self.now, self._with(i, further)), t, self.q, self.v)

    def _with(self, i: int, piece: Piece) -> tuple[Piece, ...]:
        return (*self.now[:i], piece, *self.now[i + 1 :])

    def _sides(self, i: int) -> tuple[Piece, Piece]:
        """Pieces above and below the corner in which coordinate i is held."""
        above = self.now[i]._replace(held=False)
        return above, self.pieces.beside(i, above, -1)

    def _away(self, i: int, piece: Piece, way: int, t, q, v) -> np.ndarray:
        """The accelerations (T,) along one side of the corner, away from it."""
        model = self.pieces.smooth(self._with(i, piece))
        return self.run.rates(model, t, q, v)[:, self.pieces.places[i].v] * way

    def _pulls(self, i: int, t, q, v) -> tuple[np.ndarray, np.ndarray]:
        above, below = self._sides(i)
        return self._away(i, above, 1, t, q, v), self._away(i, below, -1, t, q, v)

    def leave(self, t: float) -> None:
        """Let go of what is held where a side leads away."""
        for i, piece in enumerate(self.now):
            if piece.held:
                above, below = (x[0] for x in self._pulls(i, np.array([t]), self.q[None], self.v[None]))
                if max(above, below) > PULLED:
                    self._let_go(i, self._sides(i)[int(below > above)], -1 if below > above else 1)

    def _let_go(self, i: int, piece: Piece, way: int) -> None:
        self.now = self._with(i, piece)

    def released(self, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(T,): whether something that is held now would be let go at these times (T,) and states."""
        out = np.zeros(len(t), bool)
        for i, piece in enumerate(self.now):
            if piece.held and len(t):
                out |= np.maximum(*self._pulls(i, t, q, v)) > PULLED
        return out

    def _released(self, t: float, h: float, q, v) -> bool:
        return bool(self.released(np.array([t + h]), q[None], v[None])[0])

    def _release(self, t: float, left: float) -> float:
        """After how long something is let go, by halving."""
        low, high = 0.0, left
        for _ in range(45):
            middle = 0.5 * (low + high)
            if self._released(t, middle, *self.stepped(t, middle)):
                high = middle
            else:
                low = middle
        return high

    def holds(self) -> bool:
        """Whether a coordinate rests in a corner."""
        return any(p.held for p in self.now)


class StoppedBetween(CondyleError):
    """A step between corners that failed."""
