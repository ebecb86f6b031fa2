"""Random SDF models with frames in frames, and where their links are: a tree that the oracle keeps."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

ARM = """<sdf version="1.9"><world name="w"><gravity>0 0 -3.7</gravity><light name="sun"/><model name="arm">
  <link name="base"><inertial><mass>2</mass></inertial>
    <visual name="v"><pose>0 0 0.1 0 0 0</pose><geometry><cylinder><radius>0.1</radius><length>0.2</length></cylinder>
      </geometry><material><diffuse>1 0 0 1</diffuse></material></visual>
    <visual name="m"><geometry><mesh><uri>model://arm/base.stl</uri><scale>1 1 -1</scale></mesh></geometry></visual>
    <collision name="c"/></link>
  <link name="fore"><pose>0 0 1 0 0 0</pose></link>
  <link name="lid"><pose>1 0 1 0 0 0</pose></link>
  <joint name="hold" type="fixed"><parent>world</parent><child>base</child></joint>
  <joint name="elbow" type="revolute"><parent>base</parent><child>fore</child><axis><xyz>0 1 0</xyz>
    <limit><lower>-1.5</lower><upper>1e16</upper><effort>9</effort><velocity>-1</velocity></limit>
    <dynamics><damping>0.5</damping><friction>0.1</friction><spring_stiffness>7</spring_stiffness>
      <spring_reference>0.2</spring_reference></dynamics></axis></joint>
  <joint name="hinge" type="revolute"><parent>fore</parent><child>lid</child><axis><xyz>1 0 0</xyz>
    <mimic joint="elbow"><multiplier>2</multiplier><offset>0.1</offset><reference>0.3</reference></mimic></axis></joint>
</model></world></sdf>"""
KINDS = ("revolute", "prismatic", "continuous", "universal", "fixed")


@dataclass
class Part:
    """A link and the joint that carries it: where the joint stands in both, and its axes in the joint's frame."""

    name: str
    parent: int
    kind: str
    placement: np.ndarray
    offset: np.ndarray
    axes: np.ndarray
    mass: float
    inertial: np.ndarray
    moment: np.ndarray


class SdfTree:
    """A model of `count` links; `text` is the file, `poses(q)` where its links are in the world."""

    def __init__(self, seed, count=6):
        self.rng, self.damping = np.random.default_rng(seed), 0.25
        self.base = self._pose()
        self.parts = [self._part(k) for k in range(count)]
        self.zero = self.poses(np.zeros(self.nq))
        self.text = self._text(seed)

    @property
    def nq(self):
        return sum(len(p.axes) for p in self.parts)

    def _pose(self, size=0.4):
        T = np.eye(4)
        T[:3, :3] = Rotation.random(rng=self.rng).as_matrix()
        T[:3, 3] = self.rng.normal(size=3) * size
        return T

    def _part(self, k):
        kind = KINDS[(k + int(self.rng.integers(len(KINDS) - 1))) % len(KINDS)] if k else "revolute"
        axes = self.rng.normal(size=({"fixed": 0, "universal": 2}.get(kind, 1), 3))
        if kind == "universal":
            axes[1] = np.cross(axes[0], axes[1])
        axes /= np.linalg.norm(axes, axis=1, keepdims=True)
        width = self.rng.uniform(0.1, 0.4, 3)
        mass = float(self.rng.uniform(0.5, 3.0))
        moment = mass / 12.0 * (np.sum(width**2) - width**2)
        parent = int(self.rng.integers(-1, k)) if k else -1
        return Part(f"link.{k}", parent, kind, self._pose(), self._pose(0.1), axes, mass, self._pose(0.1), moment)

    def poses(self, q):
        """(links, 4, 4), by exponentials of the written definition."""
        out, k = [], 0
        for part in self.parts:
            X = (self.base if part.parent < 0 else out[part.parent]) @ part.placement
            for axis in part.axes:
                twist = np.zeros((4, 4))
                if part.kind == "prismatic":
                    twist[:3, 3] = axis
                else:
                    twist[:3, :3] = [[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]]
                X = X @ expm(q[k] * twist)
                k += 1
            out.append(X @ np.linalg.inv(part.offset))
        return np.array(out)

    def energy(self, q, v, h=1e-5):
        """Kinetic energy of all links by central differences of their poses [J]."""
        now, later, before = self.poses(q), self.poses(q + h * v), self.poses(q - h * v)
        total = 0.0
        for part, X, Y, Z in zip(self.parts, now, later, before, strict=True):
            C = X @ part.inertial
            rate = (Y @ part.inertial - Z @ part.inertial) / (2.0 * h)
            W = C[:3, :3].T @ rate[:3, :3]
            w = np.array([W[2, 1], W[0, 2], W[1, 0]])
            total += 0.5 * part.mass * rate[:3, 3] @ rate[:3, 3] + 0.5 * w @ (part.moment * w)
        return total

    def _text(self, seed):
        inside, relative = [], seed % 2 == 0
        for k, part in enumerate(self.parts):
            X = np.linalg.inv(self.base) @ self.zero[k]
            place = self._place(X)
            if relative and part.parent >= 0:
                place = self._place(np.linalg.inv(self.zero[part.parent]) @ self.zero[k], self.parts[part.parent].name)
            inside.append(f"<link name='{part.name}'>{place}{self._inertial(part)}</link>")
            inside.append(self._joint(k, part))
        frame = "<frame name='turned' attached_to='link.0'><pose degrees='true'>0 0 0 30 -40 50</pose></frame>"
        version = "1.9" if seed % 3 else "1.8"
        body = f"{self._place(self.base)}{frame}{''.join(inside)}"
        return f"<?xml version='1.0'?><sdf version='{version}'><model name='tree'>{body}</model></sdf>"

    def _joint(self, k, part):
        parent = "world" if part.parent < 0 else self.parts[part.parent].name
        axes = "".join(self._axis(n, axis, part, k) for n, axis in enumerate(part.axes))
        ends = f"<parent>{parent}</parent><child>{part.name}</child>{self._place(part.offset)}"
        return f"<joint name='joint{k}' type='{part.kind}'>{ends}{axes}</joint>"

    def _axis(self, n, axis, part, k):
        tag, told = "axis2" if n else "axis", ""
        if k % 2:  # in the axes of the model
            R = np.linalg.inv(self.base)[:3, :3] @ (self.zero[k] @ part.offset)[:3, :3]
            axis, told = R @ axis, " expressed_in='__model__'"
        numbers = " ".join(map(repr, map(float, axis)))
        return f"<{tag}><xyz{told}>{numbers}</xyz><dynamics><damping>{self.damping}</damping></dynamics></{tag}>"

    def _place(self, X, base=""):
        told = f" relative_to='{base}'" if base else ""
        R = Rotation.from_matrix(X[:3, :3])
        if self.rng.random() < 0.3:
            numbers = [*X[:3, 3], *R.as_quat()]
            told += " rotation_format='quat_xyzw'"
        else:
            numbers = [*X[:3, 3], *R.as_euler("xyz")]
        return f"<pose{told}>{' '.join(map(repr, map(float, numbers)))}</pose>"

    def _inertial(self, part):
        moments = "".join(f"<i{a}{a}>{x!r}</i{a}{a}>" for a, x in zip("xyz", map(float, part.moment), strict=True))
        zeros = "<ixy>0</ixy><ixz>0</ixz><iyz>0</iyz>"
        mass = f"<mass>{part.mass!r}</mass><inertia>{moments}{zeros}</inertia>"
        return f"<inertial>{self._place(part.inertial)}{mass}</inertial>"
