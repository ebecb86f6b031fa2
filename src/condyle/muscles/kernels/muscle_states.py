"""Forces of all muscles, springs and ligaments of a model at given lengths, speeds and activations."""

from ...numeric import (
    entry,
    inlined,
    kernel,
    larger,
    less,
    load,
    pack,
    record,
    release,
    scratch,
    select,
    sqrt,
    store,
    tables,
    unpack,
    width,
)
from ...spatial.kernels.transcendental import clamped, tanh
from ..wraps.kernels.plane_angles import PI
from .law_layout import (
    AT_LEAST_LENGTH,
    BLANKEVOORT,
    DE_GROOTE,
    LAW_SIZE,
    LIGAMENT,
    MCKIBBEN,
    NO_EQUILIBRIUM,
    OUT,
    PATH_ACTUATOR,
    PATH_SPRING,
    RIGID_TENDON,
    SCHUTTE,
    THELEN,
    TOO_SHORT,
    LawRecord,
    M,
    S,
)
from .muscle_curves import active_at, active_force, fiber_speed, own, passive_at, tendon_at
from .spline_curves import spline_at

HALVINGS = 18


@inlined
def law_at(t, i):
    """Law i; the codes begin with the number of laws."""
    return record(LawRecord, t.codes, 1 + i * LAW_SIZE)


@inlined
def muscle_number(t, r, k):
    """A constant that all muscles have."""
    return t.numbers[r.at + k]


@inlined
def is_muscle(r):
    """Whether a law is that of a muscle."""
    return r.law >= THELEN and r.law <= RIGID_TENDON


@inlined
def cosine_at(z, t, r, fiber):
    """The cosine of the pennation angle at a fibre length."""
    s = muscle_number(t, r, M.width) / fiber
    rest = 1.0 - s * s
    return sqrt(select(less(rest, z), z, rest))


@kernel
def held_activation(z, t, r, a):
    """An activation from the least to 1; De Groote and Fregly's as it is."""
    if r.law == DE_GROOTE:
        return a
    return clamped(z, a, muscle_number(t, r, M.least_activation), 1.0)


@kernel
def put(z, out, at, values):
    """Write tendon force, fibre length and speed, active and passive force, cosine and status."""
    for k in range(OUT.size):
        store(z, out, at + k, values[k])


@kernel
def rigid_muscle(z, t, r, length, speed, a, out, at):
    """A muscle whose tendon has its slack length; where the path is too short for it, the fibre is at its least."""
    F, l0, slack = muscle_number(t, r, M.force), muscle_number(t, r, M.fiber), muscle_number(t, r, M.slack)
    width_, least = muscle_number(t, r, M.width), muscle_number(t, r, M.least)
    along = length - slack
    fiber = sqrt(width_ * width_ + along * along)
    short = select(less(along, z), z + 1.0, select(less(fiber, z + least), z + 1.0, z))
    is_short = less(z + 0.5, short)
    fiber = select(is_short, z + least, fiber)
    cosine = cosine_at(z, t, r, fiber)
    v = select(is_short, z, speed * cosine)
    a = held_activation(z, t, r, a)
    scaled = (speed if r.law == RIGID_TENDON else v) / (l0 * muscle_number(t, r, M.speed))  # as OpenSim's class does
    active = active_force(z, t, r, a, active_at(z, t, r, fiber / l0), scaled)
    passive = passive_at(z, t, r, fiber / l0) + muscle_number(t, r, M.damping) * scaled
    total = active + passive
    if r.law != DE_GROOTE:
        total = larger(z, total)
    status = select(is_short, z + TOO_SHORT, z)
    put(z, out, at, (F * total * cosine, fiber, v, F * active, F * passive, cosine, status))


