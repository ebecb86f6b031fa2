"""Masses of a person's segments: mean fractions, centres and radii of gyration of young adults by de Leva (1996).

P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, J. Biomechanics 29 (1996) 1223-1230.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...errors import BadValue, require, unknown_name
from ...spatial import Inertia
from .hierarchy import Hierarchy

SEXES = ("male", "female")


class Segment(NamedTuple):
    """Share of the body's mass, centre from the near end, and radii of gyration across (two) and along; per length."""

    mass: float
    center: float
    across: tuple[float, float]
    along: float


TABLE = {
    "male": {
        "head": Segment(0.0694, 1.0 - 0.5002, (0.303, 0.315), 0.261),
        "trunk": Segment(0.4346, 0.5, (0.328, 0.306), 0.169),
        "upper arm": Segment(0.0271, 0.5772, (0.285, 0.269), 0.158),
        "forearm": Segment(0.0162, 0.4574, (0.276, 0.265), 0.121),
        "hand": Segment(0.0061, 0.3624, (0.288, 0.235), 0.184),
        "thigh": Segment(0.1416, 0.4095, (0.329, 0.329), 0.149),
        "shank": Segment(0.0433, 0.4395, (0.251, 0.246), 0.102),
        "foot": Segment(0.0137, 0.4415, (0.257, 0.245), 0.124),
    },
    "female": {
        "head": Segment(0.0668, 1.0 - 0.4841, (0.271, 0.295), 0.261),
        "trunk": Segment(0.4257, 0.5, (0.307, 0.292), 0.147),
        "upper arm": Segment(0.0255, 0.5754, (0.278, 0.260), 0.148),
        "forearm": Segment(0.0138, 0.4559, (0.261, 0.257), 0.094),
        "hand": Segment(0.0056, 0.3427, (0.244, 0.208), 0.154),
        "thigh": Segment(0.1478, 0.3612, (0.369, 0.364), 0.162),
        "shank": Segment(0.0481, 0.4352, (0.267, 0.263), 0.092),
        "foot": Segment(0.0129, 0.4014, (0.299, 0.279), 0.139),
    },
}
# what joints are called that carry a segment of either side, the surest name first
WORDS = {
    "upper arm": ("upperarm", "uparm", "arm", "shoulder"),
    "forearm": ("forearm", "lowerarm", "lowarm", "elbow"),
    "hand": ("hand", "wrist"),
    "thigh": ("upleg", "upperleg", "thigh", "hip"),
    "shank": ("lowleg", "lowerleg", "shin", "calf", "leg", "knee"),
    "foot": ("foot", "ankle"),
}
SIDE = re.compile(r"^(left|right|l|r)[\W_]*(.+?)$|^(.+?)[\W_]+(left|right|l|r)$")
SIDES = {"l": "left ", "r": "right ", "": ""}
PREFIX = re.compile(r"^\w+:|^bip\d*[\W_]*|^mixamorig\d*")


def person_inertias(bones: Hierarchy, mass: float, sex: str) -> dict[int, Inertia]:
    """By the number of the joint; joints that carry no segment are not in it."""
    good = isinstance(mass, (int, float, np.number)) and np.isfinite(mass) and mass > 0
    require(good, "the mass of a character must be a positive number [kg]", BadValue, got=mass)
    if sex not in SEXES:
        raise unknown_name("sex", sex, SEXES, "de Leva's table")
    found, tree = carriers(bones), Tree(bones)
    shares: dict[int, Inertia] = {}
    for (segment, _), joint in found.items():
        data = TABLE[sex][segment]
        shares[joint] = _rod(data, mass * data.mass, tree.reach(joint))
    return shares | _trunk(TABLE[sex]["trunk"], mass, tree, found)


