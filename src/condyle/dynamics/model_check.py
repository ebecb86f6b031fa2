"""Self-checks of a model: rank and derivatives of joints, plausible inertia, energy balance, inverse ∘ forward."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..errors import CondyleError
from ..joints import Joint
from ..joints import check as check_rank
from ..joints.evaluate import pose_matrices
from ..joints.rank_check import sample_coordinates
from ..model import Model
from ..spatial.twists import ad
from .constraints.constraint_forces import constraint_forces, project
from .coordinate_differences import integrate
from .energy import energy
from .forward_inverse import forward_dynamics, inverse_dynamics

STEP = 1e-4  # [s] of the differences in time
ROUNDED = 1e-4  # by which, of its width, a range may leave a domain: files round both
LIGHT = 1e-6  # of the median of the bodies: what weighs less, with all that it carries, was hardly meant
LARGE, SMALL = 20.0, 1e-4  # [m]: what is larger or smaller than these was hardly meant


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; a doubtful one is not wrong, but worth a look."""

    what: str
    ok: bool
    said: str
    doubtful: bool = False


def check_model(model: Model, samples: int = 64, seed: int = 0) -> list[Finding]:
    """All findings; none raises."""
    findings = [*_joints(model, samples, seed), *_inertias(model), *_ranges(model)]
    q, v, tau = random_states(model, samples, seed)
    bare = replace(model, forces=(), prescribed={}, constraints=())
    for what, test in (("energy", _power), ("inverse dynamics", _round_trip)):
        try:
            findings.append(test(bare, q, v, tau))
        except CondyleError as error:
            findings.append(Finding(what, False, str(error)))
    return [*findings, *_constraints(model)]