@kernel
def elastic_muscle(z, t, r, length, a, fiber, out, at):
    """A muscle whose fibre has a length of its own: the tendon says the force, and that the fibre's speed."""
    F, l0, slack = muscle_number(t, r, M.force), muscle_number(t, r, M.fiber), muscle_number(t, r, M.slack)
    least = z + muscle_number(t, r, M.least)
    short = less(fiber, least)
    fiber = select(short, least, fiber)
    a = held_activation(z, t, r, a)
    cosine = cosine_at(z, t, r, fiber)
    tension = tendon_at(z, t, r, (length - fiber * cosine) / slack)
    shape, passive = active_at(z, t, r, fiber / l0), passive_at(z, t, r, fiber / l0)
    needed = tension / cosine - passive
    scaled = fiber_speed(z, t, r, a, shape, needed)
    active = active_force(z, t, r, a, shape, scaled)
    v = scaled * l0 * muscle_number(t, r, M.speed)
    stuck = select(less(least + 1e-12, fiber), z, select(less(v, z), z + 1.0, z))
    is_stuck = less(z + 0.5, stuck)
    v = select(is_stuck, z, v)
    active = select(is_stuck, z, active)
    status = select(is_stuck, z + AT_LEAST_LENGTH, z)
    put(z, out, at, (F * tension, fiber, v, F * active, F * passive, cosine, status))


@kernel
def imbalance(z, t, r, length, a, fiber):
    """The fibre's force along the tendon at rest less the tendon's."""
    l0 = muscle_number(t, r, M.fiber)
    cosine = cosine_at(z, t, r, fiber)
    pull = active_force(z, t, r, a, active_at(z, t, r, fiber / l0), z) + passive_at(z, t, r, fiber / l0)
    return pull * cosine - tendon_at(z, t, r, (length - fiber * cosine) / muscle_number(t, r, M.slack))


@kernel
def resting_fiber(z, t, r, length, a):
    """(fibre length, status) at which fibre and tendon are in equilibrium at rest.

    Between the least length and that at which the tendon is slack the imbalance changes its sign: each round halves the
    bracket, then takes two steps by false position with weights (Illinois).
    """
    width_, least = muscle_number(t, r, M.width), z + muscle_number(t, r, M.least)
    a = held_activation(z, t, r, a)
    along = length - muscle_number(t, r, M.slack)
    high = sqrt(width_ * width_ + along * along)
    short = select(less(along, z), z + 1.0, select(less(high, least), z + 1.0, z))
    is_short = less(z + 0.5, short)
    high = select(is_short, least, high)
    low = least
    f_low, f_high = imbalance(z, t, r, length, a, low), imbalance(z, t, r, length, a, high)
    pinned = less(z, f_low)
    for _ in range(HALVINGS):
        x = 0.5 * (low + high)
        f = imbalance(z, t, r, length, a, x)
        low, f_low = select(less(f, z), x, low), select(less(f, z), f, f_low)
        high, f_high = select(less(f, z), high, x), select(less(f, z), f_high, f)
        for _ in range(2):
            gap = f_high - f_low
            x = low - f_low * (high - low) / select(less(gap, z + 1e-300), z + 1e-300, gap)
            x = select(less(x, low), low, select(less(high, x), high, x))
            f = imbalance(z, t, r, length, a, x)
            below = less(f, z)
            f_high = select(below, 0.5 * f_high, f)
            f_low = select(below, f, 0.5 * f_low)
            low, high = select(below, x, low), select(below, high, x)
        f_low, f_high = imbalance(z, t, r, length, a, low), imbalance(z, t, r, length, a, high)
    gap = f_high - f_low
    fiber = low - f_low * (high - low) / select(less(gap, z + 1e-300), z + 1e-300, gap)
    fiber = select(less(fiber, low), low, select(less(high, fiber), high, fiber))
    off = imbalance(z, t, r, length, a, fiber)
    failed = select(less(off * off, z + 1e-20), z, z + NO_EQUILIBRIUM)
    status = select(is_short, z + TOO_SHORT, select(pinned, z + AT_LEAST_LENGTH, failed))
    return select(is_short, least, select(pinned, least, fiber)), status


@kernel
def muscle(z, t, r, given, out, at):
    """A muscle at (length, speed, activation, fibre length, whether the fibre length is given)."""
    length, speed, a, fiber, known = given
    if r.rigid == 1:
        rigid_muscle(z, t, r, length, speed, a, out, at)
        return
    status = z
    if not known:
        fiber, status = resting_fiber(z, t, r, length, a)
    elastic_muscle(z, t, r, length, a, fiber, out, at)
    if not known:
        store(z, out, at + OUT.fiber_speed, z)
        store(z, out, at + OUT.status, status)


