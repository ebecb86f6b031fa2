"""The law of an element by its code: force, energy and slopes of every reading. Written by a script.

`python packaging/write_force_dispatch.py` renews this file from the laws in `laws/` and the registry.
"""

from typing import Any, NamedTuple

from ...numeric import inlined, slope_part, with_slope
from .laws.bushing import energy as bushing_energy
from .laws.bushing import force as bushing_force
from .laws.constant_force import force as constant_force_force
from .laws.constant_force import slopes as constant_force_slopes
from .laws.coordinate_spring import energy as coordinate_spring_energy
from .laws.coordinate_spring import force as coordinate_spring_force
from .laws.coordinate_spring import slopes as coordinate_spring_slopes
from .laws.damper import energy as damper_energy
from .laws.damper import force as damper_force
from .laws.damper import slopes as damper_slopes
from .laws.dry_friction import energy as dry_friction_energy
from .laws.dry_friction import force as dry_friction_force
from .laws.exponential_limit import energy as exponential_limit_energy
from .laws.exponential_limit import force as exponential_limit_force
from .laws.gradual_limit import energy as gradual_limit_energy
from .laws.gradual_limit import force as gradual_limit_force
from .laws.gradual_limit import slopes as gradual_limit_slopes
from .laws.hertz import energy as hertz_energy
from .laws.hertz import force as hertz_force
from .laws.hunt_crossley import energy as hunt_crossley_energy
from .laws.hunt_crossley import force as hunt_crossley_force
from .laws.limit import energy as limit_energy
from .laws.limit import force as limit_force
from .laws.limit import slopes as limit_slopes
from .laws.smooth_contact import force as smooth_force
from .laws.soft_limit import energy as soft_limit_energy
from .laws.soft_limit import force as soft_limit_force
from .laws.soft_limit import slopes as soft_limit_slopes
from .laws.spring import energy as spring_energy
from .laws.spring import force as spring_force
from .laws.spring import slopes as spring_slopes


class CoordinateSpring(NamedTuple):
    """Constants of the law 'coordinate_spring'."""

    stiffness: Any
    rest: Any
    damping: Any


class Limit(NamedTuple):
    """Constants of the law 'limit'."""

    low: Any
    high: Any
    stiffness: Any
    damping: Any


class Damper(NamedTuple):
    """Constants of the law 'damper'."""

    damping: Any


class ConstantForce(NamedTuple):
    """Constants of the law 'constant_force'."""

    force: Any


class SoftLimit(NamedTuple):
    """Constants of the law 'soft_limit'."""

    low: Any
    high: Any
    stiffness_below: Any
    stiffness_above: Any
    damping: Any
    transition: Any


class GradualLimit(NamedTuple):
    """Constants of the law 'gradual_limit'."""

    low: Any
    high: Any
    stiffness: Any
    damping: Any
    damping_depth: Any


class ExponentialLimit(NamedTuple):
    """Constants of the law 'exponential_limit'."""

    low: Any
    high: Any
    force_below: Any
    force_above: Any
    steepness_below: Any
    steepness_above: Any
    damping: Any


class DryFriction(NamedTuple):
    """Constants of the law 'dry_friction'."""

    friction: Any
    slowest: Any


class Spring(NamedTuple):
    """Constants of the law 'spring'."""

    stiffness: Any
    damping: Any
    length: Any


class Bushing(NamedTuple):
    """Constants of the law 'bushing'."""

    turn_stiffness_x: Any
    turn_stiffness_y: Any
    turn_stiffness_z: Any
    shift_stiffness_x: Any
    shift_stiffness_y: Any
    shift_stiffness_z: Any
    turn_damping_x: Any
    turn_damping_y: Any
    turn_damping_z: Any
    shift_damping_x: Any
    shift_damping_y: Any
    shift_damping_z: Any


class Hertz(NamedTuple):
    """Constants of the law 'hertz'."""

    stiffness: Any
    dissipation: Any
    friction: Any
    slowest: Any
    margin: Any