def carriers(bones: Hierarchy) -> dict[tuple[str, str], int]:
    """(segment, side) → the joint that carries it; all of a person must be there."""
    named: dict[tuple[str, str], int] = {}
    for j, name in enumerate(bones.names):
        side, word = _word(name)
        if not bones.ends[j]:
            named.setdefault((word, side), j)
    found: dict[tuple[str, str], int] = {}
    for side in ("l", "r"):
        for segment, words in WORDS.items():
            joint = next((named[word, side] for word in words if (word, side) in named), None)
            if joint is not None:
                found[segment, side] = joint
    if ("head", "") in named:
        found["head", ""] = named["head", ""]
    wanted = {(s, side) for s in WORDS for side in ("l", "r")} | {("head", "")}
    missing = sorted(f"{SIDES[side]}{segment}" for segment, side in wanted - set(found))
    words = f"no joint of the file is named as one that carries {', '.join(missing)}"
    require(not missing, f"{words}; without `mass` the model has no masses", BadValue, names=bones.names[:40])
    return found


def _word(name: str) -> tuple[str, str]:
    """Side ("l", "r" or "") and the rest of a joint's name, in small letters."""
    plain = PREFIX.sub("", name.strip().lower())
    spread = SIDE.match(plain)
    if spread is None or plain in ("root", "lowerback", "lower_back"):
        return "", plain
    side, rest = (spread[1], spread[2]) if spread[1] else (spread[4], spread[3])
    return side[0], re.sub(r"[\W_\d]", "", rest)


class Tree:
    """Lengths in a hierarchy at rest."""

    def __init__(self, bones: Hierarchy) -> None:
        self.parents, self.offsets, self.turns = bones.parents, bones.offsets, bones.turns
        self.children: dict[int, list[int]] = {j: [] for j in range(len(bones.names))}
        for j, parent in enumerate(bones.parents):
            if parent >= 0:
                self.children[parent].append(j)

    def reach(self, joint: int) -> np.ndarray:
        """From a joint to the next one that is elsewhere, the farthest of them; zero at an end."""
        ends = [self.offsets[c] if self.offsets[c].any() else self.turns[c] @ self.reach(c)
                for c in self.children[joint]]  # fmt: skip
        return max(ends, key=lambda x: float(np.linalg.norm(x)), default=np.zeros(3))

    def above(self, joint: int) -> list[int]:
        """The joints that carry a joint, the root first."""
        path: list[int] = []
        while (joint := self.parents[joint]) >= 0:
            path.insert(0, joint)
        return path


def _rod(data: Segment, mass: float, length: np.ndarray) -> Inertia:
    """A segment along a vector from its joint."""
    size = float(np.linalg.norm(length))
    u = length / size if size > 0 else np.array([0.0, 0.0, 1.0])
    across = 0.5 * (data.across[0] ** 2 + data.across[1] ** 2)
    moment = mass * size**2 * (across * (np.eye(3) - np.outer(u, u)) + data.along**2 * np.outer(u, u))
    return Inertia(mass, data.center * length, moment)


def _trunk(data: Segment, mass: float, tree: Tree, found: dict[tuple[str, str], int]) -> dict[int, Inertia]:
    """The trunk's mass over the joints between hips and head that both arms or the legs hang on, by length."""
    path = tree.above(found["head", ""])
    arms = set(tree.above(found["upper arm", "l"])) | set(tree.above(found["upper arm", "r"]))
    chain = [j for j in path if j in arms] or path[:1]
    steps = [tree.offsets[b] for b in (*chain[1:], *path[len(chain) : len(chain) + 1])]
    steps += [np.zeros(3)] * (len(chain) - len(steps))
    sizes = np.array([np.linalg.norm(s) for s in steps])
    total = float(sizes.sum())
    shares = sizes / total if total > 0 else np.full(len(chain), 1.0 / len(chain))
    turn = 0.5 * (data.along * total) ** 2  # mean square of each direction across
    pieces = {}
    for joint, step, share in zip(chain, steps, shares, strict=True):
        if share > 0:
            S = turn * np.eye(3) + (np.outer(step, step) / 12.0 - turn * _projector(step))
            own = mass * data.mass * share
            pieces[joint] = Inertia(own, 0.5 * step, own * (np.trace(S) * np.eye(3) - S))
    return pieces


def _projector(x: np.ndarray) -> np.ndarray:
    size = float(x @ x)
    return np.outer(x, x) / size if size > 0 else np.zeros((3, 3))
