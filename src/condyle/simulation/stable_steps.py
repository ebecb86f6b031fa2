"""The largest fixed steps that are stable: a model linearised at a pose, with all its limits engaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..dynamics import linearize, project
from ..errors import CondyleWarning, warn
from ..forces import Element, OnCoordinate
from ..model import Model
from ..typing import ArrayLike
from .stop_reasons import body_of

WORTH_A_WORD = 0.1  # share of the energy that a run may gain
LONGEST = 1.0  # [s]: longer steps are of no use, so stability is not looked for beyond
STEEPEST = 16.0 / 9.0  # largest slope of u · step(u) of a soft limit, at u = 2/3: its stiffness where it is stiffest
NO_GROWTH = 1e-5  # of the largest eigenvalue of a step beyond 1: that much is round-off of eigenvalues that coincide
EDGE = 1e-9  # of a rate: real parts below this share are none
HALVINGS = 24


@dataclass(frozen=True)
class StableSteps:
    """Steps below which a motion near a pose does not grow by the fault of the integrator.

    Attributes
    ----------
    steps : dict of str to float
        For each integrator with a fixed step: the largest stable step [s]. 0 if none is (forward Euler with anything
        that oscillates without damping), infinity if 1 s is.
    rate : float
        Size of the largest eigenvalue [1/s]: 2π times the frequency of an oscillation, or how fast a damper acts.
    joint : str
        The joint that moves most in the fastest motion; empty if nothing moves.
    """

    steps: dict[str, float]
    rate: float
    joint: str

    def __str__(self) -> str:
        each = ", ".join(f"{name} {_in_words(step)}" for name, step in self.steps.items())
        return f"{each}; the fastest is joint {self.joint!r} at {self.rate:.4g} /s" if self.joint else each


def stable_steps(model: Model, q: ArrayLike | None = None) -> StableSteps:
    """The largest stable step of each integrator with a fixed step, for the loads of a model.

    The model is linearised at rest, with every limit engaged as if its coordinate were beyond it. A step is stable if
    none of the motions that the equations keep or damp grows from step to step; falling over is no fault of a step.
    Elsewhere, and at speed, steps may have to be smaller; a half of these is a good first choice, and accuracy may ask
    for less. Muscles do not act.

    Parameters
    ----------
    model : Model
    q : array_like, shape (nq,), optional
        The pose; by default the neutral one, brought onto the constraints.

    Returns
    -------
    StableSteps

    Raises
    ------
    RankLost, InconsistentLoop, NotFinite
        Where there is no linearisation at that pose.

    Examples
    --------
    A slider of 1 kg on a spring of 10,000 N/m has 100 rad/s; Störmer-Verlet is stable below 2/100 s:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    >>> found = cd.simulation.stable_steps(b.add_stiffness("cart", 1e4).build())
    >>> round(found.rate, 6), round(found.steps["variational"], 6), found.steps["euler"]
    (100.0, 0.02, 0.0)
    """
    A, B, shares = _linear_motion(model, q)
    n = len(A)
    rates, vectors = np.linalg.eig(np.block([[np.zeros((n, n)), np.eye(n)], [A, B]]))
    kept = rates[np.real(rates) <= EDGE * np.abs(rates)]  # what grows by itself is not judged
    fastest = float(np.abs(rates).max(initial=0.0))
    steps = {
        "euler": _least(kept, _euler_radius),
        "semi-implicit": _bisected(lambda h: _semi_implicit(A, B, h), rates),
        "rk4": _least(kept, _rk4_radius),
        "variational": _bisected(lambda h: _variational(A, B, h), rates),
    }
    if fastest == 0.0:
        return StableSteps(steps, 0.0, "")
    moved = np.abs(shares @ vectors[:n, int(np.argmax(np.abs(rates)))])
    return StableSteps(steps, fastest, model.bodies[body_of(model, int(np.argmax(moved)))].joint_name)


def _linear_motion(model: Model, q: ArrayLike | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A, B of ÿ = A y + B ẏ for small moves N y that constraints and prescribed coordinates leave, and N scaled."""
    if q is None:
        q = model.neutral()
        q = project(model, q)[0] if model.constraints else q
    q = np.asarray(q, dtype=float)
    engaged = replace(model.without_muscles(), forces=tuple(_engaged(x, q) for x in model.forces))
    slopes = linearize(engaged, q, np.zeros(model.nv))
    response = 0.5 * (slopes.tau + slopes.tau.T)  # M⁻¹ on the moves that are left, zero on all others
    values, vectors = np.linalg.eigh(response)
    N = vectors[:, values > 1e-12 * values.max(initial=0.0)]
    weights = 1.0 / np.sqrt(np.maximum(np.diag(response), 1e-300))  # moves of metres and radians by their energy
    return N.T @ slopes.q @ N, N.T @ slopes.v @ N, np.where(np.diag(response) > 0.0, weights, 0.0)[:, None] * N


