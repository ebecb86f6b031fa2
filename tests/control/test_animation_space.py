"""Values, gradients and Hessians of coordinates."""

import math

import mpmath as mp
import numpy as np
import pytest

import condyle as cd
from support.animation_joints import PLACES, RATES
from support.thinning import slow_but
from twins.trees import twin

C = cd.control
TREE = (("revolute", -1), ("ball", 0), ("spline_curve", 1), ("spline_surface", 1), ("revolute", 2))


@pytest.fixture(scope="module")
def scene():
    rng = np.random.default_rng(3)
    made = twin(TREE, rng)
    q, v = made.state(rng)
    return made.model, made.tree, q, v


def moved(terms, s):
    """Poses and rates at a small time s from the oracle's series: right to second order, so the derivatives are too."""
    T = [mp.matrix(c[0]) + mp.matrix(c[1]) * s + mp.matrix(c[2]) * s**2 for c in terms]
    return T, [mp.matrix(c[1]) + 2 * mp.matrix(c[2]) * s for c in terms]


def derivative(f, order):
    """Time derivative at 0 of a list of rows, by differences of 60-digit numbers."""
    with mp.workdps(60):
        h = mp.mpf(10) ** -20
        low, here, high = f(-h), f(mp.mpf(0)), f(h)
        if order == 1:
            return np.array([float((b - a) / (2 * h)) for a, b in zip(low, high, strict=True)])
        return np.array([float((a - 2 * x + b) / h**2) for a, x, b in zip(low, here, high, strict=True)])


@pytest.mark.parametrize("kind", slow_but(["point", "orientation", "own function"], PLACES))
def test_value_gradient_and_hessian_are_those_of_the_meaning(kind, scene):
    """Oracle: the meaning on series of poses made with expm, differentiated with 60 digits."""
    model, tree, q, v = scene
    coordinate, meaning = PLACES[kind]
    space = C.AnimationSpace(model, [coordinate])

    def path(u):
        terms = tree.motion(q, u, 2)
        return lambda s: meaning(moved(terms, s)[0], tree)

    assert space.value(q) == pytest.approx(np.array(path(v)(mp.mpf(0)), dtype=float), abs=1e-12)
    assert space.rate(q, v) == pytest.approx(derivative(path(v), 1), abs=1e-10)
    assert space.bias(q, v) == pytest.approx(derivative(path(v), 2), abs=1e-10)
    for k in (0, 2, 4, 6):
        e = np.eye(model.nv)[k]
        assert space.gradient(q)[:, k] == pytest.approx(derivative(path(e), 1), abs=1e-10)
        assert space.hessian(q)[:, k, k] == pytest.approx(derivative(path(e), 2), abs=1e-10)


@pytest.mark.parametrize("kind", RATES)
def test_rates_without_values_are_those_of_the_meaning(kind, scene):
    """Oracle: the meaning on series of poses and their rates made with expm."""
    model, tree, q, v = scene
    coordinate, meaning = RATES[kind]
    space, terms = C.AnimationSpace(model, [coordinate]), tree.motion(q, v, 2)
    expected = np.array(meaning(*moved(terms, mp.mpf(0)), tree), dtype=float)
    assert not space.has_value.any()
    assert space.rate(q, v) == pytest.approx(expected, abs=1e-10)
    assert space.bias(q, v) == pytest.approx(derivative(lambda s: meaning(*moved(terms, s), tree), 1), abs=1e-10)


def test_hessian_gives_the_fast_product(scene):
    """Oracle: the report's tensor against the fast form, for all kinds in one space."""
    model, _, q, v = scene
    space = C.AnimationSpace(model, [PLACES[k][0] for k in ("point", "distance", "orientation", "own function")])
    assert np.einsum("ijk,j,k->i", space.hessian(q), v, v) == pytest.approx(space.bias(q, v), abs=1e-11)
    assert space.hessian(q) @ v == pytest.approx(space.gradient_rate(q, v), abs=1e-11)


@pytest.mark.parametrize("kind", slow_but(["distance", "angle", "signed angle"], PLACES))
def test_the_whole_hessian_is_that_of_the_meaning(kind, scene):
    """Oracle: v'Hv in random directions with 60 digits; what is not symmetric is the bracket of a ball's turns."""
    model, tree, q, _ = scene
    coordinate, meaning = PLACES[kind]
    space = C.AnimationSpace(model, [coordinate])
    H, G, ball = space.hessian(q), space.gradient(q), model.v_index("b1")
    for v in np.random.default_rng(1).normal(size=(4, model.nv)):
        terms = tree.motion(q, v, 2)
        expected = derivative(lambda s, terms=terms: meaning(moved(terms, s)[0], tree), 2)
        assert np.einsum("ijk,j,k->i", H, v, v) == pytest.approx(expected, abs=1e-9)
    skew = np.zeros_like(H)
    for j, k, i in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        skew[:, ball + j, ball + k], skew[:, ball + k, ball + j] = -G[:, ball + i], G[:, ball + i]
    assert H - np.swapaxes(H, 1, 2) == pytest.approx(skew, abs=1e-10)