class Smooth(NamedTuple):
    """Constants of the law 'smooth'."""

    modulus: Any
    dissipation: Any
    static_friction: Any
    dynamic_friction: Any
    viscous_friction: Any
    transition_velocity: Any
    rest: Any
    depth_steepness: Any
    rate_steepness: Any


class HuntCrossley(NamedTuple):
    """Constants of the law 'hunt_crossley'."""

    modulus: Any
    dissipation: Any
    static_friction: Any
    dynamic_friction: Any
    viscous_friction: Any
    transition_velocity: Any


@inlined
def coordinate_spring_constants(n, at):
    """The constants of the law 'coordinate_spring'."""
    return CoordinateSpring(n[at], n[at + 1], n[at + 2])


@inlined
def limit_constants(n, at):
    """The constants of the law 'limit'."""
    return Limit(n[at], n[at + 1], n[at + 2], n[at + 3])


@inlined
def damper_constants(n, at):
    """The constants of the law 'damper'."""
    return Damper(n[at])


@inlined
def constant_force_constants(n, at):
    """The constants of the law 'constant_force'."""
    return ConstantForce(n[at])


@inlined
def soft_limit_constants(n, at):
    """The constants of the law 'soft_limit'."""
    return SoftLimit(n[at], n[at + 1], n[at + 2], n[at + 3], n[at + 4], n[at + 5])


@inlined
def gradual_limit_constants(n, at):
    """The constants of the law 'gradual_limit'."""
    return GradualLimit(n[at], n[at + 1], n[at + 2], n[at + 3], n[at + 4])


@inlined
def exponential_limit_constants(n, at):
    """The constants of the law 'exponential_limit'."""
    return ExponentialLimit(n[at], n[at + 1], n[at + 2], n[at + 3], n[at + 4], n[at + 5], n[at + 6])


@inlined
def dry_friction_constants(n, at):
    """The constants of the law 'dry_friction'."""
    return DryFriction(n[at], n[at + 1])


@inlined
def spring_constants(n, at):
    """The constants of the law 'spring'."""
    return Spring(n[at], n[at + 1], n[at + 2])


@inlined
def bushing_constants(n, at):
    """The constants of the law 'bushing'."""
    return Bushing(
        n[at],
        n[at + 1],
        n[at + 2],
        n[at + 3],
        n[at + 4],
        n[at + 5],
        n[at + 6],
        n[at + 7],
        n[at + 8],
        n[at + 9],
        n[at + 10],
        n[at + 11],
    )


@inlined
def hertz_constants(n, at):
    """The constants of the law 'hertz'."""
    return Hertz(n[at], n[at + 1], n[at + 2], n[at + 3], n[at + 4])


@inlined
def smooth_constants(n, at):
    """The constants of the law 'smooth'."""
    return Smooth(n[at], n[at + 1], n[at + 2], n[at + 3], n[at + 4], n[at + 5], n[at + 6], n[at + 7], n[at + 8])


@inlined
def hunt_crossley_constants(n, at):
    """The constants of the law 'hunt_crossley'."""
    return HuntCrossley(n[at], n[at + 1], n[at + 2], n[at + 3], n[at + 4], n[at + 5])


@inlined
def coordinate_force(z, law, n, at, x, rate):
    """The force of a law on a coordinate."""
    if law == 0:  # coordinate_spring
        return coordinate_spring_force(z, coordinate_spring_constants(n, at), x, rate)
    if law == 1:  # limit
        return limit_force(z, limit_constants(n, at), x, rate)
    if law == 2:  # damper
        return damper_force(z, damper_constants(n, at), x, rate)
    if law == 3:  # constant_force
        return constant_force_force(z, constant_force_constants(n, at), x, rate)
    if law == 4:  # soft_limit
        return soft_limit_force(z, soft_limit_constants(n, at), x, rate)
    if law == 5:  # gradual_limit
        return gradual_limit_force(z, gradual_limit_constants(n, at), x, rate)
    if law == 11:  # exponential_limit
        return exponential_limit_force(z, exponential_limit_constants(n, at), x, rate)
    return dry_friction_force(z, dry_friction_constants(n, at), x, rate)


