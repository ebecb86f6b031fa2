"""Closed and rolling mechanisms with their oracles, for the tests of constraints."""

import numpy as np

import condyle as cd
from oracles import definitions as d
from oracles import kkt, lagrangian, random_motion

from .kinds import Pair, hinge
from .trees import Twin

__all__ = [
    "along",
    "coupled_pair",
    "pinned_chain",
    "planar_chain",
    "rolling_coin",
    "shift",
    "welded_chain",
    "wheel_in_a_drum",
    "wheel_on_a_slope",
]


def shift(*p):
    T = np.eye(4)
    T[:3, 3] = p
    return T


def along(tree, loops, q, v):
    """The nearest velocity that all loops allow, by the oracle's rows."""
    A = np.vstack([np.transpose([c.rows(tree, q, e)[0] for e in np.eye(tree.nv)]) for c in loops])
    return v - np.linalg.pinv(A) @ (A @ v)


def planar_chain(rng, count, axis=(0, 1, 0)):
    """`count` bodies in a row with parallel hinges."""
    made = Twin()
    for i in range(count):
        made.attach(hinge(axis), i - 1, random_motion.inertia(rng), shift(0.5 * (i > 0), 0, 0), np.eye(4))
    return made


def pinned_chain(rng, count, axis=(0, 1, 0)):
    """A planar chain whose end is pinned to the world where it stands: a ring with the ground as one link."""
    made = planar_chain(rng, count, axis)
    q, tip = rng.uniform(-0.9, 0.9, count), np.array([0.5, 0, 0])
    anchor = (made.tree.poses(q)[-1] @ [*tip, 1])[:3]
    made.builder.add_constraint(cd.constraints.point(f"b{count - 1}", tip, None, anchor))
    return made, kkt.Point(count - 1, tip, -1, anchor), q


def welded_chain(rng, count, axis=(0, 1, 0)):
    """A planar chain whose end is welded to the world: three of the six rows are redundant."""
    made = planar_chain(rng, count, axis)
    q = rng.uniform(-0.9, 0.9, count)
    frame = made.tree.poses(q)[-1]
    made.builder.add_constraint(cd.constraints.weld(f"b{count - 1}", None, None, frame))
    pins = [kkt.Point(count - 1, p, -1, (frame @ [*p, 1])[:3]) for p in np.eye(3)]  # three points hold a body
    return made, pins, q


def coupled_pair(rng, function):
    """A universal joint and a hinge; the hinge follows the first angle."""
    made = Twin()
    made.add(hinge((0, 1, 0)), -1, rng)
    made.add(hinge(random_motion.unit(rng)), 0, rng)
    made.add(hinge(random_motion.unit(rng)), 1, rng)
    made.builder.add_constraint(cd.constraints.couple("b2", "b0", function=function))
    return made


def rolling_coin(radius=0.3):
    """A thin disc with its axis along its own z, which leans, turns and spins while it touches the floor.

    Coordinates: contact x and y [m], yaw, lean, spin [rad].
    """
    twists = np.array(
        [(0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 1, 0, 0, 0), (1, 0, 0, 0, 0, 0), (0, 1, 0, -radius, 0, 0)],
        float,
    )
    names = ("x", "y", "yaw", "lean", "spin")
    functions = [cd.functions.linear(k) for k in range(5)]
    joint = cd.joints.product(twists, functions, coordinates=names)
    contact = cd.joints.product(twists[:3], functions[:3], coordinates=names[:3])
    standing = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, radius], [0, 0, 0, 1]])
    made, mass = Twin(), 0.7
    pair = Pair(joint, lagrangian.joint(d.screws(*twists), 5), lambda r: r.uniform(-0.6, 0.6, 5))
    moment = mass * radius**2 * np.diag([0.25, 0.25, 0.5])
    made.attach(pair, -1, (mass, np.zeros(3), moment), np.eye(4), np.linalg.inv(standing))
    made.builder.add_constraint(cd.constraints.roll("b0", contact))
    return made, kkt.Rolling(0, kkt.lowest_point_of_a_disc(radius))


def wheel_on_a_slope(slope, radius, mass, share):
    """A wheel of moment share · m r² with coordinates x (down the slope) and angle; its contact is below x."""
    b = cd.ModelBuilder(gravity=9.81 * np.array([np.sin(slope), 0, -np.cos(slope)]))
    x, turn = (0, 0, 0, 1, 0, 0), (0, 1, 0, 0, 0, 0)
    functions = [cd.functions.linear(0), cd.functions.linear(1)]
    joint = cd.joints.product([x, turn], functions, coordinates=("x", "angle"), pose=shift(0, 0, radius))
    moment = mass * radius**2 * np.diag([share, share, share])
    b.add_body("wheel", joint=joint, inertia=cd.Inertia(mass, np.zeros(3), moment))
    b.add_constraint(cd.constraints.roll("wheel", cd.joints.product([x], functions[:1], coordinates=("x",)), (0,)))
    return b.build()


def wheel_in_a_drum(drum, radius, share, mass=1.3):
    """A wheel that rolls inside a drum: `swing` is where it touches, `spin` how it turns against that arm."""
    b = cd.ModelBuilder()
    swing = (0, -1, 0, 0, 0, 0)
    spin = (0, -1, 0, -(drum - radius), 0, 0)  # about the wheel's centre, drum − radius below the origin
    functions = [cd.functions.linear(0), cd.functions.linear(1)]
    joint = cd.joints.product([swing, spin], functions, coordinates=("swing", "spin"))
    contact = cd.joints.compose(
        cd.joints.product([swing], functions[:1], coordinates=("swing",)),
        cd.joints.product([(0, 0, 0, 0, 0, 1)], [-drum]),
    )
    moment = share * mass * radius**2 * np.eye(3)
    b.add_body("wheel", joint=joint, inertia=cd.Inertia(mass, np.zeros(3), moment), offset=shift(0, 0, drum - radius))
    b.add_constraint(cd.constraints.roll("wheel", contact, tangents=(0,)))
    return b.build()
