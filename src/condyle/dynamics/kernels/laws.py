"""The laws of springs, limits and dampers, force beside energy, for both engines.

A spring along a line pulls by stiffness · (length − rest) + damping · rate; one on a coordinate pulls back by
stiffness · (x − rest) + damping · rate. A limit pushes back by stiffness · (how far beyond) + damping · rate and never
pulls. Both store ½ stiffness · stretch²; what their dampers take is lost. Forces are for kernels; energies, and what
dampers take, are for arrays of any shape.
"""

import numpy as np

from ...numeric import inlined, less, magnitude, select, sqrt
from ...spatial.kernels.algebra import dot3, scale3


@inlined
def direction(z, d):
    """The unit vector along d and the length of d; no direction, and so no force, at zero length."""
    length = sqrt(dot3(d, d))
    return scale3(1.0 / select(less(0.0, length), length, z + 1.0), d), length


@inlined
def damper_force(damping, rate):
    """What a damper adds to a pull."""
    return damping * rate


@inlined
def elastic_force(stiffness, stretch, damping, rate):
    """The pull of a damped spring that is `stretch` beyond its rest."""
    return stiffness * stretch + damper_force(damping, rate)


# for arrays, not for kernels: powers and NumPy are allowed here
def stored_energy(stiffness, stretch):
    """What a spring, or a limit that is passed by `stretch`, stores."""
    return 0.5 * stiffness * stretch**2


@inlined
def beyond(z, x, low, high):
    """How far x is past its limits: positive above the upper one, negative below the lower one."""
    return select(less(high, x), x - high, select(less(x, low), x - low, z))


# for arrays, not for kernels
def past_ends(x, low, high):
    """`beyond` of arrays."""
    return np.where(x > high, x - high, np.where(x < low, x - low, 0.0))


@inlined
def limit_force(z, stiffness, past, damping, rate):
    """The push of a limit passed by `past`, of the same sign: never a pull while the coordinate comes back."""
    push = elastic_force(stiffness, past, damping, rate)
    up, down = select(less(push, 0.0), z, push), select(less(0.0, push), z, push)
    return select(less(0.0, past), up, select(less(past, 0.0), down, z))


@inlined
def gradual_limit_force(z, constants, x, rate):
    """What a limit whose damping rises in proportion to depth takes, and its slopes by x and by rate; never a pull.

    `constants`: low, high, stiffness, damping, depth from which on the damping is whole.
    """
    low, high, stiffness, damping, depth = constants
    past = beyond(z, x, low, high)
    part = magnitude(past) / depth
    rising = less(part, 1.0)
    c = damping * select(rising, part, z + 1.0)
    push = stiffness * past + c * rate
    steeper = select(rising, select(less(0.0, past), rate, -rate) * (damping / depth), z)
    acts = less(0.0, push * past)
    return select(acts, push, z), select(acts, stiffness + steeper, z), select(acts, c, z)


@inlined
def smooth_step(z, u):
    """10 u³ − 15 u⁴ + 6 u⁵ between 0 and 1, and its slope; 0 before and 1 after."""
    u = select(less(u, 0.0), z, select(less(1.0, u), z + 1.0, u))
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u), 30.0 * u * u * (1.0 - u) * (1.0 - u)


@inlined
def soft_limit_force(z, constants, x, rate):
    """What a limit whose stiffness and damping rise over a transition takes, and its slopes by x and by rate.

    `constants`: low, high, stiffness below, stiffness above, damping, transition.
    """
    low, high, below, above, damping, width = constants
    up, down = x - high, x - low
    s, ds = smooth_step(z, up / width)
    r, dr = smooth_step(z, -down / width)
    force = above * s * up + below * r * down + damping * (s + r) * rate
    by_x = above * (s + ds * up / width) + below * (r - dr * down / width) + damping * (ds - dr) / width * rate
    return force, by_x, damping * (s + r)


# for arrays, not for kernels
def soft_limit_energy(constants, x):
    """What such a limit stores: the integral of stiffness · step · how far beyond."""
    low, high, below, above, _, width = constants
    total = 0.0
    for stiffness, past in ((above, x - high), (below, low - x)):
        u = np.clip(past / width, 0.0, 1.0)
        rising = width**2 * (2.0 * u**5 - 2.5 * u**6 + 6.0 / 7.0 * u**7)
        total = total + stiffness * (rising + np.where(past > width, 0.5 * (past**2 - width**2), 0.0))
    return total


# for arrays, not for kernels
def limit_damper_power(stiffness, past, damping, rate):
    """What the damper of a limit takes, of arrays: the power of its push beyond that of the spring, never positive."""
    stored = stiffness * past
    push = stored + damping * rate
    kept = np.where(past > 0, np.maximum(push, 0.0), np.where(past < 0, np.minimum(push, 0.0), 0.0))
    return -(kept - stored) * rate
