"""(l) Forward dynamics of a batch with closed loops over Pinocchio's constrained forward dynamics.

A four-bar linkage, and a tower of ten parallelograms, each on the coupler of the one below: planar, so that a third of
the rows is redundant. Pinocchio is called once for each state, by its proximal methods.
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


def measure():
    for cells, name in ((1, "four-bar linkage"), (10, "tower of 10 loops")):
        found = pace(cells)
        note = f"{found.first * 1e6:.3g} µs against {found.second * 1e6:.3g} µs"
        title = f"batched forward dynamics over pin.constraintDynamics, {name}"
        yield Row("l", title, found.ratio, "x", TARGET, note=note)
