"""`HeldModel`: a model of any joints in maximal coordinates, six numbers of motion per body."""

from __future__ import annotations

import numpy as np

from ...deprecation import warn_renamed
from ...dynamics import Energy, Momentum, energy
from ...errors import BadShape, InconsistentLoop, NotSupported, amount, require
from ...model import Model
from ...model.validate_model import require_model
from ...spatial.arrays import real_numbers
from ...typing import ArrayLike
from ..energy_momentum import kinetic_energy, momentum
from ..state import State
from .held_simulation import accelerations, simulate
from .joint_rows import Bodies, JointRows, bodies_of, state_from
from .steps import closed

CLOSED = 1e-8  # [m, rad, m/s, rad/s]
SAMPLES = 9  # of each coordinate's domain, where a joint is looked for from


class HeldModel:
    """Free bodies that joints of any kind hold together: splines, surfaces, contacts, screws, hinges.

    Made by `cd.skeleton.from_model`. It is the twin of the model in minimal coordinates: the same accelerations to 1e-9
    and the same motion as the step goes to zero, from other equations. States are those of skeletons; coordinates are
    found from them. Rows of joints are compiled, the systems of all members of a batch are NumPy's: a step of a few
    bodies takes about a millisecond.

    Parameters
    ----------
    model : Model
        A tree; its springs, limits, dampers and bushings act as they do in it.
    initial : State
        Where it starts.
    q : array_like, shape (..., nq)
        The coordinates there.

    Attributes
    ----------
    model : Model
    initial : State
    masses : ndarray, shape (bodies,)
        [kg]
    inertias : ndarray, shape (bodies, 3, 3)
        About the centres of mass, body axes [kg m²].
    """

    simulate, accelerations = simulate, accelerations

    def __init__(self, model: Model, initial: State, q: ArrayLike) -> None:
        require_held(model)
        self.model, self.initial, self._q = model, initial, np.array(q, float)
        self.joints = JointRows(model)
        self.masses, self.inertias = self.joints.masses, self.joints.moments

    @property
    def body_names(self) -> tuple[str, ...]:
        """Of the bodies, in order."""
        return self.model.names

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Of the joints, one per body."""
        return tuple(b.joint_name for b in self.model.bodies)

    @property
    def unknowns(self) -> int:
        """How many reactions the joints have: six each, less one for each coordinate."""
        return self.joints.m

    def __repr__(self) -> str:
        bodies, rows = amount(self.model.nbodies, "body", "bodies"), amount(self.unknowns, "reaction")
        return f"<HeldModel: {bodies}, {amount(self.model.nv, 'coordinate')}, {rows}>"

    def checked_state(self, state: State | None) -> State:
        """A state of these bodies, checked for size; the initial one for None.

        Parameters
        ----------
        state : State or None

        Returns
        -------
        State

        Raises
        ------
        BadShape
            If it has another number of bodies.
        """
        state = self.initial if state is None else state
        n, got = self.model.nbodies, state.positions.shape
        require(got[-2:] == (n, 3), f"a state of this model has positions (..., {n}, 3); got {got}", BadShape)
        return state

    def given(self, state: State | None) -> State:
        """Deprecated: `checked_state`.

        Parameters
        ----------
        state : State or None

        Returns
        -------
        State
        """
        warn_renamed("HeldModel.given", "checked_state")
        return self.checked_state(state)

    def coordinates(self, state: State | None = None, near: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities of the model at a state.

        Parameters
        ----------
        state : State, optional
            The initial one by default.
        near : array_like, shape (..., nq), optional
            Where to look from, for joints that come to the same pose more than once; by default the initial ones.

        Returns
        -------
        q : ndarray, shape (..., nq)
        v : ndarray, shape (..., nv)

        Raises
        ------
        InconsistentLoop
            If the bodies are not where their joints allow, or are being torn apart; the worst joint is named.
        """
        state = self.checked_state(state)
        x, shape = bodies_of(state), state.shape
        q = self._found(x, self.joints.settled(x, self._near(state, near)))
        rows = self.joints.at(x, q)
        self._require_closed(np.concatenate([rows.gap, rows.behind], axis=1), "m or rad apart")
        self._require_closed((rows.A @ x.u.reshape(len(q), -1, 1))[..., 0], "m/s or rad/s torn apart")
        return q.reshape(*shape, -1), rows.v.reshape(*shape, -1)

    def _near(self, state: State, near: ArrayLike | None) -> np.ndarray:
        """Coordinates (count, nq) to look from: those given, or the initial ones."""
        nq = self.model.nq
        own = self._q if self._q.shape[:-1] in ((), state.shape) else self._q.reshape(-1, nq)[0]
        start = own if near is None else real_numbers(near, "near")
        fits = start.shape[-1:] == (nq,) and start.shape[:-1] in ((), state.shape)
        require(fits, f"near must have shape {(*state.shape, nq)} or ({nq},)", BadShape, shape=start.shape)
        return np.array(np.broadcast_to(start, (*state.shape, nq)), float).reshape(-1, nq)

    def _found(self, x: Bodies, q: np.ndarray) -> np.ndarray:
        """Coordinates of members whose joints are not closed at q, looked for over the domains."""
        for i, body in enumerate(self.model.bodies):
            at, joint = self.model.joint_starts[i][0], body.joint
            if joint.nv != joint.nq or not 0 < joint.nv <= 3:
                continue
            own = slice(self.joints.ends[i], self.joints.ends[i + 1])
            for k in np.flatnonzero(np.abs(self.joints.at(x, q, rates=False).gap[:, own]).max(axis=1) > CLOSED):
                one = Bodies(x.R[k : k + 1], x.p[k : k + 1], x.u[k : k + 1])
                q[k] = self._nearest(one, q[k], slice(at, at + joint.nq), _grid(joint.domain))
        return q

    def _nearest(self, x: Bodies, q: np.ndarray, place: slice, grid: np.ndarray) -> np.ndarray:
        """The best of coordinates that were settled from everywhere on a grid."""
        tries = np.repeat(q[None], len(grid), axis=0)
        tries[:, place] = grid
        many = Bodies(*(np.repeat(part, len(grid), axis=0) for part in x))
        tries = self.joints.settled(many, tries)
        gaps = np.abs(self.joints.at(many, tries, rates=False).gap).max(axis=1, initial=0.0)
        return tries[np.argmin(gaps)]

    def _require_closed(self, gaps: np.ndarray, words: str) -> None:
        worst = float(np.abs(gaps).max(initial=0.0))
        if worst <= CLOSED:
            return
        column = int(np.unravel_index(np.argmax(np.abs(gaps)), gaps.shape)[1])
        m = self.joints.m
        starts = self.joints.ends if column < m else np.array([k for _, k in self.model.joint_starts])
        joint = int(np.searchsorted(starts, column if column < m else column - m, side="right")) - 1
        name = self.joint_names[min(joint, len(self.joint_names) - 1)]
        raise InconsistentLoop(
            f"joint {name!r}: its two sides are {worst:.6g} {words}; at most {CLOSED:g} is allowed. Correct the state, "
            "or take the nearest consistent one: projected(state)"
        )

    def projected(self, state: State | None = None, near: ArrayLike | None = None) -> State:
        """The nearest state, in the metric of the masses, in which joints are closed and stay so.

        Parameters
        ----------
        state : State, optional
            The initial one by default.
        near : array_like, shape (..., nq), optional
            Coordinates near those of the state; by default the initial ones.

        Returns
        -------
        State

        Raises
        ------
        InconsistentLoop
            If no closed state was found from there.
        """
        state = self.checked_state(state)
        x, q = bodies_of(state), self._near(state, near)
        end = closed(self.joints, x, self.joints.settled(x, q), np.ones(len(q), bool))
        words = "the joints of this state do not close; start nearer to a closed one, or give coordinates (near=…)"
        require(bool(end.good.all()), words, InconsistentLoop)
        return state_from(end.x, state.shape)

    def gaps(self, state: State | None = None, near: ArrayLike | None = None) -> np.ndarray:
        """How far each joint is from closed, (..., joints) [m, rad]: the largest of its six numbers.

        Parameters
        ----------
        state : State, optional
            The initial one by default.
        near : array_like, shape (..., nq), optional
            Coordinates near those of the state; by default the initial ones.

        Returns
        -------
        ndarray, shape (..., joints)
        """
        state = self.checked_state(state)
        x, q = bodies_of(state), self._near(state, near)
        rows = self.joints.at(x, self.joints.settled(x, q), rates=False)
        found = [np.abs(rows.gap[:, a:b]).max(axis=1, initial=0.0) for a, b in _pairs(self.joints.ends)]
        return np.stack(found, axis=-1).reshape(*state.shape, -1)

    def energy(self, state: State | None = None) -> Energy:
        """(kinetic, potential, total) [J]; kinetic from the bodies, potential from the model at their coordinates.

        Parameters
        ----------
        state : State, optional
            The initial one by default.

        Returns
        -------
        Energy
        """
        state = self.checked_state(state)
        kinetic = kinetic_energy(self.masses, self.inertias, state)
        potential = energy(self.model, *self.coordinates(state)).potential
        return Energy(kinetic, potential, kinetic + potential)

    def momentum(self, state: State | None = None) -> Momentum:
        """Linear momentum, and angular momentum about the centre of mass, (..., 3) in world axes.

        Parameters
        ----------
        state : State, optional
            The initial one by default.

        Returns
        -------
        Momentum
        """
        return momentum(self, state)  # pyright: ignore[reportArgumentType]  # it has what a skeleton is asked for


def require_held(model: Model) -> None:
    """Nothing that bodies held by joints do not have here; what it is is named."""
    require_model(model)
    given = [name for name in ("constraints", "prescribed", "followers", "muscles") if getattr(model, name)] + [
        "armature"
    ] * any(rating.armature for rating in model.ratings.values())
    wide = [b.joint_name for b in model.bodies if b.joint.nv > 6]
    require(not wide, f"in maximal coordinates a joint has at most six velocities; {wide[:1]} has more", NotSupported)
    words = f"in maximal coordinates a model of such joints cannot have {', '.join(given)}. Simulate the model itself"
    require(not given, f"{words} with cd.simulate", NotSupported)


def _grid(domain) -> np.ndarray:
    """Places all over the domain of a joint's coordinates, (count, nq)."""
    ends = [(a, b) if np.isfinite([a, b]).all() else (-np.pi, np.pi) for a, b in domain]
    axes = np.meshgrid(*(np.linspace(a, b, SAMPLES) for a, b in ends), indexing="ij")
    return np.stack([a.ravel() for a in axes], axis=-1)


def _pairs(ends: np.ndarray) -> list[tuple[int, int]]:
    return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))
