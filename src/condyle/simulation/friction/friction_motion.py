"""Motion with dry friction: phases in which coordinates slide one way or stick, with corners between pieces of joints.

A coordinate that slides goes on with friction against that way until its velocity is zero; there it sticks if what
must hold it is at most the static coefficient times the force across, else it slides back. What sticks is prescribed
to stay, and watched. Friction's work is integrated by the same Runge-Kutta stages as the motion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...model import Model
from ...model.prescribed import prescribed_motion
from ..corners.corner_motion import CornerMotion, Legs, Piece, Pieces, StoppedBetween, impact
from ..events import Impact, SlipChange
from .dry_friction import DryFriction, NoFriction, solved

SHARES = np.array([1.0, 2.0, 2.0, 1.0]) / 6.0  # of the stages of a Runge-Kutta step


class FrictionMotion(CornerMotion):
    """One motion: on which pieces its coordinates are, and which way those with friction slide (0: they stick)."""

    def __init__(
        self, pieces: Pieces, run: Legs, q: np.ndarray, v: np.ndarray, friction: DryFriction, tau: Callable
    ) -> None:
        super().__init__(pieces, run, q, v)
        self.friction, self.tau = friction, tau
        self.ways = [0] * len(friction.places)
        self.changes: list[SlipChange] = []
        self.powers: list[float] = []  # of friction, at the stages since the last leg began
        self.work, self.coming = 0.0, 0.0  # friction's work up to now, and in the last step that was tried
        self._stuck: tuple[Any, Model] | None = None

    def begin(self, t: float) -> None:
        """Decide which way everything slides at the start."""
        for k, p in enumerate(self.friction.places):
            self.ways[k] = int(np.sign(self.v[p.v]))
        for k in [k for k, way in enumerate(self.ways) if way == 0]:
            self._decide(k, t)
        self.changes = [SlipChange(t, p.name, way) for p, way in zip(self.friction.places, self.ways, strict=True)]

    def model(self) -> Model:
        """The smooth model of now: what sticks is prescribed to stay."""
        return self._with_stuck(super().model(), self.ways)

    def _with_stuck(self, model: Model, ways: list[int]) -> Model:
        still = {p.v: float(self.q[p.q]) for p, way in zip(self.friction.places, ways, strict=True) if way == 0}
        still = {k: x for k, x in still.items() if k not in model.prescribed}
        if not still:
            return model
        key = model, tuple(still.items())
        if self._stuck is None or self._stuck[0] != key:
            held = {k: prescribed_motion(x) for k, x in still.items()}
            self._stuck = key, replace(model, prescribed={**model.prescribed, **held})
        return self._stuck[1]

    def rubbed(self, model: Model, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """All generalised forces (nv,) at a stage, friction among them, whose power is kept."""
        tau = self.tau(t, q, v)
        try:
            P, _ = self.friction.forces(model, t, q, v, tau, self.ways)
        except NoFriction as trouble:
            raise StoppedBetween(str(trouble)) from None
        out = np.array(tau, float)
        for p, force in zip(self.friction.places, P, strict=True):
            out[p.v] += force
        self.powers.append(float(sum(P * [v[p.v] for p in self.friction.places])))
        return out

    def works(self, h: float) -> np.ndarray:
        """Of friction in each step of length h of the last leg."""
        done = len(self.powers) // 4 * 4
        out = h * np.reshape(self.powers[:done], (-1, 4)) @ SHARES
        self.powers.clear()
        return out

    def stepped(self, t: float, h: float) -> tuple[np.ndarray, np.ndarray]:
        """Where one step of length h leads."""
        self.powers.clear()
        q, v = super().stepped(t, h)
        self.coming = float(self.works(h).sum())
        return q, v

    def accept(self, q: np.ndarray, v: np.ndarray) -> None:
        """Go on from where the last step led."""
        super().accept(q, v)
        self.work += self.coming

    def past(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """How far coordinates are beyond their pieces, and then how fast those with friction slide back."""
        ends = super().past(q, v)[..., : len(self.pieces.places)]
        back = [-way * v[..., p.v] for p, way in zip(self.friction.places, self.ways, strict=True)]
        return np.concatenate([ends, np.stack(back, axis=-1)], axis=-1)

    def _arrival(self, i: int, t: float, left: float, q, v) -> float:
        """When coordinate i is at the end of its piece, or (beyond those) slides no more."""
        n = len(self.pieces.places)
        if i < n:
            return super()._arrival(i, t, left, q, v)
        from scipy.optimize import brentq  # slow to load

        at, way = self.friction.places[i - n].v, self.ways[i - n]
        if way * self.v[at] <= 0.0:
            return 0.0

        def rate(h: float) -> float:
            return self.stepped(t, h)[1][at] if h > 0.0 else float(self.v[at])

        return float(brentq(rate, 0.0, left, xtol=1e-15, rtol=1e-14))  # type: ignore[arg-type]

    def _strike(self, i: int, t: float) -> None:
        """A corner, or the end of sliding one way."""
        n = len(self.pieces.places)
        if i < n:
            super()._strike(i, t)
            self._at_rest(t)
            return
        self.arrived += 1
        self.v[self.friction.places[i - n].v] = 0.0
        self._decide(i - n, t)

    def _at_rest(self, t: float) -> None:
        """What a corner stopped slides no more."""
        for place, piece in zip(self.pieces.places, self.now, strict=True):
            for k, p in enumerate(self.friction.places):
                if p.v == place.v and piece.held:
                    self._turn(k, 0, t)

    def _turn(self, k: int, way: int, t: float) -> None:
        if way != self.ways[k]:
            self.ways[k] = way
            self.changes.append(SlipChange(float(t), self.friction.places[k].name, way))

    def _decide(self, k: int, t: float) -> None:
        """Whether what has come to rest sticks, or which way it starts."""
        before = self.ways[k]
        self.ways[k] = 0
        needed, most = self._needs(t, self.q, self.v)
        self.ways[k] = before
        self._turn(k, 0 if abs(needed[k]) <= most[k] else -int(np.sign(needed[k])), t)

    def _needs(self, t: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What holds what sticks, and the most that can; what slides has its friction."""
        model, tau = self.model(), np.array(self.tau(t, q, v), float)
        P, _ = self.friction.forces(model, t, q, v, tau, self.ways)
        for p, force in zip(self.friction.places, P, strict=True):
            tau[p.v] += force
        return self.friction.held(model, t, q, v, tau)

    def _in_corner(self, k: int) -> bool:
        """Whether what sticks rests in a corner, from which `leave` lets it go."""
        at = self.friction.places[k].v
        return any(p.v == at and piece.held for p, piece in zip(self.pieces.places, self.now, strict=True))

    def leave(self, t: float) -> None:
        """Let go of what is in a corner, or sticks, where it is not held any more."""
        super().leave(t)
        for k, way in enumerate(self.ways):
            if way == 0 and not self._in_corner(k):
                self._decide(k, t)

    def _let_go(self, i: int, piece: Piece, way: int) -> None:
        super()._let_go(i, piece, way)
        for k, p in enumerate(self.friction.places):
            if p.v == self.pieces.places[i].v:
                self.ways[k] = way

    def released(self, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(T,): whether something that is held or sticks now would be let go at these times (T,) and states."""
        out = super().released(t, q, v)
        stuck = [k for k, way in enumerate(self.ways) if way == 0 and not self._in_corner(k)]
        if stuck:
            for at, one in enumerate(zip(t, q, v, strict=True)):
                needed, most = self._needs(*one)
                out[at] |= bool((np.abs(needed) > most)[stuck].any())
        return out

    def _away(self, i: int, piece: Piece, way: int, t, q, v) -> np.ndarray:
        """The accelerations (T,) away from a corner, against the friction that holds there."""
        place, model = self.pieces.places[i], self.pieces.smooth(self._with(i, piece))
        ways = [way if p.v == place.v else w for p, w in zip(self.friction.places, self.ways, strict=True)]
        model = self._with_stuck(model, ways)
        found = []
        for one in zip(t, q, v, strict=True):
            _, a = self.friction.forces(model, *one, np.asarray(self.tau(*one), float), ways, static=True)
            found.append(way * a[place.v])
        return np.array(found)

    def _struck(self, i: int, further: Piece, t: float) -> Impact:
        """The impulse at a corner, with its friction."""
        place = self.pieces.places[i]
        mine = [k for k, p in enumerate(self.friction.places) if p.v == place.v]
        if not mine:
            return super()._struck(i, further, t)
        k = mine[0]

        def rubbed(model: Model, q: np.ndarray, blow: np.ndarray, with_unit: np.ndarray) -> float:
            turned = model.bodies[place.body].offset.as_rotation()
            (along,), (size,) = (x[k : k + 1] for x in self.friction.slips(model, q))
            b, u = (turned.T @ x for x in (blow, with_unit))
            b, u = (x - (x @ along) * along for x in (b, u))
            strength = self.friction.places[k].sliding * size * self.ways[k]
            return float(solved(b[None], (u - b)[None, None], np.array([strength]))[0])

        return impact(self.pieces, i, (self.now, self._with(i, further)), t, self.q, self.v, rubbed)

    def holds(self) -> bool:
        """Whether a coordinate rests in a corner, or sticks."""
        return super().holds() or 0 in self.ways
