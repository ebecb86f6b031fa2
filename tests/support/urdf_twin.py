"""One robot in two engines: states of condyle's model as Pinocchio's, and inertias changed alike."""

import warnings
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pinocchio as pin
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle.errors import CondyleWarning
from condyle.formats.urdf import parse_urdf
from condyle.io.robots.urdf_model import Names


@dataclass
class Robot:
    """A URDF file opened by both, without condyle's loads, constraints and prescribed motion: the bare tree."""

    path: str
    base: str

    def __post_init__(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", CondyleWarning)
            model = cd.load(self.path, base=self.base, inertias="repair")
        self.said = [str(w.message) for w in caught]
        self.ours = replace(model, coordinate_loads=(), constraints=(), prescribed={})
        root = (pin.JointModelFreeFlyer(),) if self.base == "free" else ()
        self.theirs = pin.buildModelFromUrdf(str(self.path), *root)
        with open(self.path, "rb") as file:
            self.robot = parse_urdf(file.read(), str(self.path))
        self.names = Names(self.robot)
        for name in self.robot.links:
            if any(said.startswith(f"link {name!r}: no body") for said in self.said):
                self._repair(name)

    def _repair(self, name):
        """Change the moment of a link in Pinocchio's model as condyle says that it did."""
        link = self.robot.links[name]
        xx, yy, zz, xy, xz, yz = link.moment
        R = Rotation.from_euler("xyz", link.inertial.rpy).as_matrix()
        read = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        frame = self.theirs.frames[self.theirs.getFrameId(name, pin.FrameType.BODY)]
        Q, whole = frame.placement.rotation, self.theirs.inertias[frame.parentJoint]
        change = self.ours.bodies[self.ours.body_index(self.names.links[name])].inertia.moment - read
        whole.inertia = whole.inertia + Q @ change @ Q.T
        self.theirs.inertias[frame.parentJoint] = whole

    @cached_property
    def joints(self):
        """(Pinocchio's joint, where condyle's begins in q and in v, its kind) of every joint that moves."""
        starts = {b.joint_name: s for b, s in zip(self.ours.bodies, self.ours.joint_starts, strict=True)}
        found = []
        for number in range(1, self.theirs.njoints):
            name, urdf = self.theirs.names[number], self.robot.joints.get(self.theirs.names[number])
            start = (0, 0) if urdf is None else starts[self.names.joints[name]]
            found.append((self.theirs.joints[number], *start, "floating" if urdf is None else urdf.kind))
        return found

    def random_state(self, rng):
        """q, v of condyle; q of Pinocchio; T and its rate, with v of Pinocchio = T v."""
        q, v, pq = self.ours.neutral(), rng.normal(size=self.ours.nv), np.zeros(self.theirs.nq)
        T, rate = np.zeros((2, self.ours.nv, self.ours.nv))
        for j, a, k, kind in self.joints:
            if kind == "floating":
                q[a : a + 4], q[a + 4 : a + 7] = Rotation.random(rng=rng).as_quat(scalar_first=True), rng.normal(size=3)
                pq[j.idx_q : j.idx_q + 7] = [*q[a + 4 : a + 7], *q[a + 1 : a + 4], q[a]]
                T[j.idx_v : j.idx_v + 6, k : k + 6] = np.roll(np.eye(6), 3, axis=0)
            elif kind == "planar":
                q[a : a + 3] = rng.normal(size=3)
                c, s = np.cos(q[a + 2]), np.sin(q[a + 2])
                pq[j.idx_q : j.idx_q + 4] = [q[a], q[a + 1], c, s]
                T[j.idx_v : j.idx_v + 3, k : k + 3] = [[c, s, 0], [-s, c, 0], [0, 0, 1]]
                rate[j.idx_v : j.idx_v + 2, k : k + 2] = v[k + 2] * np.array([[-s, c], [-c, -s]])
            else:
                q[a] = rng.uniform(-2.0, 2.0)
                pq[j.idx_q : j.idx_q + j.nq] = [q[a]] if j.nq == 1 else [np.cos(q[a]), np.sin(q[a])]
                T[j.idx_v, k] = 1.0
        return q, v, pq, T, rate

    def gaps(self, rng):
        """Largest differences of poses [m, 1], mass matrix and nonlinear effects (as shares of the largest)."""
        q, v, pq, T, rate = self.random_state(rng)
        data = self.theirs.createData()
        M = np.triu(pin.crba(self.theirs, data, pq))
        M = M + np.triu(M, 1).T
        bias = pin.nonLinearEffects(self.theirs, data, pq, T @ v) + M @ rate @ v
        M, bias = T.T @ M @ T, T.T @ bias
        size = np.abs(M).max(initial=1e-12)
        inertia = np.abs(cd.mass_matrix(self.ours, q) - M).max(initial=0.0) / size
        forces = np.abs(cd.inverse_dynamics(self.ours, q, v, np.zeros(self.ours.nv)) - bias).max(initial=0.0)
        return [self._pose_gap(data, pq, q), inertia, forces / max(size, np.abs(bias).max(initial=0.0))]

    def _pose_gap(self, data, pq, q):
        pin.framesForwardKinematics(self.theirs, data, pq)
        poses = cd.forward_kinematics(self.ours, q).as_matrix()
        numbers = {name: self.ours.body_index(new) for name, new in self.names.links.items()}
        return max(
            np.abs(poses[i] - data.oMf[self.theirs.getFrameId(name, pin.FrameType.BODY)].homogeneous).max()
            for name, i in numbers.items()
        )
