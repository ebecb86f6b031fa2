"""One joint of every kind, for tests that run over all of them: those of the registry in `twins`, and some more."""

from collections.abc import Iterator, Mapping
from functools import cache, partial

import numpy as np
from scipy.linalg import expm

import twins.kinds
from condyle import joints
from condyle.joints import functions as fn
from support.reference import hat

OTHER_NAMES = {  # public names of `condyle.joints` that make no joint
    "ContactPath",
    "Curve",
    "Joint",
    "Mesh",
    "RankReport",
    "ScrewAxes",
    "Surface",
    "check",
    "conjugate_surface",
    "contact_path",
    "design_frames",
    "functions",
    "redesigned",
    "screw_axes",
}
CONSTRUCTORS = set(joints.__all__) - OTHER_NAMES


def chain(twists, start=None):
    """Frames G_j = G_{j-1} exp(ẑ_j), by scipy."""
    frames = [np.eye(4) if start is None else start]
    for z in twists:
        frames.append(frames[-1] @ expm(hat(z)))
    return np.array(frames)


def random_frames(count, seed=0, size=0.5):
    """A random walk of poses."""
    return chain(np.random.default_rng(seed).normal(size=(count - 1, 6)) * size)


def surface(seed=1, shape=(5, 6), **options):
    """A random spline surface well away from Euler singularities."""
    controls = 0.4 * np.random.default_rng(seed).normal(size=(*shape, 6))
    return joints.spline_surface(controls, (None,) * len(shape), **options)


def callable_joint():
    """A user's function of two coordinates, another of one, a sum and a product."""
    pull = fn.from_callable(lambda x, y: np.sin(x) * np.cosh(y) + x, ((-1, 1), (-1, 2)), (0, 1))
    turn = fn.from_callable(np.tanh, (-2, 2), (1,))
    twists = np.random.default_rng(4).normal(size=(3, 6))
    mixed = fn.polynomial([0.1, 0.5, -0.2], 0) * fn.polynomial([0, 1, 0.3], 1)
    return joints.product(twists, [pull, fn.linear(1, 0.5, 0.2) + turn, mixed], coordinates=("pull", "turn"))


def bounded_yoke():
    """A slide by a cosine, inside the domain that leaves out the places where it stands still; refused beyond."""
    drive = fn.from_callable(np.cos, (0.3, 2.8))
    return joints.product([(0, 0, 0, 1, 0, 0)], [drive], coordinates=("angle",), outside="error")


# what the twins do not have: a joint that refuses what is beyond its domain, no coordinate, default and repeated knots,
# a user's functions, a composition
OTHERS = {
    "yoke": bounded_yoke,
    "weld": lambda: joints.weld(random_frames(2)[1]),
    "surface": surface,
    "uneven curve": lambda: joints.spline_curve(random_frames(6), knots=[0, 0, 0, 0, 0.3, 1.9, 2.5, 2.5, 2.5, 2.5]),
    "callable": callable_joint,
    "floating arm": lambda: joints.compose(joints.free(), joints.elliptic(1, 2), joints.ball(), joints.revolute("z")),
}


def first_of(make):
    """The joint of a kind of the registry, by its first random numbers."""
    return make(np.random.default_rng(0)).joint


class Samples(Mapping):
    """Joints by name, each made when it is first asked for: two curves in contact need kernels, collecting does not."""

    def __init__(self, makers):
        self._makers = {name: cache(make) for name, make in makers.items()}

    def __getitem__(self, name):
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self):
        return len(self._makers)


SAMPLES = Samples({name: partial(first_of, make) for name, make in twins.kinds.KINDS.items()} | OTHERS)
QUATERNIONS = {"ball", "free", "floating arm"}  # more numbers than velocities
NUMBERS = [name for name in SAMPLES if name not in QUATERNIONS]


def random_q(joint, rng, beyond=0.0):
    """A random q in the domain (±2 where it has none), `beyond` of its width outside; quaternions are unit.

    A joint that refuses what is beyond its domain gets no such number.
    """
    blocks, beyond = [], 0.0 if joint.outside == "error" else beyond
    for c, (low, high) in enumerate(joint.domain):
        width = joint.widths[c][0]
        if width == 1:
            low, high = (-2.0, 2.0) if not np.isfinite(low) else (low, high)
            extra = beyond * (high - low)
            blocks.append(rng.uniform(low - extra, high + extra, 1))
        else:
            numbers = rng.normal(size=width)
            numbers[:4] /= np.linalg.norm(numbers[:4])
            blocks.append(numbers)
    return np.concatenate(blocks) if blocks else np.zeros(0)
