"""The names of all scenes; the module of a scene is loaded only when it is built or checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .scene import Scene


@dataclass(frozen=True)
class Listing:
    """What is to be seen, and the module and the function in it that build the scene; calling it builds."""

    about: str
    module: str  # below condyle.gallery; its `check` raises if a claim of its scenes does not hold
    build: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def _home(self):
        return import_module(f"condyle.gallery.{self.module}")

    def __call__(self) -> Scene:
        """The scene, with its sentence and its check."""
        home = self._home()
        return replace(getattr(home, self.build)(**self.options), about=self.about, check=home.check)

    def check(self) -> None:
        """Raise AssertionError if a claim of the scene does not hold."""
        self._home().check()


SCENES = {
    "leg": Listing("A leg whose knee, fitted to noisy poses, rolls and glides, swings from a fixed hip.",
                   "bones.swing", "swinging_leg"),
    "elliptic": Listing("A skate that slides along an ellipse, always tangent.", "wires.elliptic_wire", "elliptic"),
    "beads": Listing("Three beads on a flower-shaped wire that spins.", "wires.beads", "beads"),
    "beads-spinning": Listing("The same beads, free to spin about the wire.",
                              "wires.beads", "beads", {"rolling_about": True}),
    "globe": Listing("Aeroplanes that follow closed coastlines on a turning globe.", "wires.globe", "globe"),
    "letters": Listing("The word SIGGRAPH as a chain of letters, each sliding on its parent's outline.",
                       "scenes.letter_contacts", "letters"),
    "letters-2": Listing("The same word, neighbours touching along both outlines.",
                         "scenes.letter_contacts", "touching_letters"),
    "knees": Listing("Two legs let go: a knee as near to noisy poses as it gets, and the smoothed one.",
                     "bones.knees", "knees"),
    "condyles": Listing("A knee in three dimensions: condyles on a plateau, screw-home, axodes, patella.",
                        "bones.condyles", "condyles"),
    "foot": Listing("A foot that follows a moving target, by inverse kinematics.", "bones.knees", "foot_scene"),
    "stone": Listing("A stone that rolls in a dish: two spline surfaces in contact.", "surfaces.stone", "stone"),
    "elastic": Listing("A ball that glides on an elastic sheet of B-splines, which gives way and sends waves.",
                       "surfaces.sheet", "sheet_scene"),
    "elastic-points": Listing("A ball on an elastic surface whose control points are bodies.",
                              "surfaces.elastic_surface", "elastic"),
    "deforming": Listing("A ball on a surface that deforms.", "surfaces.deforming", "deforming_surface"),
    "corner": Listing("Beads on a wire with a sharp corner, which takes energy, and with a round bend.",
                      "wires.corner", "corner_scene"),
    "rolling": Listing("A ball that rolls on a ball without slipping.", "surfaces.rolling_balls", "ball_on_ball"),
    "disc": Listing("A disc that rolls on a plane without slipping.", "surfaces.rolling_balls", "rolling_disc"),
    "scapula": Listing("A shoulder blade on the rib cage, with collar bone and arm.", "bones.scapula", "scapula"),
    "gliding": Listing("A shoulder blade led over 60° x 40° of the arm's directions, seen from behind.",
                       "bones.scapula", "gliding"),
    "wrist": Listing("A condyloid wrist.", "bones.wrist_thumb", "wrist"),
    "arm": Listing("A person's reach fitted to samples: every way to hold the wrist where it is.",
                   "scenes.measured_arm", "arm_scene"),
    "thumb": Listing("The saddle joint of a thumb.", "bones.wrist_thumb", "thumb"),
    "three-links": Listing("Three links whose end goes straight while one joint is held.",
                           "scenes.three_links", "three_links_scene"),
    "reaching": Listing("A chain of ten freedoms reaches for a goal.", "scenes.reaching", "reaching_scene",
                        {"name": "reaching", "kind": "freely"}),
    "reaching-fixed": Listing("It reaches with its first segment fixed.", "scenes.reaching", "reaching_scene",
                              {"name": "reaching-fixed", "kind": "first segment fixed"}),
    "reaching-far": Listing("It reaches for a goal out of reach.", "scenes.reaching", "reaching_scene",
                            {"name": "reaching-far", "kind": "out of reach"}),
    "reaching-yields": Listing("It reaches where the fixed segment must yield.", "scenes.reaching", "reaching_scene",
                               {"name": "reaching-yields", "kind": "yields to reach"}),
    "sitting": Listing("A person rocks on a chair: a closed loop, three ways.", "scenes.sitter", "sitting_scene"),
    "dropping-chain": Listing("A chain pinned at one end and dropped.", "scenes.dropping", "dropping_scene"),
    "inchworm": Listing("An inchworm crawls: grip, reach, grip, pull.", "scenes.crawler", "inchworm_scene"),
    "inchworm-race": Listing("Two inchworms race.", "scenes.crawler", "race_scene"),
    "squat": Listing("A squat on two real knees, feet planted, balance kept.", "scenes.squatter", "squat_scene"),
    "sits": Listing("A person whom nothing holds sits down on a chair, leans back and stands up.",
                    "scenes.person", "person_scene", {"name": "sits", "kind": "sits"}),
    "lifts": Listing("A person lifts a barbell with both hands over the head.",
                     "scenes.person", "person_scene", {"name": "lifts", "kind": "lifts"}),
    "walks": Listing("A person takes three steps, the weight over one foot, then over the other.",
                     "scenes.person", "person_scene", {"name": "walks", "kind": "walks"}),
    "character": Listing("A character of motion capture directed by its hands, its gaze and its balance.",
                         "scenes.directed_character", "character_scene"),
    "spacetime": Listing("The same reach directed and by spacetime constraints.",
                         "scenes.spacetime", "spacetime_scene"),
    "skeleton": Listing("Three bodies, a hinge and a ball, tumble and keep their momentum.",
                        "skeletons.three_bodies", "scene"),
    "humanoid": Listing("A humanoid somersaults: joints with friction and limits, knees and elbows driven by motors.",
                        "skeletons.humanoid", "scene"),
    "ring": Listing("Six bars in a ring that turns inside out.", "skeletons.rings", "scene"),
    "hanging-chain": Listing("A chain of forty links, held at both ends, comes to rest.",
                             "skeletons.hanging_chain", "scene"),
    "tensegrity": Listing("Three struts that touch nowhere, held by nine springs, tumble and settle.",
                          "skeletons.tensegrity", "scene"),
}  # fmt: skip
