"""Steps a second of environments: condyle's batch beside Gymnasium's MuJoCo environments, on one and the same model.

`python -m benchmarks.vector_environment [runs]`: the inverted double pendulum of Gymnasium (no contact),
50 ms a step of the environment by five steps of RK4 in both, one core. Needs gymnasium and mujoco.
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

import gymnasium as gym  # pyright: ignore[reportMissingImports]
import numpy as np

import condyle as cd
from condyle.interop.gymnasium import ModelVectorEnv

SECONDS = 4.0  # that each is timed for


def ours(runs: int) -> ModelVectorEnv:
    """The file of Gymnasium's environment, read by condyle."""
    path = Path(gym.__file__).parent / "envs" / "mujoco" / "assets" / "inverted_double_pendulum.xml"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the file has beyond bodies and joints
        model = cd.load(path)
    first = model.coordinates[0]
    options = {"step": 0.01, "substeps": 5, "integrator": "rk4", "max_steps": 100, "threads": 1}
    return ModelVectorEnv(model, runs, actions={first: 500.0}, reward=lambda q, v, a: -(q[:, 1] ** 2), **options)


def rate(env, runs: int) -> float:
    """Steps of all runs a second of the clock."""
    env.reset(seed=0)
    actions = np.zeros(env.action_space.shape)
    env.step(actions)
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS:
        env.step(actions)
        steps += runs
    return steps / (time.perf_counter() - start)


def main(runs: int = 1024) -> None:
    """Print both and their ratio."""
    here = rate(ours(runs), runs)
    there = rate(gym.make_vec("InvertedDoublePendulum-v5", num_envs=64, vectorization_mode="sync"), 64)
    print(f"condyle, {runs} runs in a batch: {here:,.0f} steps a second")
    print(f"Gymnasium's MuJoCo, 64 runs, sync: {there:,.0f} steps a second")
    print(f"ratio {here / there:.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
