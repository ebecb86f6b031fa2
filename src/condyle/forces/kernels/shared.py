"""What several laws use: springs, ends of limits, steps that rise smoothly."""

from ...numeric import inlined, less, select, sqrt
from ...spatial.kernels.algebra import dot3, scale3


@inlined
def direction(z, d):
    """The unit vector along d and the length of d; no direction, and so no force, at zero length."""
    length = sqrt(dot3(d, d))
    return scale3(1.0 / select(less(0.0, length), length, z + 1.0), d), length


@inlined
def elastic_force(stiffness, stretch, damping, rate):
    """The pull of a damped spring that is `stretch` beyond its rest."""
    return stiffness * stretch + damping * rate


@inlined
def stored_energy(stiffness, stretch):
    """What a spring, or a limit that is passed by `stretch`, stores."""
    return 0.5 * stiffness * stretch * stretch


@inlined
def beyond(z, x, low, high):
    """How far x is past its limits: positive above the upper one, negative below the lower one."""
    return select(less(high, x), x - high, select(less(x, low), x - low, z))


@inlined
def limit_force(z, stiffness, past, damping, rate):
    """The push of a limit passed by `past`, of the same sign: never a pull while the coordinate comes back."""
    push = elastic_force(stiffness, past, damping, rate)
    up, down = select(less(push, 0.0), z, push), select(less(0.0, push), z, push)
    return select(less(0.0, past), up, select(less(past, 0.0), down, z))


@inlined
def smooth_step(z, u):
    """10 u³ − 15 u⁴ + 6 u⁵ between 0 and 1; 0 before and 1 after."""
    u = select(less(u, 0.0), z, select(less(1.0, u), z + 1.0, u))
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)


@inlined
def smooth_step_slope(z, u):
    """The slope of `smooth_step`: 30 u² (1 − u)²."""
    u = select(less(u, 0.0), z, select(less(1.0, u), z + 1.0, u))
    return 30.0 * u * u * (1.0 - u) * (1.0 - u)