def test_joint_coordinates_and_their_differences_are_linear(scene):
    """Oracle: by hand: G is a unit row, H is zero, the target's time terms are those of the keyframes."""
    model, _, q, v = scene
    path = C.keyframes([0.0, 1.0], [0.2, 0.9])
    space = C.AnimationSpace(model, [C.joint("b4"), C.joint("b0", path, name="led")])
    x, rate, acceleration = path.motion(0.3)
    assert space.value(q, 0.3) == pytest.approx([q[model.q_index("b4")], q[0] - x[0]], abs=1e-15)
    assert space.gradient(q, 0.3) == pytest.approx(np.eye(model.nv)[[model.v_index("b4"), 0]], abs=0)
    assert np.abs(space.hessian(q, 0.3)).max() < 1e-15
    assert space.rate(q, v, 0.3)[1] == pytest.approx(v[0] - rate[0], abs=1e-14)
    assert space.bias(q, v, 0.3) == pytest.approx([0.0, -acceleration[0]], abs=1e-12)


def test_a_moving_target_has_time_terms(scene):
    """Oracle: d/dt and d²/dt² of sin and of a polynomial, by hand."""
    model, _, q, v = scene
    k = model.v_index("b0")
    space = C.AnimationSpace(model, [C.joint("b0", lambda t: np.sin(3 * t) + t**2)])
    assert space.time_slope(q, 0.4) == pytest.approx(-3 * np.cos(1.2) - 0.8)
    assert space.rate(q, v, 0.4) == pytest.approx(v[k] - 3 * np.cos(1.2) - 0.8)
    assert space.bias(q, v, 0.4) == pytest.approx(9 * np.sin(1.2) - 2, abs=1e-12)


def test_a_batch_is_its_members(scene):
    """Oracle: one state at a time."""
    model, _, q, v = scene
    space = C.AnimationSpace(model, [C.point("b4"), C.orientation("b3"), C.joint("b0", np.sin)])
    many = np.stack([cd.integrate(model, q, 0.1 * k * v) for k in range(6)]).reshape(2, 3, -1)
    times = np.arange(6.0).reshape(2, 3)
    for f in (space.rate, space.bias):
        out = f(many, v, times)
        assert out.shape == (2, 3, 7)
        assert out[1, 2] == pytest.approx(f(many[1, 2], v, 5.0), abs=1e-12)
    assert space.hessian(many, times)[0, 1] == pytest.approx(space.hessian(many[0, 1], 1.0), abs=1e-12)


def test_your_own_derivatives_are_used(scene):
    """Oracle: the same function without derivatives given."""
    model, _, q, v = scene
    k, n = model.v_index("b0"), model.nv
    given = C.function(
        lambda q, t: np.sin(q[:, 0]),
        gradient=lambda q, t: np.cos(q[:, :1])[..., None] * np.eye(n)[k],
        hessian=lambda q, t: -np.sin(q[:, :1])[..., None, None] * np.outer(np.eye(n)[k], np.eye(n)[k]),
    )
    own, auto = (C.AnimationSpace(model, [c]) for c in (given, C.function(lambda x: np.sin(x["b0"]))))
    assert own.value(q) == pytest.approx(auto.value(q), abs=1e-15)
    assert own.gradient(q) == pytest.approx(auto.gradient(q), abs=1e-15)
    assert own.bias(q, v) == pytest.approx(auto.bias(q, v), abs=1e-15)


@pytest.mark.parametrize("power", [2, 3, 4])
def test_a_power_of_a_joint_is_held_by_its_base(power, scene):
    """Oracle: the base, written by hand; its gradient does not vanish where that of the power does."""
    model, _, q, v = scene
    coordinate = C.function(lambda x: (x["b0"] - 2 * x["b4"] - np.sin(x.t)) ** power, name="fixed")
    space = C.AnimationSpace(model, [coordinate])
    assert space.replaced == {"fixed": power}
    base = q[0] - 2 * q[model.q_index("b4")] - np.sin(0.4)
    assert space.value(q, 0.4) == pytest.approx(base**power, rel=1e-13)
    found = C.AnimationSpace(model, [space.powers["fixed"].base])
    assert found.value(q, 0.4) == pytest.approx(base, abs=1e-13)
    assert found.bias(q, v, 0.4) == pytest.approx(np.sin(0.4), abs=1e-12)
    q = q.copy()
    q[0] -= base
    assert np.linalg.norm(found.gradient(q, 0.4)) == pytest.approx(np.sqrt(5), abs=1e-13)
    moved = C.resolve_velocity(space, q, [0.0], 0.4).motion  # of the least size with v0 − 2 v4 = cos t
    assert moved[[0, model.v_index("b4")]] == pytest.approx(np.array([1.0, -2.0]) * np.cos(0.4) / 5.0, abs=1e-12)
    kept = C.AnimationSpace(model, [coordinate], powers="keep")
    assert np.abs(kept.gradient(q, 0.4)).max() < 1e-12 and not kept.replaced


