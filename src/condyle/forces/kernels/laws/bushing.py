"""Springs and dampers of three turns and three shifts of one frame in another."""

from ....numeric import inlined
from ..declaration import TURNS, Constant, Law
from ..shared import stored_energy

AXES = ("x", "y", "z")


@inlined
def force(z, c, turns, shifts, turn_rates, shift_rates):
    """−(stiffness · x + damping · ẋ) of each of the six."""
    torque = (
        -(c.turn_stiffness_x * turns[0] + c.turn_damping_x * turn_rates[0]),
        -(c.turn_stiffness_y * turns[1] + c.turn_damping_y * turn_rates[1]),
        -(c.turn_stiffness_z * turns[2] + c.turn_damping_z * turn_rates[2]),
    )
    push = (
        -(c.shift_stiffness_x * shifts[0] + c.shift_damping_x * shift_rates[0]),
        -(c.shift_stiffness_y * shifts[1] + c.shift_damping_y * shift_rates[1]),
        -(c.shift_stiffness_z * shifts[2] + c.shift_damping_z * shift_rates[2]),
    )
    return torque, push


@inlined
def energy(z, c, turns, shifts):
    """½ stiffness x² of each of the six."""
    turned = stored_energy(c.turn_stiffness_x, turns[0]) + stored_energy(c.turn_stiffness_y, turns[1])
    turned = turned + stored_energy(c.turn_stiffness_z, turns[2])
    shifted = stored_energy(c.shift_stiffness_x, shifts[0]) + stored_energy(c.shift_stiffness_y, shifts[1])
    return turned + (shifted + stored_energy(c.shift_stiffness_z, shifts[2]))


def _six(what: str, turn_unit: str, shift_unit: str, default: float | None) -> dict[str, Constant]:
    """A constant of three turns and three shifts."""
    units = {"turn": turn_unit, "shift": shift_unit}
    return {
        f"{kind}_{what}_{axis}": Constant(unit, least=0.0, default=default, linear=True)
        for kind, unit in units.items()
        for axis in AXES
    }


BUSHING = Law(
    "bushing",
    TURNS,
    {**_six("stiffness", "N m/rad", "N/m", None), **_six("damping", "N m s/rad", "N s/m", 0.0)},
    force,
    energy,
    words="bushing",
    file="bushing",
)
