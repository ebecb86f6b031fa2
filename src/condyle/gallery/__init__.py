"""Mechanisms worth looking at: builders of models, skeletons and scenes, and `SCENES`, which `condyle demo` shows.

Folders say what is to be seen: `bones`, `wires`, `surfaces`, `skeletons`, and in `scenes` whole applications, whose
functions are not promised to stay as they are. Names load on first use (PEP 562).
"""

from __future__ import annotations

import warnings
from importlib import import_module

_HOMES = {
    "bones.knee": ("knee", "knee_poses", "leg"),
    "bones.scapula": ("scapula", "scapulothoracic"),
    "bones.wrist_thumb": ("condyloid", "saddle", "thumb", "wrist"),
    "catalogue": ("SCENES",),
    "chains": ("planar_chain", "rod", "spatial_chain"),
    "scene": ("Scene",),
    "showing": ("Outcome", "show"),
    "skeletons.hanging_chain": ("hanging_chain",),
    "skeletons.humanoid": ("humanoid",),
    "skeletons.rings": ("kaleidocycle", "planar_ring"),
    "skeletons.tensegrity": ("tensegrity",),
    "skeletons.three_bodies": ("three_bodies",),
    "surfaces.deforming": ("deforming_surface",),
    "surfaces.elastic_surface": ("elastic",),
    "surfaces.rolling_balls": ("ball_on_ball", "rolling_disc"),
    "surfaces.stone": ("stone",),
    "wires.beads": ("beads", "flower"),
    "wires.elliptic_wire": ("elliptic",),
    "wires.globe": ("globe",),
    "wires.impact": ("Impact", "bent_wire", "corner_impulse", "through_corner"),
}
_DEPRECATED = {  # names that were public once: they work, and say where they are now
    "bones.knee": ("add_leg",),
    "bones.knees": ("fitted_knees", "foot", "knees"),
    "scenes.crawler": ("crawlers", "crawling", "front_of", "race", "replayed"),
    "scenes.dropping": ("drop", "energy_drift"),
    "scenes.letters": ("letters",),
    "scenes.reaching": ("REACHES", "reach", "reach_space"),
    "scenes.sitter": (
        "SITTING", "Seated", "chair_force", "rocking", "seated", "sitter", "sitter_hip", "sitting_table",
    ),
    "scenes.spacetime": ("Account", "account", "directed_reach", "reaching_arm", "spacetime_reach"),
    "scenes.squatter": ("squat", "squatter", "squatter_feet", "squatter_stance"),
    "scenes.three_links": ("three_links",),
    "scenes.worm": (
        "Step", "crawl", "landing", "regripped", "step_once", "worm", "worm_arc", "worm_points",
    ),
    "skeletons.humanoid": ("tucking",),
    "skeletons.rings": ("turning",),
    "skeletons.tensegrity": ("TWIST",),
    "surfaces.elastic_surface": ("rigid_bowl",),
    "wires.corner": ("corner_bend", "corners"),
    "wires.globe": ("coastline",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_NOW_IN = {name: f"condyle.gallery.{home}" for home, names in _DEPRECATED.items() for name in names}
_NOW_IN |= {"Line": "condyle.view", "Sheet": "condyle.view"}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str):
    if name in _HOME_OF:
        return getattr(import_module(f"condyle.gallery.{_HOME_OF[name]}"), name)
    if name in _NOW_IN:
        words = f"condyle.gallery.{name} will go; it is {_NOW_IN[name]}.{name} now"
        warnings.warn(words, DeprecationWarning, stacklevel=2)
        return getattr(import_module(_NOW_IN[name]), name)
    raise AttributeError(f"module 'condyle.gallery' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
