"""NumPy's usual idioms in a person's own coordinate have exact derivatives; what has none is named."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_interp_spline

import condyle as cd
from condyle.gallery import planar_chain

C = cd.control
MODEL = planar_chain((0.4, 0.3, 0.2))
Q, V = np.array([0.3, -0.5, 0.7]), np.array([0.8, -0.4, 1.1])
TIP, KNEE = ("link3", (0.2, 0.0, 0.0)), ("link2", (0.0, 0.0, 0.0))
A = np.array([[1.0, 2.0, 0.5], [0.3, -1.0, 0.2], [0.1, 0.4, 2.0]])
w = np.array([0.2, -0.7, 1.3])
CURVE = CubicSpline([-1.0, 0.0, 0.5, 2.0], [0.0, 1.0, -0.5, 0.7])
BSPLINE = make_interp_spline(np.linspace(-1, 1, 9), np.sin(3 * np.linspace(-1, 1, 9)), k=5)


def tip(x):
    return x.point(*TIP)


def knee(x):
    return x.point(*KNEE)


IDIOMS = {
    "matmul": lambda x: tip(x) @ w,
    "matrix": lambda x: (tip(x) @ A.T)[:, 0],
    "rmatmul": lambda x: (A @ tip(x)[:, :, None])[:, 1, 0],
    "dot": lambda x: np.dot(tip(x), w),
    "method dot": lambda x: tip(x).dot(w),
    "einsum": lambda x: np.einsum("si,si->s", tip(x), knee(x)),
    "quadratic einsum": lambda x: np.einsum("si,ij,sj->s", tip(x), A, tip(x)),
    "where": lambda x: np.where(x["link1"] > 0.0, x["link1"] ** 2, -x["link2"]),
    "where else": lambda x: np.where(x["link2"] > 0.0, x["link1"] ** 2, x["link2"] * x["link3"]),
    "maximum": lambda x: np.maximum(x["link1"], x["link2"] ** 2) * x["link3"],
    "minimum": lambda x: np.minimum(x["link1"], 2.0) * x["link3"],
    "clip": lambda x: np.clip(x["link1"], -1.0, 1.0) * x["link2"],
    "clipped": lambda x: np.clip(x["link3"], -0.5, 0.5) * x["link2"],
    "mean": lambda x: np.mean(tip(x), axis=1),
    "method mean": lambda x: tip(x).mean(axis=-1),
    "prod": lambda x: np.prod(np.stack([x["link1"], x["link2"], x["link3"]], axis=1), axis=1),
    "norm": lambda x: np.linalg.norm(tip(x) - knee(x), axis=1),
    "norm 1": lambda x: np.linalg.norm(tip(x)[:, :2], ord=1, axis=-1),
    "norm inf": lambda x: np.linalg.norm(tip(x)[:, :2], np.inf, axis=1),
    "two to the": lambda x: 2.0 ** x["link1"],
    "power": lambda x: np.power(x["link1"], 3),
    "power of both": lambda x: (1.0 + x["link1"]) ** x["link3"],
    "sum": lambda x: np.sum(tip(x) ** 2, axis=1),
    "max": lambda x: np.max(tip(x), axis=1),
    "std": lambda x: np.std(tip(x), axis=1),
    "cross": lambda x: np.cross(tip(x), knee(x))[:, 2],
    "inverse tangent": lambda x: np.arctan2(tip(x)[:, 1], tip(x)[:, 0]),
    "hypot": lambda x: np.hypot(tip(x)[:, 0], tip(x)[:, 1]),
    "abs": lambda x: abs(x["link2"]) * np.abs(x["link3"]),
    "remainder": lambda x: np.mod(3.0 * x["link1"], 0.5),
    "logs": lambda x: np.log1p(x["link1"]) + np.log10(x["link3"]) + np.log2(x["link3"]) + np.expm1(x["link2"]),
    "cube root": lambda x: np.cbrt(x["link2"]),
    "hyperbolic": lambda x: np.arcsinh(x["link1"]) + np.tanh(x["link2"]),
    "degrees": lambda x: np.rad2deg(x["link1"]) + np.deg2rad(x["link2"]),
    "column_stack": lambda x: np.column_stack([x["link1"], x["link2"]]) @ np.array([1.0, -2.0]),
    "diff": lambda x: np.diff(tip(x), axis=1)[:, 0],
    "transpose": lambda x: tip(x).T[0],
    "det": lambda x: np.linalg.det(np.eye(3) + tip(x)[:, :, None] * w),
    "inverse": lambda x: np.linalg.inv(2.0 * np.eye(3) + tip(x)[:, :, None] * w)[:, 0, 1],
    "average": lambda x: np.average(tip(x), axis=1, weights=[1.0, 2.0, 3.0]),
    "scipy cubic": lambda x: C.spline(CURVE, x["link1"]),
    "scipy B-spline": lambda x: C.spline(BSPLINE, x["link2"]) * x["link1"],
}


class Plain:
    """A posture of plain numbers."""

    def __init__(self, q):
        self.q = q

    def __getitem__(self, name):
        return self.q[:, MODEL.q_index(name)]

    def point(self, body, at):
        return cd.forward_kinematics(MODEL, self.q)[:, MODEL.body_index(body)].apply(np.array(at))


@pytest.mark.parametrize("kind", IDIOMS)
def test_an_idiom_has_exact_derivatives(kind, monkeypatch):
    """Oracle: the same function on plain arrays, NumPy's own, differentiated by differences of order 8."""
    f, h = IDIOMS[kind], 2e-3
    space = C.AnimationSpace(MODEL, [C.function(f, name=kind)], powers="keep")
    value, gradient, bias = space.value(Q), space.gradient(Q)[0], space.bias(Q, V)
    monkeypatch.setattr(C, "spline", lambda curve, x: curve(x))
    weights = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
    curved = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])

    def along(v):
        return np.asarray(f(Plain(Q + h * np.arange(-4, 5)[:, None] * v))).reshape(-1)

    assert value[0] == pytest.approx(along(V)[4], abs=1e-14)
    assert gradient == pytest.approx([weights @ along(e) / h for e in np.eye(3)], abs=1e-10 * (1 + np.abs(value[0])))
    assert bias[0] == pytest.approx(curved @ along(V) / h**2, abs=2e-7 * (1 + np.abs(value[0])))


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (lambda x: CURVE(x["link1"]), r"CURVE\(x\[.*cd\.control\.spline\(curve, x\)"),
        (lambda x: np.unwrap(x["link1"]), "unwrap"),
        (lambda x: np.heaviside(x["link1"], 0.5), "heaviside"),
    ],
)
def test_what_cannot_be_differentiated_is_named(f, words):
    """Oracle: the words name the call, and what to write instead where there is something."""
    with pytest.raises(cd.CondyleError, match=words):
        C.AnimationSpace(MODEL, [C.function(f, name="own")]).value(Q)


@pytest.mark.parametrize("a", np.linspace(-1.0, 1.0, 11))
@pytest.mark.parametrize("power", [2, 4])
def test_a_power_is_found_wherever_its_zero_is(a, power):
    """Oracle: the base q − a and its power, written by hand."""
    space = C.AnimationSpace(MODEL, [C.function(lambda x: (x["link2"] - a) ** power, name="fixed")])
    assert space.replaced == {"fixed": power}
    assert space.value(Q) == pytest.approx((Q[1] - a) ** power, abs=1e-12)
    base = C.AnimationSpace(MODEL, [space.powers["fixed"].base])
    for q in (Q, [3.0, -40.0, 1.0], [0.0, 70.0, 0.0]):
        assert base.value(q) == pytest.approx(q[1] - a, abs=1e-12)
    assert base.gradient([0.1, a, 0.2])[0] == pytest.approx([0, 1, 0], abs=1e-12)
