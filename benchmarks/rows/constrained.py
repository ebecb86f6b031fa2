"""(l) Models with constraints in batches: forward dynamics over Pinocchio's, and simulated steps.

A four-bar linkage, and a tower of ten parallelograms, each on the coupler of the one below: planar, so that a third of
the rows is redundant. Pinocchio is called once for each state, by its proximal methods. A body of 33 hinges whose
kneecaps follow the knees, held by multipliers: by Pinocchio's `forwardDynamics`, which is given the Jacobian and drift.
"""

import numpy as np
import pinocchio as pin

import condyle as cd

from ..table import Row
from ..timing import Timed, compare

__all__ = ["measure"]

TARGET = 5.0
STATES = 1024
LENGTH = 0.5
BAR = cd.Inertia.box(1.0, (0.05, 0.05, LENGTH), com=(0, 0, 0.5 * LENGTH))
UP, ALONG, HERE = (0.0, 0.0, LENGTH), (LENGTH, 0.0, 0.0), (0.0, 0.0, 0.0)


def tower(cells):
    """(name, parent, where its hinge is on the parent, turn at rest) of every bar, and the pairs of bars that meet.

    What a bar carries follows it without a gap, as Pinocchio wants it.
    """
    bars, meets, below, right = [], [], None, ALONG
    for k in range(cells):
        a, b, c = f"left{k}", f"right{k}", f"top{k}"
        turn = 0.0 if below is None else -np.pi / 2
        bars += [(b, below, right, turn), (a, below, HERE, turn), (c, a, UP, np.pi / 2)]
        meets.append((b, c))
        below, right = c, UP
    return bars, meets


def in_condyle(bars, meets):
    """The model and a posture that closes it."""
    b = cd.ModelBuilder()
    for name, parent, place, _ in bars:
        b.add_body(name, parent, cd.joints.revolute("y"), BAR, placement=cd.SE3.from_translation(place))
    for first, second in meets:
        b.add_constraint(cd.constraints.point(first, UP, second, UP))
    return b.build(), np.array([turn for *_, turn in bars])


def in_pinocchio(bars, meets):
    """Model, data and constraints."""
    m, joints = pin.Model(), {None: 0}
    m.gravity.linear = np.array([0, 0, -9.81])
    for name, parent, place, _ in bars:
        at = pin.SE3(np.eye(3), np.array(place))
        joints[name] = m.addJoint(joints[parent], pin.JointModelRY(), at, name)
        m.appendBodyToJoint(joints[name], pin.Inertia(BAR.mass, BAR.com, BAR.moment), pin.SE3.Identity())
    models, datas, tip = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData(), pin.SE3.Identity()
    tip.translation = np.array(UP)
    for first, second in meets:
        ends = joints[first], tip, joints[second], tip
        models.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, m, *ends, pin.ReferenceFrame.LOCAL))
        datas.append(models[-1].createData())
    data = m.createData()
    pin.initConstraintDynamics(m, data, models, datas)
    return m, data, models, datas


def pace(cells):
    """Both on the same states."""
    bars, meets = tower(cells)
    model, rest = in_condyle(bars, meets)
    rng = np.random.default_rng(0)
    q, v = cd.project(model, rest + rng.uniform(-0.2, 0.2, (STATES, model.nq)), rng.normal(size=(STATES, model.nv)))
    tau, (m, data, models, datas) = rng.normal(size=v.shape), in_pinocchio(bars, meets)
    settings, rows = pin.ProximalSettings(1e-10, 1e-8, 20), list(zip(q[:64].copy(), v[:64], tau[:64], strict=True))

    def theirs():
        return [pin.constraintDynamics(m, data, *row, models, datas, settings).copy() for row in rows]

    expected = np.array(theirs())
    gap = np.abs(cd.forward_dynamics(model, q[:64], v[:64], tau[:64]) - expected).max() / np.abs(expected).max()
    if not gap < 1e-5:
        raise cd.CondyleError(f"{cells} loops: condyle and Pinocchio differ by {gap:.1e}")
    return compare(Timed(lambda: cd.forward_dynamics(model, q, v, tau), STATES), Timed(theirs, len(rows)))


def hinges():
    """(name, parent, axis) of a torso with two legs and two arms; the kneecaps are hinges on the thighs."""
    bones = [(f"back{k}", f"back{k - 1}" if k else None, "xyz"[k]) for k in range(3)]
    for side in "lr":
        leg = [f"hip{k}" for k in range(3)] + ["knee", "ankle", "foot", "toes"]
        arm = [f"arm{k}" for k in range(3)] + ["elbow", "wrist0", "wrist1", "hand"]
        for names, root in ((leg, "back0"), (arm, "back2")):
            above = [root, *(name + side for name in names[:-1])]
            bones += [(n + side, p, "xyz"[(k + 1) % 3]) for k, (n, p) in enumerate(zip(names, above, strict=True))]
        bones.append(("cap" + side, "hip2" + side, "y"))
    return bones