def random_states(model: Model, samples: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates in the joints' domains, velocities and forces of order one."""
    rng = np.random.default_rng(seed)
    blocks = [
        np.delete(rng.permutation(sample_coordinates(b.joint, samples, seed)[:samples]), _following(model, i), axis=1)
        for i, b in enumerate(model.bodies) if b.joint.nv
    ]  # fmt: skip
    q = np.concatenate(blocks, axis=1) if blocks else np.zeros((samples, 0))
    return q, rng.normal(size=(len(q), model.nv)), rng.normal(size=(len(q), model.nv))


def _following(model: Model, body: int) -> list[int]:
    """Where in the coordinates of its joint those are that follow others."""
    return [model.bodies[body].joint.offsets[c][0] for c in model.follower_numbers[body]]


def _joints(model: Model, samples: int, seed: int) -> Iterator[Finding]:
    """Rank, and that the Jacobian is the derivative of the pose."""
    for body in model.bodies:
        joint = body.joint
        if joint.nv == 0:
            continue
        report = check_rank(joint, seed=seed, name=body.joint_name)
        yield Finding(f"joint {body.joint_name!r}: rank", report.ok, str(report))
        gap = _derivative_gap(joint, samples, seed)
        yield Finding(f"joint {body.joint_name!r}: Jacobian", gap < 1e-6, f"differences of poses agree to {gap:.1e}")
        gap = _bracket_gap(joint, samples, seed)
        yield Finding(f"joint {body.joint_name!r}: Hessian", gap < 1e-9, f"its columns' brackets agree to {gap:.1e}")


def _inertias(model: Model) -> Iterator[Finding]:
    """Sizes that no body has: millimetres for metres, grams for kilograms; and bodies far lighter than the others."""
    light = _light(model)
    for body in model.bodies:
        mass, com = body.inertia.mass, float(np.linalg.norm(body.inertia.com))
        if mass == 0.0:
            continue
        wide = float(np.sqrt(np.trace(body.inertia.moment) / (2 * mass)))  # as far as its mass is from its centre
        said = f"{mass:.4g} kg, its centre {com:.3g} m from the origin, {wide:.3g} m wide"
        good = com <= LARGE and wide <= LARGE and (wide >= SMALL or wide == 0.0)
        advice = "" if good else "; kilograms, metres and kg m² are expected: are these grams or millimetres?"
        doubt = light.get(body.name, "")
        yield Finding(f"body {body.name!r}: inertia", good, said + advice + doubt, bool(doubt))


def _light(model: Model) -> dict[str, str]:
    """What is to be said of bodies that move and have next to no mass and moments, with all that they carry.

    Bodies without mass are meant so, those without a free coordinate of their own follow others, and armature is as
    good as mass.
    """
    own = np.array([(b.inertia.mass, np.trace(b.inertia.moment)) for b in model.bodies]).reshape(-1, 2)
    usual = [np.median(x[x > 0.0]) if (x > 0.0).any() else 0.0 for x in own.T]
    places = [p for p in model.coordinate_places if p.v not in model.prescribed_columns and not model.armature[p.v]]
    free, carried = {p.body for p in places}, own.copy()
    for i, body in reversed(list(enumerate(model.bodies))):
        if body.parent >= 0:
            carried[body.parent] += carried[i]
    few = (carried < LIGHT * np.array(usual)).all(axis=1) & (own[:, 0] > 0.0)
    return {
        b.name: f"; with what it carries {carried[i, 0] / usual[0]:.1g} of the median mass of the bodies, so that any "
        "force throws it: is the unit right? A body that is meant to have no mass has mass 0"
        for i, b in enumerate(model.bodies)
        if few[i] and i in free
    }


def _ranges(model: Model) -> Iterator[Finding]:
    """Ranges that leave the domain of a spline."""
    for name, (low, high) in model.ranges.items():
        place = model.coordinate_places[model.coordinates.index(name)]
        joint, c = model.bodies[place.body].joint, place.coordinate
        a, b = joint.domain[c]
        room = ROUNDED * (high - low)
        good = joint.periodic[c] or not np.isfinite(a + b) or (a <= low + room and high <= b + room)
        advice = "" if good else f"; the joint is known on {a:.4g} … {b:.4g} only and goes on straight beyond"
        yield Finding(f"coordinate {name!r}: range", good, f"{low:.4g} … {high:.4g}{advice}")


def _constraints(model: Model) -> Iterator[Finding]:
    """Whether constraints can be closed from the neutral pose, and how many of their rows say something new."""
    if not model.constraints:
        return
    try:
        q, v = project(model, model.neutral())
        found = constraint_forces(model, q, v)
    except CondyleError as error:
        yield Finding("constraints", False, str(error))
        return
    more = "" if found.unique else "; the others repeat them, so forces in them are not unique (the shortest are told)"
    yield Finding("constraints", True, f"closed from the neutral pose; {found.rank} of {found.rows} rows hold{more}")


def _derivative_gap(joint: Joint, samples: int, seed: int) -> float:
    """How far S is from central differences of the pose, relative to its size; quaternions are left out."""
    if any(w != (1, 1) for w in joint.widths):
        return 0.0
    q, h, gap = sample_coordinates(joint, samples, seed), 1e-6, 0.0
    S, G = joint.jacobian(q), pose_matrices(joint, q)
    for k in range(joint.nv):
        e = h * np.eye(joint.nq)[k]
        rate = np.linalg.solve(G, (pose_matrices(joint, q + e) - pose_matrices(joint, q - e)) / (2 * h))
        twist = np.stack([rate[:, 2, 1], rate[:, 0, 2], rate[:, 1, 0], *np.moveaxis(rate[:, :3, 3], 1, 0)], axis=1)
        gap = max(gap, float(np.median(np.abs(twist - S[:, :, k]).max(axis=1)) / max(1.0, np.abs(S).max())))
    return gap


def _bracket_gap(joint: Joint, samples: int, seed: int) -> float:
    """How far ∂_j s_i − ∂_i s_j is from ad_{s_i} s_j, relative to their size; quaternions are left out."""
    if any(w != (1, 1) for w in joint.widths):
        return 0.0
    q = sample_coordinates(joint, samples, seed)
    S, H = joint.jacobian(q), joint.hessian(q)
    bracket = np.einsum("naki,nkj->naij", np.moveaxis(ad(np.moveaxis(S, 1, 2)), 1, -1), S)
    curl = H - np.swapaxes(H, -1, -2)
    return float(np.abs(curl - bracket).max(initial=0.0) / max(1.0, np.abs(H).max(initial=0.0)))


def _power(model: Model, q, v, tau) -> Finding:
    """dE/dt = τ·v, the left side by differences of the energy along the motion."""
    model = model.without_muscles()
    a = forward_dynamics(model, q, v, tau)
    ends = [
        energy(model, integrate(model, q, s * STEP * v + 0.5 * STEP**2 * a), v + s * STEP * a).total for s in (1, -1)
    ]
    power = np.einsum("ni,ni->n", tau, v)
    scale = np.maximum(1.0, np.abs(energy(model, q, v).kinetic)) * (
        1 + np.abs(a).max(axis=1, initial=0.0) + np.abs(v).max(axis=1, initial=0.0)
    )
    gap = float(np.median(np.abs((ends[0] - ends[1]) / (2 * STEP) - power) / scale))
    return Finding("energy", gap < 1e-4, f"power put in is energy gained, to {gap:.1e} (gravity only, random states)")


def _round_trip(model: Model, q, v, tau) -> Finding:
    """Inverse dynamics undoes forward dynamics."""
    model = model.without_muscles()
    again = inverse_dynamics(model, q, v, forward_dynamics(model, q, v, tau))
    gap = float(np.abs(again - tau).max(initial=0.0))
    return Finding("inverse dynamics", gap < 1e-6, f"it undoes forward dynamics to {gap:.1e}")
