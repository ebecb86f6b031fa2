"""An arm in a file: the fitted surface, its links and limits, and what was said of the fit."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import Field

from ..errors import BadShape, BadValue, require
from .array_fields import Array, Number, Stored
from .joint_schema import Part

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from ..workspace import Arm

VERSION = 1
Pair = Annotated[list[Number], Field(min_length=2, max_length=2)]
Three = Annotated[list[Number], Field(min_length=3, max_length=3)]


class FitEntry(Part):
    """Distances [cm] of the elbow samples from the surface."""

    mean: Number
    largest: Number
    inside_mean: Number
    rim_mean: Number
    rim_count: int
    count: int
    smoothing: Number
    upper_arm_gap: Number


class RegionEntry(Part):
    """Where samples were taken: domain `places`, `triangles` between neighbours, and the sampling distance [m]."""

    spacing: Annotated[Number, Field(gt=0)]
    places: Array
    triangles: Array


class ArmFile(Part):
    """An arm: patches of `degree` over `triangles` of `vertices`, `control` points of 12 channels [m]."""

    condyle: Literal[1]
    kind: Literal["arm"]
    units: Literal["SI"] = "SI"
    degree: Annotated[int, Field(ge=3, le=5)]
    lengths: Three  # clavicle, upper arm, forearm
    flexion: Pair
    wrist: Annotated[list[Pair], Field(min_length=3, max_length=3)]
    extent: Annotated[Number, Field(gt=0, le=1.5)]
    level: Annotated[int, Field(ge=1, le=7)] = 4
    side: Literal["right", "left"] = "right"
    weights: Annotated[list[Number], Field(min_length=5, max_length=5)] | None = None
    vertices: Array
    triangles: Array
    control: Array
    region: RegionEntry | None = None
    report: FitEntry | None = None
    arrays: Stored = Field(default={})


def is_arm(thing: Any) -> TypeIs[Arm]:
    """Whether a thing is an arm; nothing is if reach was never loaded."""
    module = sys.modules.get("condyle.workspace.arm")
    return module is not None and isinstance(thing, module.Arm)


def described_arm(arm: Arm) -> dict[str, Any]:
    """The tree of an arm's file."""
    from ..workspace import arm_as_dict

    stored = arm_as_dict(arm)
    arrays = {name: np.asarray(stored.pop(name)) for name in ("vertices", "triangles", "control")}
    said = {name: part for name in ("region", "report") if (part := stored.pop(name)) is not None}
    if "region" in said:
        said["region"] = {name: np.asarray(x) if name != "spacing" else x for name, x in said["region"].items()}
    return {"condyle": VERSION, "kind": "arm", "units": "SI"} | stored | arrays | said


def built_arm(entry: ArmFile) -> Arm:
    """The arm of a file."""
    from ..workspace import arm_from_dict

    stored = entry.model_dump() | {"triangles": _numbers(entry.triangles, len(entry.vertices), "vertices")}
    if entry.region is not None:
        stored["region"]["triangles"] = _numbers(entry.region.triangles, len(entry.region.places), "places")
    return arm_from_dict(stored)


def _numbers(corners: np.ndarray, count: int, what: str) -> np.ndarray:
    """Triangles (T, 3) as numbers of `count` vertices or places."""
    require(corners.ndim == 2 and corners.shape[1:] == (3,), "triangles are (T, 3)", BadShape, shape=corners.shape)
    whole = (corners == np.round(corners)).all() and (corners >= 0).all() and (corners < count).all()
    require(whole, f"triangles are numbers of {what}, 0 to {count - 1}", BadValue)
    return corners.astype(np.int64)