CAP = (0.1, 0.8, -0.05, 0.02)  # angle of a kneecap by powers of that of the knee


def with_kneecaps():
    """The model in condyle and in Pinocchio, and where the coordinates of Pinocchio are in ours."""
    b, m, joints, place = cd.ModelBuilder(), pin.Model(), {None: 0}, (0.02, 0.03, LENGTH)
    m.gravity.linear = np.array([0, 0, -9.81])
    for name, parent, axis in hinges():
        b.add_body(name, parent, cd.joints.revolute(axis), BAR, placement=cd.SE3.from_translation(place))
    for name, parent, axis in in_depth(hinges()):
        kind = getattr(pin, f"JointModelR{axis.upper()}")()
        joints[name] = m.addJoint(joints[parent], kind, pin.SE3(np.eye(3), np.array(place)), name)
        m.appendBodyToJoint(joints[name], pin.Inertia(BAR.mass, BAR.com, BAR.moment), pin.SE3.Identity())
    for side in "lr":
        b.add_constraint(cd.constraints.couple("cap" + side, "knee" + side, cd.functions.polynomial(CAP)))
    ours = [name for name, *_ in hinges()]
    return b.build(), m, [ours.index(name) for name, *_ in in_depth(hinges())]


def in_depth(bones, parent=None):
    """What a bone carries after it without a gap, as Pinocchio wants it."""
    own = [bone for bone in bones if bone[1] == parent]
    return [x for bone in own for x in (bone, *in_depth(bones, bone[0]))]


def kneecap_rows(q, v, names):
    """Jacobian and drift of the couplings in Pinocchio's coordinates."""
    J, drift = np.zeros((2, len(q))), np.zeros(2)
    f = np.polynomial.Polynomial(CAP)
    for row, side in enumerate("lr"):
        cap, knee = names.index("cap" + side), names.index("knee" + side)
        J[row, cap], J[row, knee] = 1.0, -f.deriv()(q[knee])
        drift[row] = -f.deriv(2)(q[knee]) * v[knee] ** 2
    return J, drift


def kneecap_pace():
    """Forward dynamics with couplings as constraints; Pinocchio's rows are made beforehand and not timed."""
    model, m, order = with_kneecaps()
    data, rng = m.createData(), np.random.default_rng(0)
    q, v = cd.project(model, rng.uniform(-0.5, 0.5, (STATES, model.nq)), rng.normal(size=(STATES, model.nv)))
    tau, names = rng.normal(size=v.shape), list(m.names)[1:]
    some = [tuple(np.ascontiguousarray(x[i, order]) for x in (q, v, tau)) for i in range(64)]
    rows = [(*state, *kneecap_rows(*state[:2], names)) for state in some]

    def theirs():
        return [pin.forwardDynamics(m, data, *row).copy() for row in rows]

    expected = np.array(theirs())
    gap = np.abs(cd.forward_dynamics(model, q[:64], v[:64], tau[:64])[:, order] - expected).max()
    if not gap / np.abs(expected).max() < 1e-5:
        raise cd.CondyleError(f"kneecaps: condyle and Pinocchio differ by {gap:.1e}")
    return compare(Timed(lambda: cd.forward_dynamics(model, q, v, tau), STATES), Timed(theirs, len(rows)))


def step_pace(cells, members=64, steps=200):
    """Simulated steps of a batch, on lanes, beside runs of single members, one call and no lanes for each."""
    bars, meets = tower(cells)
    model, rest = in_condyle(bars, meets)
    rng = np.random.default_rng(0)
    q, v = cd.project(model, rest + rng.uniform(-0.2, 0.2, (members, model.nq)), rng.normal(size=(members, model.nv)))
    how = {"duration": steps * 1e-3, "step": 1e-3, "record": steps * 1e-3, "integrator": "semi-implicit"}
    batch = Timed(lambda: cd.simulate(model, q, v, **how), steps * members)
    return compare(batch, Timed(lambda: [cd.simulate(model, q[i], v[i], **how) for i in range(8)], steps * 8), 5)


def measure():
    found = kneecap_pace()
    note = f"{found.first * 1e6:.3g} µs against {found.second * 1e6:.3g} µs"
    title = "batched forward dynamics over pin.forwardDynamics, 33 hinges with coupled kneecaps"
    yield Row("l", title, found.ratio, "x", TARGET, note=note)
    for cells, name in ((1, "four-bar linkage"), (10, "tower of 10 loops")):
        found = step_pace(cells)
        note = f"{found.first * 1e6:.3g} µs against {found.second * 1e6:.3g} µs a step"
        yield Row("l", f"simulated steps of a batch over runs of single members, {name}", found.ratio, "x", note=note)
    for cells, name in ((1, "four-bar linkage"), (10, "tower of 10 loops")):
        found = pace(cells)
        note = f"{found.first * 1e6:.3g} µs against {found.second * 1e6:.3g} µs"
        title = f"batched forward dynamics over pin.constraintDynamics, {name}"
        yield Row("l", title, found.ratio, "x", TARGET, note=note)
