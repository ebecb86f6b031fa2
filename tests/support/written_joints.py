"""Joints as people write them in files, each beside the joint that its constructor gives.

A joint whose making needs kernels stands as a function that makes it, so that collecting tests compiles nothing.
"""

import numpy as np

import condyle as cd
from condyle import joints
from condyle.joints import functions as fn

SIDE = np.linspace(-0.4, 0.4, 7)
RING = np.round(np.stack([np.cos(np.arange(12) / 6 * np.pi), np.sin(np.arange(12) / 6 * np.pi)], axis=1), 6)

FORMS = {
    'type = "revolute"\naxis = [1, 2, -2]\npoint = [0.1, 0.2, 0.3]': joints.revolute([1, 2, -2], (0.1, 0.2, 0.3)),
    'type = "revolute"\naxis = "z"\nname = "bend"': joints.revolute("z", name="bend"),
    'type = "prismatic"\naxis = "y"': joints.prismatic("y"),
    'type = "helical"\naxis = "x"\npitch = 0.2': joints.helical("x", 0.2),
    'type = "cylindrical"\naxis = "x"\nnames = ["turn", "slide"]': joints.cylindrical("x", names=("turn", "slide")),
    'type = "planar"': joints.planar(),
    'type = "universal"\nfirst = "x"\nsecond = "y"': joints.universal("x", "y"),
    'type = "universal"\nfirst = "x"\nsecond = "y"\npoint = [0.1, 0, 0.2]': joints.universal("x", "y", (0.1, 0, 0.2)),
    'type = "universal"\nfirst = "x"\nsecond = "y"\npoint = [0, 0, 1]\nsecond_point = [0, 0, 2]\nnames = ["a", "b"]': (
        joints.universal("x", "y", (0, 0, 1), (0, 0, 2), names=("a", "b"))
    ),
    'type = "ball"': joints.ball(),
    'type = "free"': joints.free(),
    'type = "elliptic"\na = 2\nb = 1': joints.elliptic(2, 1),
    'type = "weld"\npose = { xyz = [1, 2, 3] }': joints.weld(cd.SE3.from_translation((1, 2, 3))),
    """type = "spline_curve"
frames = [{}, { xyz = [1, 0, 0] }, { xyz = [1, 1, 0] }, { wxyz = [0.8, 0, 0, 0.6] }, { xyz = [0, 1, 1] }]
order = 4
outside = "error"
""": joints.spline_curve(
        cd.SE3(
            np.array([[1, 0, 0, 0]] * 3 + [[0.8, 0, 0, 0.6]] + [[1, 0, 0, 0]]),
            np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 1]]),
        ),
        outside="error",
    ),
    f'type = "spline_surface"\ncontrols = {np.arange(96.0).reshape(4, 4, 6).tolist()}': joints.spline_surface(
        np.arange(96.0).reshape(4, 4, 6), (None, None)
    ),
    f"""type = "spline_surface"
controls = {(np.arange(96.0).reshape(4, 4, 6) / 50).tolist()}
base = [{{ coordinate = 1, joint = {{ type = "revolute", axis = "y" }} }}]
""": joints.spline_surface(np.arange(96.0).reshape(4, 4, 6) / 50, (None, None), base={1: joints.revolute("y")}),
    """type = "along"
points = [[0, 0], [1, 0], [1, 1]]
rounding = 0.1
name = "bead"
""": joints.along(joints.Curve.from_points([(0, 0), (1, 0), (1, 1)], rounding=0.1), name="bead"),
    """type = "track"
points = [[0, 0, 1], [1, 0, 0], [2, 0, 1]]
closed = true
name = "bead"
""": joints.track([(0, 0, 1), (1, 0, 0), (2, 0, 1)], closed=True, name="bead"),
    'type = "along"\nsvg = "M 0 0 A 1 2 0 0 1 2 0"\nframe = "fixed"': joints.along(
        joints.Curve.from_svg("M 0 0 A 1 2 0 0 1 2 0"), frame="fixed"
    ),
    f"""type = "on"
x = {SIDE.tolist()}
y = {SIDE.tolist()}
heights = {np.add.outer(SIDE**2, SIDE).tolist()}
names = ["x", "y"]
""": joints.on(joints.Surface.from_heights(SIDE, SIDE, np.add.outer(SIDE**2, SIDE)), names=("x", "y")),
    f"""type = "contact"
parent = {{ type = "along", points = {RING.tolist()}, closed = true }}
child = {{ type = "along", points = {(2 * RING).tolist()}, closed = true }}
""": lambda: joints.contact(*(joints.along(joints.Curve.from_points(k * RING, closed=True)) for k in (1, 2))),
    f"""type = "contact"
touching = "crossing"
parent = {{ type = "along", points = {RING.tolist()}, closed = true }}
child = {{ type = "prismatic", axis = "x" }}
""": lambda: joints.contact(
        joints.along(joints.Curve.from_points(RING, closed=True)), joints.prismatic("x"), touching="crossing"
    ),
    """type = "compliant"
joint = { type = "revolute", axis = "z" }
""": lambda: joints.compliant(joints.revolute("z")),
    """type = "product"
twists = [[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0]]
functions = [
  { type = "linear" }, { type = "sinusoid", amplitude = 0.1 }, { type = "polynomial", coefficients = [0, 1, 2] },
]
coordinates = ["angle"]
""": joints.product(
        np.eye(6)[[2, 3, 4]], [fn.linear(), fn.sinusoid(0.1), fn.polynomial([0, 1, 2])], coordinates=("angle",)
    ),
    """type = "compose"
joints = [{ type = "revolute", axis = "x" }, { type = "inverse", joint = { type = "prismatic", axis = "y" } }]
names = ["a", "b"]
""": joints.compose(joints.revolute("x"), joints.prismatic("y").inverse(), names=("a", "b")),
}
