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

import numpy as np
from scipy.interpolate import make_interp_spline

from ...joints import Joint, functions, product, revolute
from ...model import Model, ModelBuilder
from ...model.look.shapes import BONE, Shape, bone, ellipsoid, sphere
from ...spatial import SE3, Inertia

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
    """Pose of the tibia in the femur, whose origin is the hip: forward, up, then the knee angle about z.

    Parameters
    ----------
    order : int, optional
        Order of the splines through the tables: degree + 1; 4 is cubic.

    Returns
    -------
    Joint
        Coordinate "angle" [rad], zero straight and negative in flexion.
    """
    turn = functions.linear()
    return product(
        (ALONG_X, ALONG_Y, TURN_Z), (_through(FORWARD, order), _through(UP, order), turn), coordinates="angle"
    )


def knee_poses(
    count: int = 60, angle_noise: float = 0.01, distance_noise: float = 0.001, seed: int = 0
) -> tuple[np.ndarray, SE3]:
    """Knee angles and poses as a motion lab might measure them: a synthetic data set.

    The motion is that of `knee`; the noise is normal. Nobody's knee was measured.

    Parameters
    ----------
    count : int, optional
        How many poses.
    angle_noise, distance_noise : float, optional
        Standard deviation in each direction [rad, m].
    seed : int, optional
        Seed of the random numbers.

    Returns
    -------
    tuple of ndarray, shape (count,), and SE3, shape (count,)
        Angles [rad] and poses of the tibia in the femur.
    """
    q = np.linspace(-2.0944, STRAIGHT, count)
    noise = np.random.default_rng(seed).normal(size=(count, 6)) * np.repeat([angle_noise, distance_noise], 3)
    return q, knee().pose(q) @ SE3.exp(noise)


def segment_inertia(mass: float, length: float, com: float, radius: float) -> Inertia:
    """A segment along −y: its centre of mass at a fraction of its length, its radius of gyration another."""
    across = mass * (radius * length) ** 2
    return Inertia(mass, (0.0, -com * length, 0.0), (across, 0.1 * across, across))


def leg(mass: float = 75.0, height: float = 1.8, order: int = 4, joint: Joint | None = None) -> Model:
    """Thigh, shank and foot of a person hanging from a fixed hip, y up.

    The knee's table is for a femur of 0.4 m (a person of 1.6 m); it is used as it is. There is no patella: the
    published tables do not give its path.

    Parameters
    ----------
    mass, height : float, optional
        Of the person [kg, m].
    order : int, optional
        Of the knee's splines, as in `knee`.
    joint : Joint, optional
        Another knee, such as a fitted one.

    Returns
    -------
    Model
        Coordinates "hip", "knee" and "ankle" [rad].

    Examples
    --------
    >>> from condyle.gallery import leg
    >>> leg().coordinates
    ('hip', 'knee', 'ankle')
    """
    b = ModelBuilder(gravity=(0.0, -9.81, 0.0))
    add_leg(b, joint or knee(order), mass, height)
    return b.build()


def add_leg(
    b: ModelBuilder, joint: Joint, mass: float = 75.0, height: float = 1.8, side: str = "", at=0.0, color=BONE
) -> None:
    """Add a leg with that knee; `side` comes before its names, `at` is how far to the right its hip is [m]."""
    shank = 0.246 * height
    names = [f"{side}{name}" for name in ("thigh", "shank", "foot", "hip", "knee", "ankle")]
    thigh = segment_inertia(0.1 * mass, 0.245 * height, 0.433, 0.323)
    hip, ankle = (SE3.from_translation(place) for place in ((0.0, 0.0, at), (0.0, -shank, 0.0)))
    look = _femur(color), _tibia(shank, color), _foot(color)
    b.add_body(names[0], joint=revolute("z"), inertia=thigh, placement=hip, joint_name=names[3], shapes=look[0])
    calf = segment_inertia(0.0465 * mass, shank, 0.433, 0.302)
    b.add_body(names[1], parent=names[0], joint=joint, inertia=calf, joint_name=names[4], shapes=look[1])
    foot = Inertia.box(0.0145 * mass, (0.152 * height, 0.06, 0.08), com=(0.05, -0.03, 0.0))
    b.add_body(names[2], names[1], revolute("z"), foot, placement=ankle, joint_name=names[5], shapes=look[2])
    b.set_range(names[4], -2.0944, STRAIGHT)
    b.add_limit(names[4], -2.0944, 0.0, stiffness=3000.0, damping=15.0)
    b.add_stiffness(names[5], 4.0, damping=0.1)


def _femur(color) -> tuple[Shape, ...]:
    """Its head at the hip, a shaft, and two condyles a tibia's table above the published place of the tibia."""
    condyles = [ellipsoid((0.030, 0.024, 0.021), _at(0.002, -0.375, z), color) for z in (-0.024, 0.024)]
    return (sphere(0.026, color=color), bone((0.0, -0.02, 0.0), (0.0, -0.36, 0.0), 0.028, color), *condyles)


def _tibia(length: float, color) -> tuple[Shape, ...]:
    """A plateau at the joint's frame, a shaft down to the ankle, and the fibula beside it."""
    plateau = ellipsoid((0.029, 0.016, 0.046), _at(0.0, -0.018, 0.0), color)
    shaft = bone((0.0, -0.035, 0.0), (0.0, -length + 0.022, 0.0), 0.025, color)
    return (plateau, shaft, bone((-0.012, -0.05, 0.036), (-0.004, -length + 0.005, 0.030), 0.012, color))


def _foot(color) -> tuple[Shape, ...]:
    """Ankle bone, heel, and five rays with their toes."""
    heel, ankle = ellipsoid((0.040, 0.024, 0.024), _at(-0.035, -0.042, 0.0), color), sphere(0.026, color=color)
    ends = [((0.02, -0.025, 0.4 * z), (0.125 - 6.0 * z * z, -0.056, z)) for z in (-0.034, -0.017, 0.0, 0.017, 0.034)]
    rays = [bone(start, end, 0.0105, color) for start, end in ends]
    toes = [bone(end, np.add(end, (0.042, -0.004, 0.1 * end[2])), 0.0085, color) for _, end in ends]
    return (ankle, heel, *rays, *toes)


def _at(*place: float) -> SE3:
    return SE3.from_translation(place)