def test_what_is_not_a_power_stays(scene):
    """Oracle: a distance, a product of two joints and a square plus one have no joint-linear base."""
    model, _, _, _ = scene
    own = {
        "product": lambda x: x["b0"] * x["b4"],
        "more": lambda x: x["b0"] ** 2 + 1,
        "wave": lambda x: np.sin(x["b0"]),
        "exponential": lambda x: np.exp(x["b0"]),
    }
    space = C.AnimationSpace(model, [C.distance("b4", (0, 0, 0), None, (0, 0, 0)), C.joint("b0")])
    assert not space.replaced
    assert not C.AnimationSpace(model, [C.function(f, name=name) for name, f in own.items()]).replaced


def test_bad_coordinates_get_words(scene):
    """Oracle: the words."""
    model, _, q, _ = scene
    words = {
        r"'bad': its value is not finite in state 0": lambda x: np.log(x["b0"] * 0.0 - 1.0),
        r"'bad' must have shape \(1, 1\); got \(1, 3\)": lambda x: x.point("b4"),
        r"'bad' must be computed from the posture with numpy's functions": lambda x: np.zeros(1),
        r"'bad' must be written with numpy's functions \(np.cos, not math.cos\)": lambda x: math.cos(x["b0"]),
    }
    for message, f in words.items():
        with np.errstate(invalid="ignore"), pytest.raises(cd.CondyleError, match=message):
            C.AnimationSpace(model, [C.function(f, name="bad")]).value(q)
    with pytest.raises(cd.CondyleError, match=r"9 coordinates .* are more than the model's 8 freedoms; drop 1"):
        C.AnimationSpace(model, [C.point(f"b{k}") for k in (2, 3, 4)])
    with pytest.raises(cd.CondyleError, match=r"no coordinate named 'b4.poin' .* Did you mean 'b4.point'"):
        C.AnimationSpace(model, [C.point("b4")]).rows("b4.poin")
    with pytest.raises(cd.CondyleError, match="names of coordinates must differ"):
        C.AnimationSpace(model, [C.point("b4"), C.point("b4")])
    with pytest.raises(cd.CondyleError, match="'b1' is a quaternion; use orientation"):
        C.AnimationSpace(model, [C.joint("b1")]).value(q)
    with pytest.raises(cd.CondyleError, match=r"axes must be letters of 'xyz', each once; got axes = 'xx'"):
        C.point("b4", axes="xx")
    with pytest.raises(cd.CondyleError, match="give the hessian beside the gradient"):
        C.function(np.sin, gradient=np.sin)


def test_bad_derivatives_of_your_own_get_words(scene):
    """Oracle: the words: which of the three, the shape it should have, and what is not finite."""
    model, _, q, v = scene
    n = model.nv
    good = {
        "f": lambda q, t: q[:, 0],
        "gradient": lambda q, t: np.tile(np.eye(n)[0], (len(q), 1, 1)),
        "hessian": lambda q, t: np.zeros((len(q), 1, n, n)),
    }
    for which, wrong, words in (
        ("f", lambda q, t: q, r"'own': the function must have shape \(1, 1\)"),
        ("gradient", lambda q, t: np.zeros((len(q), 1, 2)), r"'own': the gradient must have shape \(1, 1, 8\)"),
        ("hessian", lambda q, t: np.zeros((len(q), 1, 2)), r"'own': the hessian must have shape \(1, 1, 8, 8\)"),
        ("f", lambda q, t: np.nan * q[:, 0], r"'own': the function is not finite in state 0"),
        ("gradient", lambda q, t: np.full((len(q), 1, n), np.inf), r"'own': the gradient is not finite in state 0"),
        ("hessian", lambda q, t: np.full((len(q), 1, n, n), np.nan), r"'own': the hessian is not finite in state 0"),
    ):
        given = {**good, which: wrong}
        coordinate = C.function(given["f"], gradient=given["gradient"], hessian=given["hessian"], name="own")
        with pytest.raises(cd.CondyleError, match=words):
            C.AnimationSpace(model, [coordinate], powers="keep").bias(q, v)
