"""A knee that rolls and glides, and the leg around it.

The tibia's path is the planar knee of Yamaguchi and Zajac (1989), as Delp et al. (1990) tabulate it: translation of
the tibia in the femur frame (x forward, y up) against the knee angle, zero straight and negative in flexion. Segment
masses, lengths and moments are fractions of body mass and height after Winter (2009), table 4.1.

- G. T. Yamaguchi, F. E. Zajac. A planar model of the knee joint to characterize the knee extensor mechanism.
  Journal of Biomechanics 22, 1989.
- S. L. Delp et al. An interactive graphics-based model of the lower extremity. IEEE Transactions on Biomedical
  Engineering 37, 1990.
- D. A. Winter. Biomechanics and Motor Control of Human Movement, 4th edition, 2009.
"""

from __future__ import annotations

from scipy.interpolate import make_interp_spline

from ..joints import Joint, functions, product, revolute
from ..model import Model, ModelBuilder
from ..spatial import SE3, Inertia

__all__ = ["knee", "leg"]

# knee angle [rad], tibia forward [m]
FORWARD = (
    (-2.0944, -1.74533, -1.39626, -1.0472, -0.698132, -0.349066, -0.174533, 0.197344),
    (-0.0032, 0.00179, 0.00411, 0.0041, 0.00212, -0.001, -0.0031, -0.005227),
)
# knee angle [rad], tibia up [m]
UP = (
    (-2.0944, -1.22173, -0.523599, -0.349066, -0.174533, 0.159149),
    (-0.4226, -0.4082, -0.399, -0.3976, -0.3966, -0.395264),
)
TURN_Z, ALONG_X, ALONG_Y = (0, 0, 1, 0, 0, 0), (0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0)
STRAIGHT = 0.159149  # [rad] the largest angle that both tables have


def _through(table, order: int) -> functions.Function:
    """The spline of an order through a table of (angle, translation)."""
    spline = make_interp_spline(*table, k=order - 1)
    return functions.spline(spline.t, spline.c, order=order)


def knee(order: int = 4) -> Joint:
    """Pose of the tibia in the femur, whose origin is the hip: forward, up, then the knee angle about z [rad]."""
    turn = functions.linear()
    return product(
        (ALONG_X, ALONG_Y, TURN_Z), (_through(FORWARD, order), _through(UP, order), turn), coordinates="angle"
    )


def _rod(mass: float, length: float, com: float, radius: float) -> Inertia:
    """A segment along −y: its centre of mass at a fraction of its length, its radius of gyration another."""
    across = mass * (radius * length) ** 2
    return Inertia(mass, (0.0, -com * length, 0.0), (across, 0.1 * across, across))


def leg(mass: float = 75.0, height: float = 1.8, order: int = 4) -> Model:
    """Thigh, shank and foot of a person [kg, m] hanging from a fixed hip, y up; coordinates hip, knee and ankle [rad].

    The knee's table is for a femur of 0.4 m (a person of 1.6 m); it is used as it is.
    """
    shank = 0.246 * height
    b = ModelBuilder(gravity=(0.0, -9.81, 0.0))
    thigh = _rod(0.1 * mass, 0.245 * height, 0.433, 0.323)
    b.add_body("thigh", joint=revolute("z"), inertia=thigh, joint_name="hip")
    calf = _rod(0.0465 * mass, shank, 0.433, 0.302)
    b.add_body("shank", parent="thigh", joint=knee(order), inertia=calf, joint_name="knee")
    ankle = SE3.from_translation((0.0, -shank, 0.0))
    foot = Inertia.box(0.0145 * mass, (0.152 * height, 0.06, 0.08), com=(0.05, -0.03, 0.0))
    b.add_body("foot", parent="shank", joint=revolute("z"), inertia=foot, placement=ankle, joint_name="ankle")
    b.set_range("knee", -2.0944, STRAIGHT)
    b.add_limit("knee", -2.0944, 0.0, stiffness=3000.0, damping=15.0)
    b.add_stiffness("ankle", 4.0, damping=0.1)
    return b.build()
