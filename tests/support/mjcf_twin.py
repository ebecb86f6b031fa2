"""One MJCF file in MuJoCo and in condyle, and how far the two are apart at random states."""

import warnings

import mujoco
import numpy as np

import condyle as cd
from condyle.errors import CondyleWarning

FREE, BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
TIED = int(mujoco.mjtEq.mjEQ_JOINT)


class Twin:
    """A file in both engines; MuJoCo without what condyle notes: contact, medium, tendons, gravity compensation …"""

    def __init__(self, path, packages, theirs=None):
        self.theirs = theirs or mujoco.MjModel.from_xml_path(str(path))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CondyleWarning)
            self.ours = cd.load(path, packages=packages)
        self._silence()
        self.data = mujoco.MjData(self.theirs)

    def _silence(self):
        m = self.theirs
        m.opt.density = m.opt.viscosity = 0.0
        for name in ("tendon_stiffness", "tendon_damping", "tendon_armature", "body_gravcomp"):
            getattr(m, name)[:] = 0.0
        for j in range(m.njnt):
            if m.jnt_type[j] == FREE:
                m.dof_armature[m.jnt_dofadr[j] :][:6] = 0.0
            name = f"joint {(mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_JOINT, j) or '').replace('.', '_')!r}"
            if any(note.startswith(name) and "springdamper" in note for note in self.ours.notes):
                m.jnt_stiffness[j] = m.dof_damping[m.jnt_dofadr[j]] = 0.0

    def state(self, rng):
        """Random qpos and qvel that keep the equalities of joints, and what qvel changes by with the free ones of v."""
        m = self.theirs
        qpos, J, bend = m.qpos0.copy(), np.eye(m.nv), np.zeros(m.nv)
        for kind, at in zip(m.jnt_type, m.jnt_qposadr, strict=True):
            if kind in (FREE, BALL):
                w = at + 3 * (kind == FREE)
                qpos[w : w + 4] = rng.normal(size=4)
                qpos[w : w + 4] /= np.linalg.norm(qpos[w : w + 4])
            qpos[at : at + 3] += rng.normal(size=3) if kind == FREE else 0.0
            qpos[at] += 0.7 * rng.normal() if kind not in (FREE, BALL) else 0.0
        qvel, gone = rng.normal(size=m.nv), []
        for e in range(m.neq):
            if m.eq_type[e] == TIED and m.eq_active0[e]:
                gone += self._tie(e, qpos, qvel, J, bend)
        return qpos, qvel, np.delete(J, gone, axis=1), bend

    def _tie(self, e, qpos, qvel, J, bend):
        """Let one joint follow another, as MuJoCo's compiled model says."""
        m, (one, two) = self.theirs, (self.theirs.eq_obj1id[e], self.theirs.eq_obj2id[e])
        curve = np.polynomial.Polynomial(m.eq_data[e, :5])
        a, u = m.jnt_qposadr[one], m.jnt_dofadr[one]
        if two < 0:
            qpos[a], qvel[u] = m.qpos0[a] + curve(0.0), 0.0
            return []
        b, w = m.jnt_qposadr[two], m.jnt_dofadr[two]
        x, rate = qpos[b] - m.qpos0[b], qvel[w]
        qpos[a], qvel[u] = m.qpos0[a] + curve(x), curve.deriv()(x) * rate
        J[u], bend[u] = curve.deriv()(x) * J[w], curve.deriv(2)(x) * rate**2 if curve.degree() > 1 else 0.0
        return [u]

    def gaps(self, rng):
        """How far apart: poses [m, −], mass matrix and forces at rest accelerations, relative to the largest."""
        m, d = self.theirs, self.data
        d.qpos, d.qvel, J, bend = self.state(rng)
        mujoco.mj_fwdPosition(m, d)
        mujoco.mj_fwdVelocity(m, d)
        q, v = self.ours.mujoco.state(d.qpos, d.qvel)
        B, turning = self._map(J)
        M = self._mass()
        forces = M @ (bend + turning) + d.qfrc_bias - d.qfrc_passive
        ours = cd.mass_matrix(self.ours, q), cd.inverse_dynamics(self.ours, q, v, np.zeros(len(v)))
        return self._pose_gap(q), apart(B.T @ ours[0] @ B, J.T @ M @ J), apart(B.T @ ours[1], J.T @ forces)

    def _mass(self):
        m, d = self.theirs, self.data
        return np.stack([_times(m, d, e) for e in np.eye(m.nv)]) if m.nv else np.zeros((0, 0))

    def _map(self, J):
        """B: condyle's v is B times the free entries of qvel; and MuJoCo's acceleration where condyle's is zero."""
        m, d = self.theirs, self.data
        B, turning = np.eye(m.nv), np.zeros(m.nv)
        for kind, a, u in zip(m.jnt_type, m.jnt_qposadr, m.jnt_dofadr, strict=True):
            if kind == FREE:
                R = np.zeros(9)
                mujoco.mju_quat2Mat(R, d.qpos[a + 3 : a + 7])
                R = R.reshape(3, 3)
                B[u : u + 6, u : u + 6] = np.block([[np.zeros((3, 3)), np.eye(3)], [R.T, np.zeros((3, 3))]])
                turning[u : u + 3] = R @ np.cross(d.qvel[u + 3 : u + 6], R.T @ d.qvel[u : u + 3])
        rows = [u + k for s, u in self._kept() for k in range(s)]
        return (B @ J)[rows], turning

    def _kept(self):
        """Width and place in qvel of the joints that are coordinates of condyle's model."""
        widths = {"free": 6, "ball": 3}
        return [(widths.get(s.kind, 1), s.qvel) for s in self.ours.mujoco.slots if s.q is not None]

    def _pose_gap(self, q):
        m, d, gap = self.theirs, self.data, 0.0
        poses, names = np.asarray(cd.forward_kinematics(self.ours, q)), [b.name for b in self.ours.bodies]
        for i in range(1, m.nbody):
            name = mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_BODY, i) or f"body_{i}"
            T = poses[names.index(name.replace(".", "_"))]
            gap = max(gap, np.abs(T[:3, 3] - d.xpos[i]).max(), np.abs(T[:3, :3] - d.xmat[i].reshape(3, 3)).max())
        return gap


def _times(m, d, x):
    out = np.zeros(m.nv)
    mujoco.mj_mulM(m, d, out, x)
    return out


def apart(got, expected):
    """The largest difference, relative to the largest number."""
    return float(np.abs(got - expected).max(initial=0.0) / max(1e-12, np.abs(expected).max(initial=0.0)))
