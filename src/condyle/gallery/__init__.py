"""Mechanisms worth looking at, as builders: a `Scene` holds a model, its start and what to draw."""

from ..view.drawn import Line, Sheet
from .beads import beads, flower
from .chains import planar_chain, rod, spatial_chain
from .corner import corner_bend, corner_impulse
from .deforming import deforming_surface
from .elliptic import elliptic
from .globe import coastline, globe
from .hanging_chain import hanging_chain
from .humanoid import humanoid, tucking
from .knee import knee, knee_poses, leg
from .letters import letters
from .rings import kaleidocycle, planar_ring, turning
from .rolling import ball_on_ball, rolling_disc
from .scapula import scapula, scapulothoracic
from .scene import Scene
from .squatter import squatter, squatter_feet, squatter_stance
from .three_bodies import three_bodies
from .toroidal import condyloid, saddle, thumb, wrist
from .worm import Step, crawl, landing, regripped, step_once, worm, worm_arc, worm_points, worm_reversed

SCENES = {
    "elliptic": elliptic,
    "beads": beads,
    "globe": globe,
    "letters": letters,
    "deforming": deforming_surface,
    "corner": corner_bend,
    "rolling": ball_on_ball,
    "disc": rolling_disc,
    "scapula": scapula,
    "wrist": wrist,
    "thumb": thumb,
}

__all__ = [
    "SCENES",
    "Line",
    "Scene",
    "Sheet",
    "Step",
    "ball_on_ball",
    "beads",
    "coastline",
    "condyloid",
    "corner_bend",
    "corner_impulse",
    "crawl",
    "deforming_surface",
    "elliptic",
    "flower",
    "globe",
    "hanging_chain",
    "humanoid",
    "kaleidocycle",
    "knee",
    "knee_poses",
    "landing",
    "leg",
    "letters",
    "planar_chain",
    "planar_ring",
    "regripped",
    "rod",
    "rolling_disc",
    "saddle",
    "scapula",
    "scapulothoracic",
    "spatial_chain",
    "squatter",
    "squatter_feet",
    "squatter_stance",
    "step_once",
    "three_bodies",
    "thumb",
    "tucking",
    "turning",
    "worm",
    "worm_arc",
    "worm_points",
    "worm_reversed",
    "wrist",
]