@inlined
def coordinate_energy(z, law, n, at, x):
    """What a law on a coordinate stores."""
    if law == 0:  # coordinate_spring
        return coordinate_spring_energy(z, coordinate_spring_constants(n, at), x)
    if law == 1:  # limit
        return limit_energy(z, limit_constants(n, at), x)
    if law == 2:  # damper
        return damper_energy(z, damper_constants(n, at), x)
    if law == 3:  # constant_force
        return z
    if law == 4:  # soft_limit
        return soft_limit_energy(z, soft_limit_constants(n, at), x)
    if law == 5:  # gradual_limit
        return gradual_limit_energy(z, gradual_limit_constants(n, at), x)
    if law == 11:  # exponential_limit
        return exponential_limit_energy(z, exponential_limit_constants(n, at), x)
    return dry_friction_energy(z, dry_friction_constants(n, at), x)


@inlined
def coordinate_slopes(z, law, n, at, x, rate):
    """Slopes of the force of a law on a coordinate."""
    if law == 0:  # coordinate_spring
        return coordinate_spring_slopes(z, coordinate_spring_constants(n, at), x, rate)
    if law == 1:  # limit
        return limit_slopes(z, limit_constants(n, at), x, rate)
    if law == 2:  # damper
        return damper_slopes(z, damper_constants(n, at), x, rate)
    if law == 3:  # constant_force
        return constant_force_slopes(z, constant_force_constants(n, at), x, rate)
    if law == 4:  # soft_limit
        return soft_limit_slopes(z, soft_limit_constants(n, at), x, rate)
    if law == 5:  # gradual_limit
        return gradual_limit_slopes(z, gradual_limit_constants(n, at), x, rate)
    if law == 11:  # exponential_limit
        c, one = exponential_limit_constants(n, at), z + 1.0
        by_x = exponential_limit_force(with_slope(z, z), c, with_slope(x, one), with_slope(rate, z))
        by_rate = exponential_limit_force(with_slope(z, z), c, with_slope(x, z), with_slope(rate, one))
        return slope_part(by_x), slope_part(by_rate)
    c, one = dry_friction_constants(n, at), z + 1.0
    by_x = dry_friction_force(with_slope(z, z), c, with_slope(x, one), with_slope(rate, z))
    by_rate = dry_friction_force(with_slope(z, z), c, with_slope(x, z), with_slope(rate, one))
    return slope_part(by_x), slope_part(by_rate)


@inlined
def line_force(z, law, n, at, length, rate):
    """The force of a law between two points."""
    return spring_force(z, spring_constants(n, at), length, rate)


@inlined
def line_energy(z, law, n, at, length):
    """What a law between two points stores."""
    return spring_energy(z, spring_constants(n, at), length)


@inlined
def line_slopes(z, law, n, at, length, rate):
    """Slopes of the force of a law between two points."""
    return spring_slopes(z, spring_constants(n, at), length, rate)


@inlined
def turns_force(z, law, n, at, turns, shifts, turn_rates, shift_rates):
    """The force of a law between two frames."""
    return bushing_force(z, bushing_constants(n, at), turns, shifts, turn_rates, shift_rates)


@inlined
def turns_energy(z, law, n, at, turns, shifts):
    """What a law between two frames stores."""
    return bushing_energy(z, bushing_constants(n, at), turns, shifts)


@inlined
def gap_force(z, law, n, at, radius, depth, rate, slip):
    """The force of a law between two surfaces."""
    if law == 8:  # hertz
        return hertz_force(z, hertz_constants(n, at), radius, depth, rate, slip)
    if law == 9:  # smooth
        return smooth_force(z, smooth_constants(n, at), radius, depth, rate, slip)
    return hunt_crossley_force(z, hunt_crossley_constants(n, at), radius, depth, rate, slip)


@inlined
def gap_energy(z, law, n, at, radius, depth):
    """What a law between two surfaces stores."""
    if law == 8:  # hertz
        return hertz_energy(z, hertz_constants(n, at), radius, depth)
    if law == 9:  # smooth
        return z
    return hunt_crossley_energy(z, hunt_crossley_constants(n, at), radius, depth)
