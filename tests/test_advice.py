"""What is not supported names a way that works: each is refused, and then done as the words say."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

import condyle as cd
from condyle import control as C
from condyle.errors import NotSupported
from condyle.skeleton import from_model, maximal_accelerations

ROD = cd.Inertia(1.0, (0, 0, -0.2), 0.02 * np.eye(3))
LONG = {"duration": 0.02, "step": 0.01}
HANGING = cd.SE3.from_translation([0, 0, -0.4])
TIMES = np.linspace(0.0, 1.0, 6)


def chain(first=None, more=lambda b: b):
    """Three rods on hinges, or the first of them on another joint."""
    b = cd.ModelBuilder()
    for k in range(3):
        joint = first if first is not None and k == 0 else cd.joints.revolute("y", name=f"q{k}")
        b.add_body(f"rod{k}", f"rod{k - 1}" if k else None, joint, ROD, placement=HANGING if k else None)
    return more(b).build()


def tied(b, folded=False):
    return b.add_coupler("q1", "q0") if folded else b.add_constraint(cd.constraints.couple("q1", "q0"))


PLAIN = chain()
FOLLOWING = chain(more=lambda b: b.add_coupler("q1", "q0"))
TIED = FOLLOWING.unfolded()
LED = chain(more=lambda b: b.prescribe("q0", 0.2))
BENT = np.array([0.3, 0.4, 0.5])
BALL = chain(cd.joints.ball())
MUSCLED = chain(
    more=lambda b: b.add_muscle(
        "pull", [(None, (0.1, 0, 0)), ("rod0", (0, 0, -0.2))], ignore_tendon_compliance=1, tendon_slack_length=0.1
    )
)


def derivatives(model, q):
    """Both derivatives that the words name, by finite differences."""
    v, h = np.full(model.nv, 0.3), 1e-6
    found = cd.inverse_dynamics_derivatives(model, q, v, v)
    slope = (cd.inverse_dynamics(model, q, v, v + h) - cd.inverse_dynamics(model, q, v, v - h)) / (2 * h)
    np.testing.assert_allclose(found.da.sum(axis=1), slope, rtol=1e-6, atol=1e-8)
    cd.linearize(model, q, v)


def ended(model, **options):
    """A run to its end."""
    assert cd.simulate(model, model.neutral(), **LONG, **options).stopped is None


def tip(model, **options):
    return C.AnimationSpace(model, [C.point("rod2", (0, 0, -0.4), axes="xz", name="tip")], **options)


def vjp(model, **options):
    rows = np.ones((3, model.nq)), np.ones((3, model.nv))
    cd.simulate_vjp(model, model.neutral(), np.zeros(model.nv), cotangent=rows, **LONG, **options)


def motion(model):
    q = np.linspace(0, 1, 40)[:, None] * np.full(model.nv, 0.3)
    return cd.MeasuredMotion(np.linspace(0, 1, 40), q, np.ones((40, model.nv)), sigma={"torques": 1.0})


def saved(folder, model, **options):
    cd.save(model, folder / "model.toml", **options)


@dataclass
class Advice:
    """A call that is refused, a part of the words, and what they say to do instead."""

    refused: Callable
    words: str
    way: Callable


def wave(t):
    return 0.2 * np.sin(t)


def sampled(b):
    t = np.linspace(0, 2, 201)
    return b.prescribe("rod0", (t, wave(t)))


STILL = np.zeros(3)
CASES = {
    "followers in simulate_vjp": Advice(
        lambda f: vjp(FOLLOWING), "linearize.*inverse_dynamics_derivatives", lambda f: derivatives(FOLLOWING, BENT[:2])
    ),
    "followers in identify": Advice(
        lambda f: cd.identify(FOLLOWING, {"a": np.zeros((4, 3))}, np.zeros((4, 2)), unknown=["rod0.mass"]),
        "linearize.*inverse_dynamics_derivatives",
        lambda f: derivatives(FOLLOWING, BENT[:2]),
    ),
    "followers in identify_dynamics": Advice(
        lambda f: cd.identify_dynamics(FOLLOWING, motion(FOLLOWING), unknown=["rod0.mass"]),
        "linearize.*inverse_dynamics_derivatives",
        lambda f: derivatives(FOLLOWING, BENT[:2]),
    ),
    "a coupler whose coordinate leads another": Advice(
        lambda f: chain(more=lambda b: tied(b.add_constraint(cd.constraints.couple("q2", "q1")), folded=True)),
        r"^(?!.*because).*add_constraint\(cd\.constraints\.couple",
        lambda f: ended(chain(more=lambda b: tied(b.add_constraint(cd.constraints.couple("q2", "q1"))))),
    ),
    "couplings in optimize": Advice(
        lambda f: C.optimize(TIED, TIED.neutral(), TIED.neutral(), duration=0.5, intervals=4),
        "fold couplings",
        lambda f: C.optimize(TIED.folded(), [0.0, 0.0], [0.1, 0.0], duration=0.5, intervals=4),
    ),
    "an Evaluator": Advice(
        lambda f: cd.Evaluator(TIED), "cd.forward_dynamics", lambda f: cd.forward_dynamics(TIED, STILL, STILL, STILL)
    ),
    "resolved torques": Advice(
        lambda f: C.resolve_torque(tip(LED), BENT, STILL, np.zeros(2)),
        "resolve_acceleration",
        lambda f: C.resolve_acceleration(tip(LED), BENT, STILL, np.zeros(2)),
    ),
    "prescribed coordinates in a skeleton": Advice(
        lambda f: from_model(LED), "cd.simulate", lambda f: ended(LED)
    ),
    "muscles in a skeleton": Advice(
        lambda f: from_model(MUSCLED), r"model\.without_muscles\(\)", lambda f: from_model(MUSCLED.without_muscles())
    ),
    "muscles in a skeleton, simulated": Advice(
        lambda f: from_model(MUSCLED), "excitations=", lambda f: ended(MUSCLED, excitations=[0.1])
    ),
    "armature in a skeleton": Advice(
        lambda f: from_model(chain(more=lambda b: b.set_armature("q1", 0.1))),
        "cd.simulate",
        lambda f: ended(chain(more=lambda b: b.set_armature("q1", 0.1))),
    ),
    "maximal coordinates": Advice(
        lambda f: maximal_accelerations(TIED, STILL, STILL), "cd.forward_dynamics",
        lambda f: cd.forward_dynamics(TIED, STILL, STILL, STILL),
    ),
    "the variational integrator": Advice(
        lambda f: ended(TIED, integrator="variational"), "use rk4 or adaptive",
        lambda f: [ended(TIED, integrator=i) for i in ("rk4", "adaptive")],
    ),
    "control at stages": Advice(
        lambda f: ended(TIED, control=lambda t, q, v: -v, control_at="stages"), "held over a step",
        lambda f: ended(TIED, control=lambda t, q, v: -v),
    ),
    "a Python function in a file": Advice(
        lambda f: saved(f, chain(more=lambda b: b.prescribe("q0", wave))),
        r"builder\.prescribe\('rod0', \(t, f\(t\)\)\)",
        lambda f: saved(f, chain(more=sampled)),
    ),
    "a limit of a ball": Advice(
        lambda f: chain(cd.joints.ball(), lambda b: b.add_limit("rod0", low=-1, stiffness=1.0)),
        "universal or revolute",
        lambda f: chain(cd.joints.universal("x", "y"), lambda b: b.add_limit("rod0.first", low=-1, stiffness=1.0)),
    ),
    "the inverse of a ball": Advice(
        lambda f: cd.joints.ball().inverse(), "compose three revolute joints",
        lambda f: cd.joints.compose(*(cd.joints.revolute(axis, name=axis) for axis in "xyz")).inverse(),
    ),
    "muscles in identify_dynamics": Advice(
        lambda f: cd.identify_dynamics(MUSCLED, motion(MUSCLED), unknown=["rod0.mass"]), r"model\.without_muscles\(\)",
        lambda f: cd.identify_dynamics(MUSCLED.without_muscles(), motion(MUSCLED), unknown=["rod0.mass"]),
    ),
    "few coordinates": Advice(
        lambda f: C.animation_form(tip(PLAIN), BENT), "effective_inertia",
        lambda f: C.effective_inertia(tip(PLAIN), BENT),
    ),
    "a quaternion as a coordinate": Advice(
        lambda f: C.AnimationSpace(BALL, [C.function(lambda x: x["rod0"], name="f")]).value(BALL.neutral()),
        r"orientation\(\)",
        lambda f: C.AnimationSpace(BALL, [C.orientation("rod0")]).value(BALL.neutral()),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_the_words_name_works(case, tmp_path):
    """Oracle: the words, and that what they name is done."""
    advice = CASES[case]
    with pytest.raises(NotSupported, match=advice.words):
        advice.refused(tmp_path)
    advice.way(tmp_path)
