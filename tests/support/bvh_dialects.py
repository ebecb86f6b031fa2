"""BVH files as programs write them: trees, orders of channels, units, line ends, names at random, and their poses.

A file is made from a tree that the oracle keeps; poses come from that tree, one frame and one channel after another.
"""

from dataclasses import dataclass, field

import numpy as np

NAMES = ("Hips", "mixamorig:LeftArm", "Bip01 L Thigh", "chest.upper", "ToSpine", "lowerarm-r", "手", "_7", "End",
         "Motion", "Frames:", "a" * 60, "Left Fore Arm", "head|2")  # fmt: skip
UNITS = ("m", "cm", "mm", "inch", 0.056444)
METERS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254}
AXES = "XYZ"


@dataclass
class Joint:
    """A joint of the tree; `channels` in the order of the file."""

    name: str
    parent: int
    offset: list
    channels: list = field(default_factory=list)
    end: bool = False


class Dialect:
    """A random file: `text`, its unit, and `poses`, {name: (T, 4, 4)} in the unit of the file."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.unit = UNITS[seed % len(UNITS)]
        self.meters = METERS.get(self.unit, self.unit)
        self.joints = self._tree()
        count = int(self.rng.integers(1, 6))
        self.values = self._values(count)
        self.frame_time = float(self.rng.choice([1 / 120, 0.0333333, 0.008, 1e-2]))
        self.text = self._text()
        self.poses = self._poses()

    def _channels(self, root):
        """Turns in any order, maybe one axis twice, and places, before, after or among them."""
        turns = [f"{a}rotation" for a in self.rng.permutation(list(AXES))[: self.rng.integers(1, 4)]]
        if self.rng.random() < 0.1 and len(turns) == 3:
            turns[2] = turns[0]
        places = [f"{a}position" for a in self.rng.permutation(list(AXES))]
        if root or self.rng.random() < 0.15:
            kind = self.rng.integers(3)
            both = [*places, *turns] if kind == 0 else [*turns, *places]
            return both if kind < 2 else [str(c) for c in self.rng.permutation(both)]
        return [] if self.rng.random() < 0.05 else turns

    def _tree(self):
        joints, names = [], list(self.rng.permutation(list(NAMES)))
        for k in range(int(self.rng.integers(2, 9))):
            parent = -1 if k == 0 else int(self.rng.integers(k))
            joints.append(Joint(str(names[k]), parent, self._offset(), self._channels(k == 0)))
        leaves = [k for k in range(len(joints)) if all(j.parent != k for j in joints)]
        return joints + [Joint(f"{joints[k].name}_end", k, self._offset(), end=True) for k in leaves]

    def _offset(self):
        return [float(x) for x in (self.rng.normal(size=3) * 0.3 / self.meters).round(4)]

    def _values(self, count):
        columns = [c for j in self._order() for c in self.joints[j].channels]
        scale = [0.5 / self.meters if c.endswith("position") else 200.0 for c in columns]
        return (self.rng.normal(size=(count, len(columns))) * scale).round(5)

    def _order(self, parent=-1):
        """Joints in the order of the file: depth first."""
        for k, joint in enumerate(self.joints):
            if joint.parent == parent:
                yield k
                yield from self._order(k)

    def _case(self, word):
        return self.rng.choice([word, word, word.lower(), word.upper()])

    def _block(self, k, depth):
        joint, gap = self.joints[k], str(self.rng.choice([" ", "\t", "  "]))
        title = "End Site" if joint.end else f"{'ROOT' if joint.parent < 0 else 'JOINT'}{gap}{joint.name}"
        brace = str(self.rng.choice([" {", "\n" + "\t" * depth + "{", "{" if joint.end else "\n{"]))
        lines = [title + brace, f"OFFSET{gap}" + gap.join(map(self._number, joint.offset))]
        if not joint.end:
            lines.append(f"CHANNELS {len(joint.channels)} " + gap.join(self._case(c) for c in joint.channels))
        lines += [self._block(c, depth + 1) for c, other in enumerate(self.joints) if other.parent == k]
        return "\n".join([*lines, "}"])

    def _number(self, x):
        forms = [repr(float(x)), f"{x:.6f}", f"{x:+.10e}", f"{x:.5f}"]
        return forms[self.rng.integers(len(forms))]

    def _text(self):
        gap = str(self.rng.choice([" ", "\t", "  "]))
        frames = [gap.join(map(self._number, row)) + str(self.rng.choice(["", " ", "\t"])) for row in self.values]
        first = str(self.rng.choice(["Frames: ", "Frames:\t", "Frames:", "FRAMES: "])) + str(len(frames))
        second = str(self.rng.choice(["Frame Time: ", "Frame Time:\t", "Frame Time:"])) + repr(self.frame_time)
        text = "\n".join([self._case("HIERARCHY"), self._block(0, 0), self._case("MOTION"), first, second, *frames])
        text += str(self.rng.choice(["\n", "\n\n\n", " \n"]))
        return text.replace("\n", str(self.rng.choice(["\n", "\r\n"])))

    def _poses(self):
        poses, column = {}, 0
        for k in self._order():
            joint = self.joints[k]
            values = self.values[:, column : column + len(joint.channels)]
            column += len(joint.channels)
            local = np.array([local_pose(joint, row) for row in values])
            before = np.eye(4) if joint.parent < 0 else poses[self.joints[joint.parent].name]
            poses[joint.name] = before @ local
        return poses


def local_pose(joint, row):
    """Where a joint stands in its parent in one frame."""
    T = np.eye(4)
    T[:3, 3] = joint.offset
    for channel, value in zip(joint.channels, row, strict=True):
        axis = AXES.index(channel[0])
        if channel.endswith("position"):
            T[axis, 3] = value
        else:
            c, s = np.cos(np.radians(value)), np.sin(np.radians(value))
            turn = np.roll(np.roll([[1, 0, 0], [0, c, -s], [0, s, c]], axis, axis=0), axis, axis=1)
            T[:3, :3] = T[:3, :3] @ turn
    return T
