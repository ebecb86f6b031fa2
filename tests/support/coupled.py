"""Models whose coordinates follow others, and the reduced equations of motion that a coupling leads to.

With q = γ(y): v = G ẏ, a = G ÿ + g, and (Gᵀ M G) ÿ = Gᵀ (τ − h − M g), M and h those of the model in which the
coordinates are independent.
"""

from dataclasses import replace

import numpy as np

import condyle as cd

F = cd.functions


def inertia(rng):
    """A body of about a kilogram and some centimetres, away from its origin."""
    A = rng.normal(size=(3, 3))
    B = 0.02 * A @ A.T
    return cd.Inertia(rng.uniform(0.5, 2.0), 0.2 * rng.normal(size=3), np.trace(B) * np.eye(3) - B)


def pose(rng):
    return cd.SE3.exp(0.5 * rng.normal(size=6))


def turn_and_shift(name, bend):
    """A joint of one coordinate that turns about z and shifts along x by a parabola."""
    along = [(0, 0, 1, 0, 0, 0), (0, 0, 0, 1, 0.3, 0)]
    return cd.joints.product(along, [F.linear(), F.polynomial([0.1, 0.2, bend])], coordinates=(name,))


def pair(first, second):
    along = [(1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1)]
    functions = [F.linear(0), F.linear(1), F.polynomial([0.0, 0.1, 0.3])]
    return cd.joints.product(along, functions, coordinates=(first, second))


TREE = (  # body, parent, joint
    ("pelvis", None, lambda: pair("tilt", "list")),
    ("femur", "pelvis", lambda: pair("hip", "twist")),
    ("tibia", "femur", lambda: turn_and_shift("knee", 0.3)),
    ("patella", "femur", lambda: turn_and_shift("beta", 0.1)),
    ("talus", "tibia", lambda: pair("ankle", "roll")),
    ("toes", "talus", lambda: cd.joints.revolute("z").renamed("mtp")),
    ("other", "pelvis", lambda: turn_and_shift("swing", 0.2)),
    ("hand", "other", lambda: cd.joints.ball()),
)

QUADRATIC = F.polynomial([0.1, 0.3, 0.4])
WAVE = F.sinusoid(0.4, 1.3, 0.2)
SPLINE = F.spline(None, [0.0, 0.3, -0.2, 0.5, 0.1, 0.4], order=5)

CASES = {  # (follower, driver, function), …
    "siblings": [("beta", "knee", QUADRATIC)],
    "a chain of bodies": [("ankle", "knee", SPLINE)],
    "two joints up": [("ankle", "hip", QUADRATIC)],
    "a driver further out": [("hip", "mtp", WAVE)],
    "one joint": [("roll", "ankle", QUADRATIC)],
    "followers of followers": [("mtp", "beta", WAVE), ("beta", "knee", QUADRATIC), ("roll", "mtp", QUADRATIC)],
    "clusters that meet": [("ankle", "hip", QUADRATIC), ("mtp", "knee", WAVE), ("beta", "twist", QUADRATIC)],
    "clusters in clusters": [("beta", "knee", QUADRATIC), ("mtp", "ankle", WAVE), ("swing", "tilt", QUADRATIC)],
    "a cluster at the world": [("swing", "tilt", WAVE), ("knee", "list", QUADRATIC)],
    "a constant": [("beta", "knee", F.constant(0.3)), ("mtp", "beta", QUADRATIC)],
}


def built(couplers=(), fold=True, prescribed=(), loads=False):
    """The tree with couplers, folded or as constraints."""
    rng = np.random.default_rng(7)
    b = cd.ModelBuilder()
    for name, parent, joint in TREE:
        b.add_body(name, parent, joint(), inertia(rng), pose(rng), pose(rng))
    for coordinate in prescribed:
        b.prescribe(coordinate, 0.2, rate=0.7)
    if loads:
        for follower, driver, _ in couplers:
            b.add_stiffness(follower, 5.0, 0.2, 0.4).add_damping(driver, 0.3).add_limit(
                follower, -0.1, 0.1, stiffness=9.0, damping=0.5
            )
        b.add_spring("toes", (0.1, 0, 0), "other", (0, 0.1, 0), stiffness=30.0, damping=2.0, length=0.2)
    for follower, driver, function in couplers:
        if fold:
            b.add_coupler(follower, driver, function)
        else:
            b.add_constraint(cd.constraints.couple(follower, driver, function))
    return b.build()


def random_states(model, count, seed=1):
    """(q, v, tau) of a model."""
    rng = np.random.default_rng(seed)
    q = cd.integrate(model, model.neutral(), 0.6 * rng.normal(size=(count, model.nv)))
    return q, rng.normal(size=(count, model.nv)), rng.normal(size=(count, model.nv))


def free_of_couplers(model):
    """The model in which all coordinates are independent."""
    return replace(model.unfolded(), constraints=())


def expanded(model, couplers, q, v):
    """(q, v, G, g) of the model in which all coordinates are independent, by the written functions."""
    whole = free_of_couplers(model)
    Q, V = np.zeros((len(q), whole.nq)), np.zeros((len(q), whole.nv))
    G, g = np.zeros((len(q), whole.nv, model.nv)), np.zeros((len(q), whole.nv))
    for name in model.coordinates:
        (_, a, b), (_, c, d) = model.place_of(name), whole.place_of(name)
        n, m = (4, 3) if name == "hand" else (1, 1)
        Q[:, c : c + n] = q[:, a : a + n]
        G[:, range(d, d + m), range(b, b + m)] = 1.0
    left = list(couplers)
    while left:  # each after what it follows
        driven = {f for f, _, _ in left}
        name, driver, f = next(c for c in left if c[1] not in driven)
        (_, c, d), (_, e, k) = whole.place_of(name), whole.place_of(driver)
        x, speed = Q[:, e], np.einsum("nj,nj->n", G[:, k], v)
        value, slope, bend = _jet(f, x)
        Q[:, c], G[:, d], g[:, d] = value, slope[:, None] * G[:, k], slope * g[:, k] + bend * speed**2
        left.remove((name, driver, f))
    V = np.einsum("nij,nj->ni", G, v)
    return Q, V, G, g


def _jet(f, x):
    if not f.coordinates:
        return np.full_like(x, f()), np.zeros_like(x), np.zeros_like(x)
    return f(x), f.derivative(x), f.derivative(x, order=2)


def reduced_accelerations(model, couplers, q, v, tau):
    """ÿ by dense matrices of the model with independent coordinates."""
    whole = free_of_couplers(model)
    Q, V, G, g = expanded(model, couplers, q, v)
    M, h = cd.mass_matrix(whole, Q), cd.inverse_dynamics(whole, Q, V, np.zeros_like(V))
    right = tau - np.einsum("nij,ni->nj", G, h + np.einsum("nij,nj->ni", M, g))
    return np.linalg.solve(np.einsum("nki,nkl,nlj->nij", G, M, G), right[..., None])[..., 0]
