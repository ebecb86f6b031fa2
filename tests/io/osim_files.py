"""Small .osim files of our own: every joint, function and constraint, in new and in old versions."""

import numpy as np

AXES = ("rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3")
SPLINE = "<SimmSpline><x>-1.5 -0.7 -0.1 0.4 1.1 1.6</x><y>0.1 -0.3 0.25 0.4 0.1 0.6</y></SimmSpline>"
LINE = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"


def numbers(values):
    """Numbers as text, without loss."""
    return " ".join(repr(float(x)) for x in values)


def coordinate(name, default=0.0, ends=(-2.0, 2.0), extra=""):
    return (
        f'<Coordinate name="{name}"><default_value>{default!r}</default_value>'
        f"<range>{numbers(ends)}</range>{extra}</Coordinate>"
    )


def body(name, seed=0, extra=""):
    """A body with a centre of mass and moments that a body can have."""
    rng = np.random.default_rng(seed)
    inertia = [0.3, 0.35, 0.4, 0.02, -0.03, 0.01]
    return (
        f'<Body name="{name}"><mass>{rng.uniform(1, 3)!r}</mass>'
        f"<mass_center>{numbers(rng.normal(size=3) * 0.1)}</mass_center><inertia>{numbers(inertia)}</inertia>{extra}</Body>"
    )


def offsets(seed):
    """Translation and angles of the frames of a joint on its parent and on its child."""
    return np.random.default_rng(seed).normal(size=(2, 2, 3)) * [[[0.2], [0.5]]]


def joint(kind, name, parent, child, coordinates, inside="", seed=0):
    """A joint of version 4 between frames at random offsets."""
    frames = "".join(
        f'<PhysicalOffsetFrame name="{end}_offset"><socket_parent>{path}</socket_parent>'
        f"<translation>{numbers(p)}</translation><orientation>{numbers(a)}</orientation></PhysicalOffsetFrame>"
        for end, path, (p, a) in zip(("p", "c"), (parent, child), offsets(seed), strict=True)
    )
    return (
        f'<{kind} name="{name}"><socket_parent_frame>p_offset</socket_parent_frame>'
        f"<socket_child_frame>c_offset</socket_child_frame><coordinates>{''.join(coordinates)}</coordinates>"
        f"<frames>{frames}</frames>{inside}</{kind}>"
    )


def model(bodies, joints, extra="", version=40000, gravity="0.1 -9.7 0.3"):
    """A document of version 4."""
    return (
        f'<?xml version="1.0" encoding="UTF-8" ?>\n<OpenSimDocument Version="{version}"><Model name="ours">'
        f"<gravity>{gravity}</gravity><BodySet><objects>{''.join(bodies)}</objects></BodySet>"
        f"<JointSet><objects>{''.join(joints)}</objects></JointSet>{extra}</Model></OpenSimDocument>\n"
    )


def axis(name, direction, coordinates="", function=""):
    return (
        f'<TransformAxis name="{name}"><coordinates>{coordinates}</coordinates><axis>{direction}</axis>'
        f"<function>{function or '<Constant><value>0</value></Constant>'}</function></TransformAxis>"
    )


def custom(axes):
    """The SpatialTransform of a CustomJoint, from {name: (direction, coordinates, function)}."""
    plain = dict(zip(AXES, ("1 0 0", "0 1 0", "0 0 1") * 2, strict=True))
    given = {name: axes.get(name, (plain[name], "", "")) for name in AXES}
    return f"<SpatialTransform>{''.join(axis(name, *what) for name, what in given.items())}</SpatialTransform>"


KNEE = custom(
    {
        "rotation1": ("0.1 0.2 2.0", "a", LINE),
        "rotation2": ("0 1 0.3", "a", "<PolynomialFunction><coefficients>0.3 -0.2 0.1</coefficients></PolynomialFunction>"),
        "rotation3": ("1 0 0", "b", "<Sine><amplitude>0.4</amplitude><omega>1.3</omega><phase>0.2</phase></Sine>"),
        "translation1": ("1 0 0", "a", SPLINE),
        "translation2": ("0 3 1", "a", f"<MultiplierFunction><function>{SPLINE}</function><scale>-0.7</scale></MultiplierFunction>"),
        "translation3": ("0 0.5 1", "", "<Constant><value>0.11</value></Constant>"),
    }
)
PLANE = "<MultivariatePolynomialFunction><dimension>2</dimension><order>2</order><coefficients>0.1 0.2 -0.3 0.4 0.25 -0.15</coefficients></MultivariatePolynomialFunction>"  # noqa: E501
TWO = custom(
    {
        "rotation1": ("0 0 1", "a", LINE),
        "rotation2": ("0 1 0", "b", LINE),
        "rotation3": ("1 0 0", "", ""),
        "translation1": ("1 0 0", "a b", PLANE),
    }
)
SCAPULA = (
    "<thoracic_ellipsoid_radii_x_y_z>0.07 0.15 0.08</thoracic_ellipsoid_radii_x_y_z>"
    "<scapula_winging_axis_origin>0.01 -0.03</scapula_winging_axis_origin>"
    "<scapula_winging_axis_direction>0.4</scapula_winging_axis_direction>"
)
JOINTS = {  # kind: coordinates, what is inside
    "WeldJoint": (0, ""),
    "PinJoint": (1, ""),
    "SliderJoint": (1, ""),
    "UniversalJoint": (2, ""),
    "BallJoint": (3, ""),
    "GimbalJoint": (3, ""),
    "FreeJoint": (6, ""),
    "PlanarJoint": (3, ""),
    "EllipsoidJoint": (3, "<radii_x_y_z>0.1 0.2 0.15</radii_x_y_z>"),
    "ScapulothoracicJoint": (4, SCAPULA),
    "CustomJoint": (2, KNEE),
}


def chain(kind):
    """Ground, a body on a pin, and one on a joint of a kind."""
    first = joint("PinJoint", "base", "/ground", "/bodyset/one", [coordinate("turn")], seed=1)
    bodies = [body("one", 1), body("two", 2)]
    ends = ("/bodyset/one", "/bodyset/two")
    if kind == "Reversed":  # the child is the body nearer to ground
        second = joint("CustomJoint", "last", *ends[::-1], [coordinate("a"), coordinate("b")], KNEE, seed=2)
        return model(bodies, [first, second])
    if kind == "TwoOfOneAxis":
        return model(bodies, [first, joint("CustomJoint", "last", *ends, [coordinate("b"), coordinate("a")], TWO, seed=2)])
    count, inside = JOINTS[kind]
    names = ["a", "b"] if kind == "CustomJoint" else [f"c{k}" for k in range(count)]
    return model(bodies, [first, joint(kind, "last", *ends, [coordinate(n) for n in names], inside, seed=2)])