@kernel
def ligament(z, t, r, length, speed):
    """Blankevoort's ligament: a quadratic foot, a straight line, and damping that begins over a strain of 0.01."""
    n = t.numbers
    k, slack, foot, damping = n[r.at], n[r.at + 1], n[r.at + 2], n[r.at + 3]
    strain, rate = length / slack - 1.0, speed / slack
    force = select(less(strain, z + foot), 0.5 * k * strain * strain / foot, k * (strain - 0.5 * foot))
    u = clamped(z, strain * 100.0, 0.0, 1.0)
    fade = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
    push = select(less(rate, z), z, damping * rate * fade)
    return select(less(strain, z), z, force + push)


@kernel
def other_force(z, t, r, length, speed, control):
    """The tension of what is no muscle; nothing for a mere path."""
    n = t.numbers
    if r.law == PATH_SPRING:
        stretch = length - n[r.at + 1]
        return n[r.at] * select(less(stretch, z), z, stretch) * (1.0 + n[r.at + 2] * speed)
    if r.law == BLANKEVOORT:
        return ligament(z, t, r, length, speed)
    if r.law == PATH_ACTUATOR:
        return control * n[r.at]
    if r.law == LIGAMENT:
        stretch = length / n[r.at + 1]
        return select(less(z + 1.0, stretch), n[r.at] * spline_at(t, r.passive, stretch), z)
    if r.law == MCKIBBEN:
        turns, thread = n[r.at], n[r.at + 1]
        long = (length - n[r.at + 2]) / thread
        return control * (thread * thread / (4.0 * PI * turns * turns)) * (3.0 * long * long - 1.0)
    return z


@entry
def force_states(z, pair, states, known, start, stop):
    """WRITTEN (count, laws · OUT.size) of states = (LENGTHS, SPEEDS, ACTIVATIONS, FIBERS, WRITTEN).

    FIBERS are read if `known`, else found in equilibrium.
    """
    t = tables(pair)
    LENGTHS, SPEEDS, ACTIVATIONS, FIBERS, WRITTEN = states
    count = t.codes[0]
    length, speed, a, fiber = scratch(z, count), scratch(z, count), scratch(z, count), scratch(z, count)
    out = scratch(z, count * OUT.size)
    for first in range(start, stop, width(z)):
        pack(z, LENGTHS, first, stop, length)
        pack(z, SPEEDS, first, stop, speed)
        pack(z, ACTIVATIONS, first, stop, a)
        pack(z, FIBERS, first, stop, fiber)
        for i in range(count):
            r, at = law_at(t, i), i * OUT.size
            if is_muscle(r):
                given = load(z, length, i), load(z, speed, i), load(z, a, i), load(z, fiber, i), known
                muscle(z, t, r, given, out, at)
            else:
                force = other_force(z, t, r, load(z, length, i), load(z, speed, i), load(z, a, i))
                put(z, out, at, (force, z, z, z, z, z + 1.0, z))
        unpack(z, out, WRITTEN, first, stop)
    release(length, speed, a, fiber, out)


@kernel
def activation_rate(z, t, r, a, u):
    """The rate of an activation a under an excitation u."""
    rise, fall = muscle_number(t, r, M.rise), muscle_number(t, r, M.fall)
    if r.law == DE_GROOTE:
        f, y = 0.5 * tanh(z, 0.1 * (u - a)), 0.5 + 1.5 * a
        return ((0.5 + f) / (rise * y) + (0.5 - f) * y / fall) * (u - a)
    if r.law == SCHUTTE:
        more = own(t, r, S.rise) * select(less(u, a), z, u)
        return (u - a) * (more + own(t, r, S.fall)) / rise
    a = held_activation(z, t, r, a)
    y = 0.5 + 1.5 * a
    return (u - a) * select(less(a, u), 1.0 / (rise * y), y / fall)


@entry
def activation_states(z, pair, states, start, stop):
    """RATES (count, laws) of activations: states = (ACTIVATIONS, EXCITATIONS, RATES); 0 for what is no muscle."""
    t = tables(pair)
    ACTIVATIONS, EXCITATIONS, RATES = states
    count = t.codes[0]
    a, u, rates = scratch(z, count), scratch(z, count), scratch(z, count)
    for first in range(start, stop, width(z)):
        pack(z, ACTIVATIONS, first, stop, a)
        pack(z, EXCITATIONS, first, stop, u)
        for i in range(count):
            r = law_at(t, i)
            rate = z
            if is_muscle(r):
                rate = activation_rate(z, t, r, load(z, a, i), load(z, u, i))
            store(z, rates, i, rate)
        unpack(z, rates, RATES, first, stop)
    release(a, u, rates)
