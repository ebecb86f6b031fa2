"""The step of a golden section: where to look next, and what is left to search."""

from ...numeric import inlined

GOLDEN = 0.6180339887498949


@inlined
def golden_point(low, best, high):
    """Where to look next: in the wider part beside the best place."""
    if best - low > high - best:
        return best - (1.0 - GOLDEN) * (best - low)
    return best + (1.0 - GOLDEN) * (high - best)


@inlined
def golden_part(low, best, high, at, better):
    """What is left to search after a look at a place, which was better than the best or not."""
    if better:
        return (low, best) if at < best else (best, high)
    return (at, high) if at < best else (low, at)