def _engaged(force: Element, q: np.ndarray) -> Element:
    """A limit as the spring and damper that it is beyond its end, at rest here; any other force as it is."""
    if not isinstance(force.at, OnCoordinate) or not force.declared.limit:
        return force
    rest = float(q[force.at.q]) if force.at.q < len(q) else 0.0  # a follower is not in q
    stiffness = max(x for name, x in force.named.items() if name.startswith("stiffness"))
    steepest = STEEPEST * stiffness if force.law == "soft_limit" else stiffness
    return replace(force, law="coordinate_spring", constants=(steepest, rest, force.named["damping"]))


def _least(rates: np.ndarray, radius: Callable[[complex], float]) -> float:
    """The least over eigenvalues of how far a method is stable along their direction, by their size."""
    found = [radius(complex(x) / abs(x)) / abs(x) for x in rates if abs(x) * LONGEST > EDGE]
    return _no_longer(min(found, default=np.inf))


def _euler_radius(direction: complex) -> float:
    """|1 + r e^{iθ}| ≤ 1 up to r = −2 cos θ."""
    return -2.0 * direction.real if direction.real < -EDGE else 0.0


def _rk4_radius(direction: complex) -> float:
    """The first r at which |1 + z + z²/2 + z³/6 + z⁴/24| > 1 for z = r e^{iθ}."""
    r = np.linspace(0.0, 4.0, 4001)[1:]

    def size(x):
        z = x * direction
        return np.abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))))

    out = r[int(np.argmax(size(r) > 1.0 + EDGE))]
    return _halved(lambda x: bool(size(x) <= 1.0 + EDGE), out - r[0], out)


def _semi_implicit(A: np.ndarray, B: np.ndarray, h: float) -> np.ndarray:
    """v' = v + h (A q + B v), q' = q + h v'."""
    v = np.hstack([h * A, np.eye(len(A)) + h * B])
    return np.vstack([np.eye(*v.shape) + h * v, v])


def _variational(A: np.ndarray, B: np.ndarray, h: float) -> np.ndarray:
    """v̄ = v + h/2 (A q + B v̄), q' = q + h v̄, v' = v̄ + h/2 (A q' + B v̄)."""
    one = np.eye(len(A))
    mean = np.linalg.solve(one - 0.5 * h * B, np.hstack([0.5 * h * A, one]))
    q = np.eye(*mean.shape) + h * mean
    return np.vstack([q, mean + 0.5 * h * (A @ q + B @ mean)])


def _bisected(step: Callable[[float], np.ndarray], rates: np.ndarray) -> float:
    """The largest h whose step makes nothing grow faster than the equations do, by doubling and halving."""
    growth, fastest = float(np.real(rates).max(initial=0.0)), float(np.abs(rates).max(initial=0.0))

    def stable(h: float) -> bool:
        return np.abs(np.linalg.eigvals(step(h))).max() <= np.exp(growth * h) + NO_GROWTH

    h = 0.1 / fastest if fastest * LONGEST > 0.1 else LONGEST
    if len(rates) and not stable(h):
        return 0.0
    while len(rates) and h < LONGEST:
        if not stable(2.0 * h):
            return _no_longer(_halved(stable, h, 2.0 * h))
        h = 2.0 * h
    return np.inf


def _halved(stable: Callable[[float], bool], good: float, bad: float) -> float:
    """The last stable number between a stable and an unstable one."""
    for _ in range(HALVINGS):
        middle = 0.5 * (good + bad)
        good, bad = (middle, bad) if stable(middle) else (good, middle)
    return good


def _no_longer(step: float) -> float:
    return float(step) if step < LONGEST else np.inf


def _in_words(step: float) -> str:
    if step == 0.0:
        return "at no step"
    return f"above {LONGEST:g} s" if np.isinf(step) else f"up to {1e3 * step:.3g} ms"


def warn_of_turning_gain(integrator: str, step: float, run: Any) -> None:
    """Warn of ball and free joints that may have gained energy in a run by semi-implicit steps [s].

    Their velocities are given in axes that turn with the body. A step of h is explicit in ω × v, so that what turns at
    ω gains up to h ω² of its energy in a second, for ever.
    """
    model = run.model
    if integrator != "semi-implicit" or not model.quaternions or len(run.t) < 2:
        return
    v = np.asarray(run.v)
    gains = {name: _gain(step, run.t, v[..., at : at + 3]) for _, at, name in model.quaternions}
    name = max(gains, key=lambda name: gains[name])
    if gains[name] > WORTH_A_WORD:
        warn(f"simulate: semi-implicit steps of {step:g} s may have given what turns with the joint {name!r} up to "
             f"{gains[name]:.2g} times its energy in this run; take integrator='variational' or 'rk4', or a smaller "
             "step", CondyleWarning)  # fmt: skip


def _gain(step: float, times: np.ndarray, turning: np.ndarray) -> float:
    """h ∫ω² dt of the member that turns most, as far as it went."""
    square = np.nan_to_num((turning**2).sum(axis=-1), posinf=0.0).reshape(-1, len(times))
    return float(step * np.trapezoid(square, times, axis=-1).max(initial=0.0))
