"""Slips in functions of one's own, coordinates and goals: complex numbers, choices of Python, axes, constants."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery import planar_chain

C = cd.control
MODEL = planar_chain((0.4, 0.3, 0.2))
Q = np.array([0.3, -0.5, 0.7])


def tip(x):
    return x.point("link3", (0.2, 0.0, 0.0))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.real(np.exp(1j * x["link1"])),
        lambda x: np.abs(x["link1"] + 1j * x["link2"]),
        lambda x: np.exp(1j * x["link1"]).real,
    ],
)
def test_complex_numbers_of_ones_own_are_refused(f):
    """Oracle: the name; the imaginary part carries second derivatives, so that the Hessian was 1e30."""
    space = C.AnimationSpace(MODEL, [C.function(f, name="turned")])
    for ask in (space.value, space.gradient, space.hessian):
        with pytest.raises(cd.CondyleError, match="'turned'"):
            ask(Q)


def test_complex_numbers_that_cancel_are_real():
    """Oracle: −(i q)² = q², by hand."""
    space = C.AnimationSpace(MODEL, [C.function(lambda x: -((1j * x["link1"]) ** 2) + x["link2"], name="f")])
    assert space.value(Q) == pytest.approx(Q[0] ** 2 + Q[1]) and space.value(Q).dtype == float
    assert space.hessian(Q)[0, 0, 0] == pytest.approx(2.0)


def test_a_goal_of_complex_numbers_is_refused_at_once():
    """Oracle: the name; at t = 0 exp(it) is real, and its rate is not."""
    space = C.AnimationSpace(MODEL, [C.joint("link1", name="led")])
    with pytest.raises(cd.errors.BadValue, match=r"'led'.*t = 0 s"):
        C.direct(space, Q, {"led": lambda t: np.real(np.exp(1j * t))}, duration=0.1, step=0.01)


CHOOSING = {
    "if": lambda x: x["link1"] if x["link1"] > 0.0 else -x["link1"],
    "if a number": lambda x: x["link1"] if x["link2"] else -x["link1"],
    "and": lambda x: np.where((x["link1"] > 0.0) and (x["link2"] > 0.0), x["link1"], x["link2"]),
    "max": lambda x: max(x["link1"], x["link2"]),
}


@pytest.mark.parametrize("kind", CHOOSING)
def test_pythons_choices_are_named_with_what_to_write_instead(kind):
    """Oracle: the name and np.where; the advice works."""
    poses = np.array([Q, -Q])
    with pytest.raises(cd.errors.BadValue, match=r"'chosen'.*np\.where"):
        C.AnimationSpace(MODEL, [C.function(CHOOSING[kind], name="chosen")]).value(poses)
    instead = C.function(lambda x: np.where((x["link1"] > 0.0) & (x["link2"] < 0.0), x["link1"], -x["link1"]))
    assert C.AnimationSpace(MODEL, [instead]).value(poses)[:, 0] == pytest.approx([Q[0], Q[0]])


def test_numbers_are_compared_by_their_values():
    """Oracle: NumPy: where q1 is 0.3 its own value, elsewhere that of q2."""
    f = C.function(lambda x: np.where(x["link1"] == 0.3, x["link1"], x["link2"]), name="f")
    assert C.AnimationSpace(MODEL, [f]).value([Q, [0.4, -0.5, 0.7]])[:, 0] == pytest.approx([0.3, -0.5])
    g = C.function(lambda x: np.where(x["link1"] != 0.3, x["link1"], x["link2"]), name="g")
    assert C.AnimationSpace(MODEL, [g]).value([Q, [0.4, -0.5, 0.7]])[:, 0] == pytest.approx([-0.5, 0.4])


def test_axes_may_be_given_by_place_and_states_are_not_added_up():
    """Oracle: NumPy's std along axis 1; a sum over states is refused by name, with the axis to give."""
    space = C.AnimationSpace(MODEL, [C.function(lambda x: np.std(tip(x), 1), name="f")])
    ends = cd.forward_kinematics(MODEL, np.array([Q, -Q]))[:, 2].apply(np.array([0.2, 0.0, 0.0]))
    assert space.value([Q, -Q])[:, 0] == pytest.approx(np.std(ends, 1))
    for f in (lambda x: np.cumsum(x["link1"]), lambda x: np.cumsum(tip(x)), lambda x: np.linalg.norm(x["link1"])):
        with pytest.raises(cd.CondyleError, match=r"'own'.*axis"):
            C.AnimationSpace(MODEL, [C.function(f, name="own")]).value([Q, -Q])


def test_goals_that_choose_between_constants():
    """Oracle: the constants, by hand: before and after 0.05 s; a target of a joint does so for many states."""
    space = C.AnimationSpace(MODEL, [C.point("link3", (0.2, 0, 0), axes="xy", name="tip")])
    goal = {"tip": lambda t: [np.where(t < 0.05, 0.6, 0.55), 0.1]}
    motion = C.direct(space, Q, goal, duration=0.1, step=0.01)
    assert motion.target[[0, -1]] == pytest.approx(np.array([[0.6, 0.1], [0.55, 0.1]]))
    led = C.AnimationSpace(MODEL, [C.joint("link1", lambda t: np.where(t < 0.5, 0.0, 0.2))])
    assert led.value([Q, Q, Q], [0.0, 0.4, 0.6])[:, 0] == pytest.approx([0.3, 0.3, 0.1])


def test_a_table_is_asked_for_no_time_outside_the_motion():
    """Oracle: a table from 0 to 0.2 s that refuses other times; at its speed limit a joint has no acceleration."""
    seen = []

    def table(t):
        seen.append(float(np.real(t.value[0])))
        if not 0.0 <= seen[-1] <= 0.2:
            raise ValueError(f"the table ends before t = {seen[-1]}")
        return 0.3 + 0.4 * t

    space = C.AnimationSpace(MODEL, [C.joint("link1", name="led")])
    for step in (0.01, 2e-4):
        motion = C.direct(space, Q, {"led": table}, duration=0.2, step=step, how=C.Resolution(speeds=0.3))
        assert motion.limited and motion.a[:, 0] == pytest.approx(0.0, abs=1e-9)
        assert (min(seen), max(seen)) == (0.0, 0.2)


def test_accelerations_at_both_ends_of_a_limited_motion_are_those_of_the_goal():
    """Oracle: d²/dt² of 0.3 + 0.1 sin 3t, by hand; another joint is at its speed limit, so differences are taken."""
    space = C.AnimationSpace(MODEL, [C.joint("link1", name="led"), C.joint("link2", name="slow")])
    goals = {"led": lambda t: 0.3 + 0.1 * np.sin(3.0 * t), "slow": lambda t: -0.5 + t}
    how = C.Resolution(speeds={"link2": 0.2})
    motion = C.direct(space, Q, goals, duration=0.5, step=0.01, how=how)
    assert motion.limited == ("link2",)
    assert motion.a[:, 0] == pytest.approx(-0.9 * np.sin(3.0 * motion.t), abs=1e-6)
