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
            model = cd.load(self.path, base=self.base, inertias="repair", couplers="constraint")
            folded = cd.load(self.path, base=self.base, inertias="repair")
        self.said = [str(w.message) for w in caught]
        self.folded = replace(folded, forces=(), prescribed={})
        self.ours = replace(model, forces=(), constraints=(), prescribed={})
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
        """q, v of condyle's bare tree."""
        q, v = self.ours.neutral(), rng.normal(size=self.ours.nv)
        for _, a, _, kind in self.joints:
            if kind == "floating":
                q[a : a + 4], q[a + 4 : a + 7] = Rotation.random(rng=rng).as_quat(scalar_first=True), rng.normal(size=3)
            elif kind == "planar":
                q[a : a + 3] = rng.normal(size=3)
            else:
                q[a] = rng.uniform(-2.0, 2.0)
        return q, v

    def as_theirs(self, q, v):
        """q of Pinocchio; T and its rate, with v of Pinocchio = T v."""
        pq = np.zeros(self.theirs.nq)
        T, rate = np.zeros((2, self.ours.nv, self.ours.nv))
        for j, a, k, kind in self.joints:
            if kind == "floating":
                pq[j.idx_q : j.idx_q + 7] = [*q[a + 4 : a + 7], *q[a + 1 : a + 4], q[a]]
                T[j.idx_v : j.idx_v + 6, k : k + 6] = np.roll(np.eye(6), 3, axis=0)
            elif kind == "planar":
                c, s = np.cos(q[a + 2]), np.sin(q[a + 2])
                pq[j.idx_q : j.idx_q + 4] = [q[a], q[a + 1], c, s]
                T[j.idx_v : j.idx_v + 3, k : k + 3] = [[c, s, 0], [-s, c, 0], [0, 0, 1]]
                rate[j.idx_v : j.idx_v + 2, k : k + 2] = v[k + 2] * np.array([[-s, c], [-c, -s]])
            else:
                pq[j.idx_q : j.idx_q + j.nq] = [q[a]] if j.nq == 1 else [np.cos(q[a]), np.sin(q[a])]
                T[j.idx_v, k] = 1.0
        return pq, T, rate

    def gaps(self, rng):
        """Largest differences of poses [m, 1], mass matrix and nonlinear effects (as shares of the largest)."""
        q, v = self.random_state(rng)
        return self._gaps(self.ours, (q, v), (q, v), np.eye(self.ours.nv))

    def folded_gaps(self, rng):
        """The same for the model whose mimic joints are functions of others: v of the tree = G · v of what is left."""
        rows = dict(zip(self.ours.coordinates, self.ours.coordinate_places, strict=True))
        (q, _), v, left = self.random_state(rng), rng.normal(size=self.folded.nv), self.folded.neutral()
        G = np.zeros((self.ours.nv, self.folded.nv))
        for name, p in zip(self.folded.coordinates, self.folded.coordinate_places, strict=True):
            here, (nq, nv) = rows[name], p.widths
            left[p.q : p.q + nq] = q[here.q : here.q + nq]
            G[here.v : here.v + nv, p.v : p.v + nv] = np.eye(nv)
        for name, (leader, ratio, offset) in self.mimics.items():
            q[rows[name].q], G[rows[name].v] = ratio * q[rows[leader].q] + offset, ratio * G[rows[leader].v]
        return self._gaps(self.folded, (left, v), (q, G @ v), G)

    @cached_property
    def mimics(self):
        """(leader, ratio, offset) of joints that follow, leaders first: what the file says, put in order here."""
        kinds = {name: j.kind for name, j in self.robot.joints.items()}
        single = [name for name, kind in kinds.items() if kind in ("revolute", "continuous", "prismatic")]
        still = [name for name, kind in kinds.items() if kind == "fixed"]
        said = {name: self.robot.joints[name].mimic for name in single if self.robot.joints[name].mimic}
        waiting, found = {name: m for name, m in said.items() if m[0] in (*single, *still)}, {}
        while ready := [name for name, m in waiting.items() if m[0] not in waiting]:
            for name in ready:
                leader, ratio, offset = waiting.pop(name)
                if leader in still:
                    still.append(name)
                else:
                    found[self.names.joints[name]] = self.names.joints[leader], ratio, offset
        return found

    def _gaps(self, model, own, whole, G):
        """Of a model at its own (q, v), of which the tree's velocities are G times those; the tree is at `whole`."""
        (q, v), fast, data = own, whole[1], self.theirs.createData()
        pq, T, rate = self.as_theirs(*whole)
        M = np.triu(pin.crba(self.theirs, data, pq))
        M = M + np.triu(M, 1).T
        bias = pin.nonLinearEffects(self.theirs, data, pq, T @ fast) + M @ rate @ fast
        M, bias = (T @ G).T @ M @ T @ G, (T @ G).T @ bias
        size = np.abs(M).max(initial=1e-12)
        inertia = np.abs(cd.mass_matrix(model, q) - M).max(initial=0.0) / size
        forces = np.abs(cd.inverse_dynamics(model, q, v, np.zeros(model.nv)) - bias).max(initial=0.0)
        return [self._pose_gap(model, data, pq, q), inertia, forces / max(size, np.abs(bias).max(initial=0.0))]

    def _pose_gap(self, model, data, pq, q):
        pin.framesForwardKinematics(self.theirs, data, pq)
        poses = cd.forward_kinematics(model, q).as_matrix()
        numbers = {name: self.ours.body_index(new) for name, new in self.names.links.items()}
        return max(
            np.abs(poses[i] - data.oMf[self.theirs.getFrameId(name, pin.FrameType.BODY)].homogeneous).max()
            for name, i in numbers.items()
        )
