"""Native calls for one state: what the functions of `dynamics` and `Evaluator` try first.

Each takes arrays that are as kernels want them and looks at them itself. Its answer is 0, a status, UNFIT, or
NotImplemented for what is not a contiguous vector of float64: then the caller looks closely, converts or says why not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...joints.packing import is_linear, linear_rows, placed, split_twist
from ...joints.segments import FACTORS, Segment
from ...model import Model
from ...model.body import Body
from ...model.kernels.layout import ROW_G, ROW_P
from ...numeric import Made, bound_call
from ...spatial import SE3
from ...spatial.quaternions import multiply, quaternion_from_rotation
from ...spatial.se3 import PACKED
from ...spatial.twists import pose_inverse
from .few_states import POSE, FewStates

SMALL = 64  # bodies: calls for models with no more of them keep the lock of the interpreter


def _refuse(*arguments: object) -> None:
    """What stands for a call where numbers have to be looked at first."""


class Calls:
    """The calls for one model, which are bound to its tables when one of them is first given a vector.

    Parameters
    ----------
    model : Model

    Attributes
    ----------
    any_q, any_state : bool
        Whether q, or q and v, may be any finite numbers, so that a call may be tried with them.
    nbodies : int
        As the model has them.
    vector, square, columns, places : tuple of int
        Shapes of accelerations, of the mass matrix, of a Jacobian and of the poses.
    no_forces : ndarray, shape (nv,)
        Forces that are read only, where none are given.
    forward : callable
        (q, v, tau, a): accelerations to a.
    inverse : callable
        (q, v, a, tau): forces to tau.
    mass : callable
        (q, M): the mass matrix to M (nv, nv).
    poses : callable
        (q, out): unit quaternions and positions of all bodies to out (nbodies, 7).
    jacobian : callable
        (q, body, J): the Jacobian of a body's twist to J (6, nv).
    new_forward, new_inverse, new_mass, new_poses, new_jacobian : callable
        The same without their last argument: they make the result, an array or for poses an SE3, and return it where
        the others return 0, else None; always None in models that do not take any numbers.
    few : FewStates
        The calls for a few states by rows.
    """

    def __init__(self, model: Model) -> None:
        self.any_q, self.any_state = model.takes_any_q, model.takes_any_state
        nv, self.nbodies, self.no_forces = model.nv, model.nbodies, np.zeros(model.nv)
        self._bodies = model.bodies if not model.followers else None
        self.vector, self.square, self.columns, self.places = (nv,), (nv, nv), (6, nv), (model.nbodies, POSE)
        self.few = FewStates(model)
        x, tables, frames = np.empty(1), (0.0, model.tables), (0.0, model.tables, model.body_frames)
        matrix = np.empty((1, 1))
        self.forward, self.new_forward = self._first("forward", Made(self.vector), tables, x, x, x, x)
        self.inverse, self.new_inverse = self._first("inverse", Made(self.vector), tables, x, x, x, x)
        self.mass, self.new_mass = self._first("mass", Made(self.square), tables, x, matrix)
        self.poses, self.new_poses = self._first("poses", Made(self.places, SE3, PACKED), frames, x, matrix)
        self.jacobian, self.new_jacobian = self._first("jacobian", Made(self.columns), frames, x, 0, matrix)

    def _first(self, name: str, result: Made, bound: tuple, *others: object) -> tuple[Callable, Callable]:
        """What stands for two calls until they are given a vector: callers that have batches only compile nothing."""

        def standing_for(attribute: str, made: Made | None) -> Callable:
            def call(q: object, *more: object) -> object:
                if type(q) is not np.ndarray or q.ndim != 1:
                    return None if made else NotImplemented
                entry, given = _entry_of(name, bound, self._bodies)
                found = bound_call(entry, given, *others, keeps_lock=self.nbodies <= SMALL, made=made)
                setattr(self, attribute, found)
                return found(q, *more)

            return call

        free = self.any_state if name == "forward" else self.any_q
        return standing_for(name, None), standing_for(f"new_{name}", result) if free else _refuse


def _entry_of(name: str, bound: tuple, bodies: tuple[Body, ...] | None) -> tuple[Callable, tuple]:
    """The entry of a call with what it is bound to; poses have a shorter one where all joints are screws.

    `bodies` is None in a model with followers, whose coordinates are functions of others.
    """
    from .kernels import one_state, screw_poses

    if name == "poses" and bodies is not None and all(_is_screw(body.joint.segments) for body in bodies):
        return screw_poses.screw_poses_one, (*bound[:2], _screw_rows(bodies))
    return getattr(one_state, f"{name}_one"), bound


def _is_screw(segments: tuple[Segment, ...]) -> bool:
    """Whether a joint is H exp(ĝ q), or H alone."""
    return is_linear(segments) or (len(segments) == 1 and segments[0].kind == FACTORS and not segments[0].terms)


def _screw_rows(bodies: tuple[Body, ...]) -> np.ndarray:
    """What `screw_poses` reads of each body, one after another: its pose in its parent as H exp(ĝ q)."""
    H, g = np.empty((len(bodies), 4, 4)), np.zeros((len(bodies), 6))
    for i, body in enumerate(bodies):
        (segment,) = placed(body.joint.segments, body.placement.as_matrix(), pose_inverse(body.offset.as_matrix()))
        H[i] = segment.poses[0]
        g[i] = segment.twists[0, 0] if segment.terms else 0.0
    rows, (axis, rate, _, _), zero = linear_rows(H, g), split_twist(g), np.zeros((len(bodies), 1))
    turn = quaternion_from_rotation(H[:, :3, :3])
    by_sine = multiply(turn, np.concatenate([zero, axis], axis=1))
    start, along, by_bend, by_lag = np.split(rows[:, ROW_P:ROW_G], 4, axis=1)  # by 1, q, 1 − cos θ, θ − sin θ
    positions = [start, along + rate[:, None] * by_lag, -by_lag, by_bend]
    return np.concatenate([turn, by_sine, *positions, 0.5 * rate[:, None]], axis=1).ravel()


def calls_of(model: Model) -> Calls:
    """The calls for a model, which keeps them."""
    found = model.one_state
    if found is None:
        found = vars(model)["one_state"] = Calls(model)
    return found
