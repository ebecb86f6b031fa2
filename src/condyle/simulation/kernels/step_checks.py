"""What every step is checked for: speeds that are no longer credible, coordinates outside domains that refuse it."""

from ...model.kernels.records import body_at, header
from ...model.kernels.status import BLOWN_UP, FASTEST, KINDS, LEFT_DOMAIN
from ...numeric import any_lane, inlined, kernel, less, load, magnitude, seldom, select

LARGEST = 1e300  # what is not finite counts as this


@inlined
def largest(z, size, mark, most, found):
    """The larger of a size and the most so far, and the mark of that one; what is not finite counts as LARGEST."""
    size = select(less(size, LARGEST), size, z + LARGEST)
    larger = less(most, size)
    return select(larger, size, most), select(larger, z + mark, found)


@seldom
def name_fastest(z, t, v, status):
    """The status with the body whose joint has the largest speed, if that is no longer credible."""
    most, found = z, z
    for i in range(header(t).bodies):
        b = body_at(t, i)
        for k in range(b.v0, b.v0 + b.nv):
            most, found = largest(z, magnitude(load(z, v, k)), BLOWN_UP + KINDS * i, most, found)
    now = select(less(most, FASTEST), z, found)
    return select(less(status, 0.5), now, status)


@kernel
def check_speeds(z, t, v, status):
    """The status, with a body if any of the speeds is no longer credible."""
    slow = z + 1.0
    for k in range(header(t).nv):
        slow = select(less(magnitude(load(z, v, k)), FASTEST), slow, z)
    return name_fastest(z, t, v, status) if any_lane(less(slow, 0.5)) else status


@kernel
def check_domains(z, domains, q, status):
    """The status, with the index in q of the first coordinate outside its domain [low, high], a row of `domains`."""
    for i in range(domains.shape[0]):
        x, at = load(z, q, int(domains[i, 0])), domains[i, 0]
        inside = select(less(x, domains[i, 1]), z, select(less(domains[i, 2], x), z, z + 1.0))
        now = select(less(inside, 0.5), z + (LEFT_DOMAIN + KINDS * at), z)
        status = select(less(status, 0.5), now, status)
    return status


@kernel
def check_step(z, t, domains, q, v, status):
    """The status of a state at the end of a step."""
    return check_domains(z, domains, q, check_speeds(z, t, v, status))
