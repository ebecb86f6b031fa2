"""Mechanisms worth looking at, as builders: a `Scene` holds a model, its start and what to draw."""

from ..view.overlays import Line, Sheet
from .beads import beads, flower
from .chains import planar_chain, rod, spatial_chain, three_links
from .corner import corner_bend, corners
from .crawler import crawlers, crawling, front_of, race, replayed
from .deforming import deforming_surface
from .dropping import drop, energy_drift
from .elastic import elastic, rigid_bowl
from .elliptic import elliptic
from .globe import coastline, globe
from .hanging_chain import hanging_chain
from .humanoid import humanoid, tucking
from .impact import Impact, bent_wire, corner_impulse, through_corner
from .knee import add_leg, knee, knee_poses, leg
from .knees import fitted_knees, foot, knees
from .letters import letters
from .reaching import REACHES, reach, reach_space
from .rings import kaleidocycle, planar_ring, turning
from .rolling import ball_on_ball, rolling_disc
from .scapula import scapula, scapulothoracic
from .scene import Scene
from .sitter import SITTING, Seated, chair_force, rocking, seated, sitter, sitter_hip, sitting_table
from .spacetime import Account, account, directed_reach, reaching_arm, spacetime_reach
from .squatter import squat, squatter, squatter_feet, squatter_stance
from .stone import stone
from .tensegrity import TWIST, tensegrity
from .three_bodies import three_bodies
from .toroidal import condyloid, saddle, thumb, wrist
from .worm import (
    Step,
    crawl,
    landing,
    regripped,
    step_once,
    worm,
    worm_angles,
    worm_arc,
    worm_points,
    worm_reversed,
)

SCENES = {
    "elliptic": elliptic,
    "beads": beads,
    "beads-spinning": lambda: beads(rolling_about=True),
    "globe": globe,
    "letters": letters,
    "letters-2": lambda: letters(2),
    "knees": knees,
    "deforming": deforming_surface,
    "corner": corner_bend,
    "rolling": ball_on_ball,
    "disc": rolling_disc,
    "stone": stone,
    "elastic": elastic,
    "scapula": scapula,
    "wrist": wrist,
    "thumb": thumb,
}

__all__ = [
    "REACHES",
    "SCENES",
    "SITTING",
    "TWIST",
    "Account",
    "Impact",
    "Line",
    "Scene",
    "Seated",
    "Sheet",
    "Step",
    "account",
    "add_leg",
    "ball_on_ball",
    "beads",
    "bent_wire",
    "chair_force",
    "coastline",
    "condyloid",
    "corner_bend",
    "corner_impulse",
    "corners",
    "crawl",
    "crawlers",
    "crawling",
    "deforming_surface",
    "directed_reach",
    "drop",
    "elastic",
    "elliptic",
    "energy_drift",
    "fitted_knees",
    "flower",
    "foot",
    "front_of",
    "globe",
    "hanging_chain",
    "humanoid",
    "kaleidocycle",
    "knee",
    "knee_poses",
    "knees",
    "landing",
    "leg",
    "letters",
    "planar_chain",
    "planar_ring",
    "race",
    "reach",
    "reach_space",
    "reaching_arm",
    "regripped",
    "replayed",
    "rigid_bowl",
    "rocking",
    "rod",
    "rolling_disc",
    "saddle",
    "scapula",
    "scapulothoracic",
    "seated",
    "sitter",
    "sitter_hip",
    "sitting_table",
    "spacetime_reach",
    "spatial_chain",
    "squat",
    "squatter",
    "squatter_feet",
    "squatter_stance",
    "step_once",
    "stone",
    "tensegrity",
    "three_bodies",
    "three_links",
    "through_corner",
    "thumb",
    "tucking",
    "turning",
    "worm",
    "worm_angles",
    "worm_arc",
    "worm_points",
    "worm_reversed",
    "wrist",
]


def __dir__() -> list[str]:
    return sorted(__all__)
