"""An arm and a hand with a path of every kind: straight, conditional, moving, over each shape, over two."""

import numpy as np

import condyle as cd
from condyle import functions

RADIUS, RADII = 0.05, (0.05, 0.03, 0.04)
LEFT, RIGHT = np.array([-0.3, 0.02, 0.05]), np.array([0.25, 0.03, -0.04])


def bodies():
    """An arm and a hand that turn about z, 0.3 m from each other."""
    rod = cd.Inertia.cylinder(1.0, 0.02, 0.3, axis=0)
    place = cd.SE3.from_translation([0.3, 0, 0])
    b = cd.ModelBuilder().add_body("arm", joint=cd.joints.revolute("z"), inertia=rod)
    return b.add_body("hand", "arm", cd.joints.revolute("z"), rod, placement=place)


def every_path():
    """A model with a path of every kind."""
    b = bodies()
    b.add_wrap("drum", "cylinder", quadrant="y", radius=RADIUS, length=1.0)
    b.add_wrap("elbow", "cylinder", "arm", cd.SE3.from_translation([0.3, 0, 0]), quadrant="y", radius=0.03, length=1.0)
    b.add_wrap("ball", "sphere", radius=RADIUS)
    b.add_wrap("egg", "ellipsoid", dimensions=RADII)
    b.add_wrap("round egg", "ellipsoid", dimensions=(RADIUS,) * 3)
    b.add_wrap("ring", "torus", pose=ring_pose(), inner_radius=0.01, outer_radius=0.1)
    ends = [(None, LEFT), ("arm", RIGHT)]
    b.add_path("line", [(None, (0, 0.2, 0)), ("arm", (0.25, 0, 0))])
    b.add_path("over drum", ends, wraps=["drum"])
    b.add_path("over ball", ends, wraps=["ball"])
    b.add_path("over egg", ends, wraps=["egg"])
    b.add_path("over round egg", ends, wraps=["round egg"])
    b.add_path(
        "through ring",
        [(None, (0.3, 0.15, 0)), (None, (-0.3, 0.15, 0.0)), ("arm", (0.3, 0.1, 0))],
        wraps=[("ring", (1, 2))],
    )
    b.add_path("over both", [(None, (-0.3, 0.02, 0)), ("hand", (0.2, 0.01, 0))], wraps=["drum", "elbow"])
    held = cd.muscles.conditional_point("arm", (0.1, 0.1, 0), "hand", (-0.5, 0.0))
    b.add_path("held", [(None, (0, 0.2, 0)), held, ("hand", (0.1, 0, 0))])
    moving = cd.muscles.moving_point(
        "arm", [functions.polynomial([0.2, 0.1]), functions.polynomial([0.05, 0.0, 0.3]), 0.01], "hand", range=(-1, 0.8)
    )
    b.add_path("moving", [(None, (0, 0.2, 0)), moving, ("hand", (0.1, 0, 0))])
    return b.build()


def ring_pose():
    """The ring stands upright: its circle in the plane x = 0."""
    T = np.eye(4)
    T[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
    return T


def turned(q):
    return np.array([[np.cos(q), -np.sin(q), 0], [np.sin(q), np.cos(q), 0], [0, 0, 1]])


def states(count=24):
    rng = np.random.default_rng(5)
    return rng.uniform([-0.5, -0.9], [0.2, 0.7], (count, 2))
