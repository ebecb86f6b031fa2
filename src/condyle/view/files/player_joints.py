"""The joints of a model for a player's page, which puts the bodies where sliders say: H Π exp(ĝ φ(q)) in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...joints.segments import ELLIPSE, FACTORS, POLYNOMIAL, SINUSOID, Segment, Term
from ...model import Model
from ..dials import dials
from ..render_scene import Stage
from .player_numbers import floats

KINDS = {POLYNOMIAL: "polynomial", SINUSOID: "sinusoid", ELLIPSE: "ellipse"}
LOOPS = "Sliders move one coordinate each: loops and couplings of this model are not kept."
WRAPS = "Away from the first posture muscles are drawn straight, past what they wrap over."


def rig_of(stage: Stage) -> dict[str, Any]:
    """What the page needs to pose the bodies of a model: joints, where they hang, sliders, notes on limits."""
    model = stage.model
    joints = list({id(j): j for j in (*(b.joint for b in model.bodies), *(f.slide for f in model.followers))}.values())
    number = {id(joint): k for k, joint in enumerate(joints)}
    return {
        "parents": [b.parent for b in model.bodies],
        "placements": _matrices(np.array([b.placement.as_matrix() for b in model.bodies])),
        "ends": _matrices(np.array([b.offset.inverse().as_matrix() for b in model.bodies])),
        "kinds": [number[id(b.joint)] for b in model.bodies],
        "joints": [[_segment(s) for s in joint.segments] for joint in joints],
        "places": [[p.body, p.coordinate, p.q, p.widths[0]] for p in model.coordinate_places],
        "followers": [[f.body, f.coordinate, *f.driver_place, number[id(f.slide)]] for f in model.followers],
        "q": floats(stage.q[0]),
        "dials": _dials(stage),
        "notes": _notes(model),
    }


def _dials(stage: Stage) -> list[dict[str, Any]]:
    """Sliders of all coordinates that move, as the live viewer has them."""
    _, radius = stage.bounds()
    found = []
    for d in dials(stage.model, 2.0 * radius):
        value = float(np.clip(d.read(stage.q[0]), d.low, d.high))
        place = {"at": d.at, "turn": d.turn, "low": d.low, "high": d.high, "value": value}
        found.append({"name": d.name.removesuffix(" [m]"), "unit": d.unit, **place})
    return found


def _notes(model: Model) -> list[str]:
    wraps = any(m.path.wraps or any(p.coordinate is not None for p in m.path.points) for m in model.muscles)
    return [LOOPS] * bool(model.constraints) + [WRAPS] * wraps


def _segment(s: Segment) -> dict[str, Any]:
    if s.kind != FACTORS:
        return {"quaternion": s.grid.coordinates[0], "poses": "", "twists": "", "breaks": [], "terms": []}
    return {
        "quaternion": -1, "poses": _matrices(s.poses), "twists": floats(s.twists), "terms": [_term(t) for t in s.terms],
        "grid": list(s.grid.coordinates), "breaks": [floats(b) for b in s.grid.breaks],
        "periodic": [bool(p) for p in s.grid.periodic],
    }  # fmt: skip


def _term(t: Term) -> dict[str, Any]:
    numbers = {"orders": list(t.constants.shape[1:]), "constants": floats(t.constants)}
    return {"kind": KINDS[t.code], "coordinates": list(t.coordinates), **numbers}


def _matrices(poses: np.ndarray) -> str:
    """Matrices (n, 4, 4) by columns, as WebGL has them."""
    return floats(poses.swapaxes(-1, -2))
