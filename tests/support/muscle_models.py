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


LIMB = {"max_isometric_force": 300.0, "optimal_fiber_length": 0.12, "tendon_slack_length": 0.2}


def limb():
    """Two hinges with muscles of every law, a wrap, a moving and a conditional point, a spring and a ligament."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body("upper", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(2.0, 0.05, com=(0, -0.15, 0)))
    b.add_body("lower", "upper", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.05, com=(0, -0.12, 0)),
               placement=cd.SE3.from_translation((0, -0.3, 0)))  # fmt: skip
    b.add_wrap("drum", "cylinder", "upper", quadrant="-x", radius=0.02, length=0.1)
    way = [functions.polynomial([0.03, 0.01]), functions.polynomial([-0.05, 0.0, 0.01]), 0.0]
    moving = cd.muscles.moving_point("lower", way, "lower", range=(-2, 2))
    inner = cd.muscles.conditional_point("upper", (0.04, -0.2, 0), "lower", (-0.05, 3.0))
    b.add_muscle("flexor", [(None, (0.05, 0.02, 0)), moving], "thelen", **LIMB)
    b.add_muscle("extensor", [(None, (-0.05, 0.2, 0)), ("lower", (-0.02, 0.02, 0))], "millard", wraps=["drum"],
                 pennation_angle_at_optimal=0.2, **{**LIMB, "tendon_slack_length": 0.35})  # fmt: skip
    b.add_muscle("short", [("upper", (0.03, -0.1, 0)), inner, ("lower", (0.02, -0.08, 0))], "de_groote_fregly",
                 **{**LIMB, "tendon_slack_length": 0.1})  # fmt: skip
    b.add_muscle("stiff", [(None, (0.1, 0.1, 0)), ("upper", (0.02, -0.2, 0))], "millard", ignore_tendon_compliance=1,
                 ignore_activation_dynamics=1, **LIMB)  # fmt: skip
    b.add_muscle(
        "band", [(None, (0, 0, 0.1)), ("lower", (0, -0.1, 0))], "path_spring", stiffness=100, resting_length=0.3
    )
    return b.add_path("mere", [(None, (0, 0, 0)), ("lower", (0, 0, 0))]).build()
