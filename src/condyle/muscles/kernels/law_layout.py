"""Records and constants of the laws of forces along paths, in the tables that kernels read."""

from typing import NamedTuple


class LawRecord(NamedTuple):
    """A law: its kind, where its constants begin, 1 if the tendon is rigid, and where its curves begin, if it has some.

    Millard's curves begin in the numbers, records of those through points in the codes. `direct` is 1 if the activation
    is the excitation, without dynamics.
    """

    law: int
    at: int
    rigid: int = 0
    active: int = 0
    passive: int = 0
    tendon: int = 0
    velocity: int = 0
    direct: int = 0


class MuscleNumbers(NamedTuple):
    """Offsets of the constants that all muscles have; those of a law follow at `own`."""

    force: int  # largest isometric [N]
    fiber: int  # optimal fibre length [m]
    slack: int  # of the tendon [m]
    width: int  # fibre length · sine of pennation [m]
    least: int  # fibre length [m]
    speed: int  # largest, in optimal fibre lengths per second
    damping: int
    least_activation: int
    rise: int  # time constants of the activation [s]
    fall: int
    own: int


class ThelenNumbers(NamedTuple):
    """Offsets of Thelen's constants from `own`."""

    active_shape: int
    passive_shape: int
    fiber_strain: int
    tendon_strain: int
    shortening_shape: int  # A_f
    lengthening_force: int  # F_l
    threshold: int


class DeGrooteNumbers(NamedTuple):
    """Offsets of De Groote and Fregly's constants from `own`."""

    scale: int
    strain: int
    tendon: int  # stiffness k
    passive: int  # 0: no passive force


class SchutteNumbers(NamedTuple):
    """Offsets of Schutte's constants from `own`."""

    damping: int
    rise: int  # of the activation's rate with the excitation
    fall: int


class OutNumbers(NamedTuple):
    """What is written of a muscle in a state."""

    tendon_force: int
    fiber_length: int
    fiber_speed: int
    active_force: int
    passive_force: int
    cosine: int
    status: int
    size: int


LAW_SIZE = len(LawRecord._fields)
M = MuscleNumbers(*range(11))
T = ThelenNumbers(*range(7))
D = DeGrooteNumbers(*range(4))
S = SchutteNumbers(*range(3))
OUT = OutNumbers(*range(8))._replace(size=7)
PATH, THELEN, MILLARD, DE_GROOTE, SCHUTTE, RIGID_TENDON = range(6)  # muscles from THELEN on
PATH_SPRING, BLANKEVOORT, PATH_ACTUATOR, LIGAMENT, MCKIBBEN = range(6, 11)
ACTIVE_CORNERS, PASSIVE_CORNERS, TENDON_CORNERS, VELOCITY_CORNERS = 5, 2, 2, 4
TOO_SHORT, AT_LEAST_LENGTH, NO_EQUILIBRIUM = 1, 2, 3  # statuses
