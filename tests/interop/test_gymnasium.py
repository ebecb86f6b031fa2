"""A vector environment of Gymnasium over a batch of states."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadShape, BadValue, UnknownName

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: no environment was tried")

from condyle.interop.gymnasium import ModelVectorEnv


def pendulum():
    b = cd.ModelBuilder()
    b.add_body("bob", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(2.0, (0, 0, -1.0)))
    return b.build()


def made(n=5, **options):
    options = {"actions": {"bob": 3.0}, "reward": lambda q, v, a: -(q[:, 0] ** 2), "max_steps": 4, **options}
    return ModelVectorEnv(pendulum(), n, **options)


def test_a_step_is_the_simulation_with_the_force_held():
    """Oracle: `simulate` of each member by itself."""
    env = made(start=lambda random, n: (np.linspace(-1, 1, n)[:, None], np.zeros((n, 1))))
    first, infos = env.reset(seed=1)
    assert infos == {} and env.observation_space.contains(first)
    actions = np.linspace(-1, 1, 5)[:, None]
    seen, rewards, terminated, truncated, _ = env.step(actions)
    for k in range(5):
        run = cd.simulate(
            env.model,
            first[k, :1],
            [0.0],
            duration=0.01,
            step=1e-3,
            integrator="semi-implicit",
            control=3.0 * actions[k],
        )
        assert_allclose(seen[k], [run.q[-1, 0], run.v[-1, 0]], atol=1e-12)
    assert_allclose(rewards, -(seen[:, 0] ** 2))
    assert not terminated.any() and not truncated.any()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_runs_that_end_begin_again(mode):
    """Oracle: the rule of Gymnasium's two modes, step by step; starts are known by their velocity of zero."""
    starts = []

    def start(random, n):
        starts.append(n)
        return np.full((n, 1), 0.1), np.zeros((n, 1))

    env = made(3, start=start, autoreset=mode)
    env.reset(seed=0)
    ends = []
    for _ in range(6):
        seen, rewards, _, truncated, infos = env.step(np.zeros((3, 1)))
        ends.append(bool(truncated.all()))
        assert (rewards == 0.0).all() == (mode == "NextStep" and len(ends) == 5)
        if mode == "SameStep" and ends[-1]:
            assert_allclose(seen[:, 1], 0.0)
            assert np.abs(infos["final_obs"][:, 1]).min() > 0.0
    assert ends == [False, False, False, True, False, False] and starts == [3, 3]


def test_seeds_names_and_pictures():
    """Oracle: the same numbers for the same seed; columns by name; a picture that changes."""
    env = made(2, observe=["v:bob", "bob"], render_mode="rgb_array", rendered=2)
    a, b = env.reset(seed=7)[0], env.reset(seed=7)[0]
    assert (a == b).all() and env.single_observation_space.shape == (2,)
    assert_allclose(a[:, 1], env.q[:, 0])
    before = env.render()
    env.q[:] = 1.0
    assert len(before) == 2 and before[0].shape == (400, 480, 3)
    assert np.abs(env.render()[0].astype(int) - before[0]).max() > 50


def test_ends_of_ones_own_and_runs_that_diverge():
    """Oracle: a condition on q; forces so large that numbers overflow."""
    env = made(
        3,
        terminated=lambda q, v: q[:, 0] > 0.0,
        start=lambda r, n: (np.array([[-1.0], [0.5], [-0.5]]), np.zeros((n, 1))),
    )
    env.reset()
    assert env.step(np.zeros((3, 1)))[2].tolist() == [False, True, False]
    wild = made(2, actions={"bob": 1e300})
    wild.reset()
    *_, infos = wild.step(np.array([[1.0], [0.0]]))
    assert infos["stopped"].tolist() == [True, False]


def test_wrong_environments_are_said_in_words():
    """Oracle: the words."""
    with pytest.raises(UnknownName, match="'bop'"):
        made(observe=["bop"])
    with pytest.raises(BadValue, match="autoreset is one of NextStep, SameStep"):
        made(autoreset="never")
    env = made(2)
    env.reset()
    with pytest.raises(BadShape, match="actions"):
        env.step(np.zeros((2, 3)))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_prescribed_coordinates_move_with_the_time_of_each_run(mode):
    """Oracle: the prescribed function at the age of each run, which begins anew after two steps."""
    b = cd.ModelBuilder().add_body("base", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(1.0, 0.1))
    b.add_body("bob", parent="base", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, -1)))
    model = b.prescribe("base", lambda t: 0.3 + t**2).build()
    ends = iter([[False] * 3, [False, True, False], [False] * 3, [False] * 3])
    env = ModelVectorEnv(model, 3, actions={"bob": 1.0}, reward=lambda q, v, a: q[:, 0], autoreset=mode,
                    terminated=lambda q, v: np.array(next(ends)), step=1e-3, substeps=10)  # fmt: skip
    seen, _ = env.reset(seed=1)
    np.testing.assert_allclose(seen[:, 0], 0.3, atol=1e-12)
    ages = {
        "NextStep": [[1] * 3, [2] * 3, [3, 0, 3], [4, 1, 4]],
        "SameStep": [[1] * 3, [2, 0, 2], [3, 1, 3], [4, 2, 4]],
    }
    for age in ages[mode]:
        seen = env.step(np.zeros((3, 1)))[0]
        t = 0.01 * np.array(age)
        np.testing.assert_allclose(seen[:, 0], 0.3 + t**2, atol=1e-9)
        np.testing.assert_allclose(seen[:, 2], 2.0 * t, atol=1e-6)
