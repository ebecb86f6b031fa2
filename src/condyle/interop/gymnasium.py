"""A vector environment of Gymnasium over a batch of states of one model: no contact, no copies of a simulator."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ..errors import BadShape, BadValue, NotSupported, require, unknown_name
from ..model import Model
from ..simulation import StoppedWarning, Trajectory, simulate
from ..simulation.prescribed_motion import put_prescribed
from ..view.files.rendering import Renderer
from ..view.render_scene import stage_of
from ..view.setting import setting_of

try:
    _gym: Any = import_module("gymnasium")
    _vector: Any = import_module("gymnasium.vector")
except ImportError:
    raise NotSupported("condyle.interop.gymnasium needs Gymnasium: pip install 'condyle[gym]'") from None

__all__ = ["ModelVectorEnv"]

Start = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]
NOISE = 0.01  # [rad, m, rad/s, m/s] around the neutral posture, where no start is given
PICTURE = (480, 400)


class ModelVectorEnv(_vector.VectorEnv):
    """Many runs of one model side by side, stepped as one batch on SIMD lanes and threads.

    Parameters
    ----------
    model : Model
        A tree without contact.
    num_envs : int
        How many runs.
    actions : mapping of str to float
        Coordinates that are driven, and the largest force of each [N m, N]; actions are numbers from −1 to 1.
    reward : callable
        Of (q, v, action), shapes (n, nq), (n, nv), (n, actions), after a step: rewards (n,).
    terminated : callable, optional
        Of (q, v): which runs have ended (n,); by default none.
    start : callable, optional
        Of (generator, count): q (count, nq) and v (count, nv) to begin with; by default near the neutral
        posture, at rest.
    observe : sequence of str, optional
        Names of coordinates, and with "v:" in front of their velocities; by default all of q, then all of v.
    step : float, optional
        Of the integrator [s].
    substeps : int, optional
        Steps of the integrator for one of the environment; the action is held.
    max_steps : int, optional
        Steps after which a run is truncated.
    integrator : str, optional
        As for `simulate`.
    autoreset : {"NextStep", "SameStep"}
        When a run that ended begins again, as Gymnasium's `AutoresetMode` has it.
    render_mode : {None, "rgb_array"}
        With "rgb_array" `render` gives a picture of each of the first `rendered` runs.
    rendered : int, optional
        How many runs are drawn.
    threads : int, optional
        As for `simulate`.

    Raises
    ------
    UnknownName
        If a coordinate does not exist.
    BadValue, BadShape
        If numbers make no sense, or a function gives arrays of other shapes.

    Notes
    -----
    A run that diverges is terminated, with `infos["stopped"]` true for it. Observations and rewards are float64.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}  # noqa: RUF012

    def __init__(
        self, model: Model, num_envs: int, *, actions: Mapping[str, float], reward: Callable[..., np.ndarray],
        terminated: Callable[..., np.ndarray] | None = None, start: Start | None = None,
        observe: Sequence[str] | None = None, step: float = 1e-3, substeps: int = 10, max_steps: int = 1000,
        integrator: str = "semi-implicit", autoreset: str = "NextStep", render_mode: str | None = None,
        rendered: int = 1, threads: int | None = None,
    ) -> None:  # fmt: skip
        require(num_envs > 0 and substeps > 0 and max_steps > 0 and step > 0.0,
                "an environment needs positive numbers of runs and steps", BadValue,
                num_envs=num_envs, substeps=substeps, max_steps=max_steps, step=step)  # fmt: skip
        require(render_mode in (None, "rgb_array"), "render_mode is None or 'rgb_array'", BadValue, got=render_mode)
        self.model, self.num_envs, self.render_mode, self.max_steps = model, num_envs, render_mode, max_steps
        self._reward, self._terminated, self._start = reward, terminated, start or self._near_neutral
        whole = {"duration": step * substeps, "record": 2.0 * step * substeps}
        self._run = {**whole, "step": step, "integrator": integrator, "threads": threads}
        self._columns = [self._column(name) for name in observe] if observe is not None else None
        self._driven = [model.v_index(name) for name in actions]
        self._largest = np.array([float(x) for x in actions.values()])
        require(bool((self._largest > 0.0).all()), "the largest forces are positive", BadValue, actions=dict(actions))
        self._same_step = _mode(autoreset)
        self.metadata = {**self.metadata, "autoreset_mode": _vector.AutoresetMode(autoreset)}
        self._set_spaces()
        self._rendered, self._renderer = min(rendered, num_envs), None
        self.q, self.v = np.tile(model.neutral(), (num_envs, 1)), np.zeros((num_envs, model.nv))
        self._age, self._ended = np.zeros(num_envs, dtype=int), np.zeros(num_envs, dtype=bool)

    def _set_spaces(self) -> None:
        width = self.model.nq + self.model.nv if self._columns is None else len(self._columns)
        box, batch = _gym.spaces.Box, _vector.utils.batch_space
        self.single_observation_space = box(-np.inf, np.inf, (width,), np.float64)
        self.single_action_space = box(-1.0, 1.0, (len(self._driven),), np.float64)
        self.observation_space = batch(self.single_observation_space, self.num_envs)
        self.action_space = batch(self.single_action_space, self.num_envs)

    def _column(self, name: str) -> int:
        """Where an observed number is in q and v beside each other."""
        plain = name.removeprefix("v:")
        if plain not in self.model.coordinates:
            raise unknown_name("coordinate", plain, self.model.coordinates, "this model")
        return self.model.nq + self.model.v_index(plain) if name != plain else self.model.q_index(plain)

    def _near_neutral(self, random: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
        from ..dynamics import integrate

        q = np.tile(self.model.neutral(), (count, 1))
        moved = random.uniform(-NOISE, NOISE, (2, count, self.model.nv))
        return integrate(self.model, q, moved[0]), moved[1]

    def _observed(self) -> np.ndarray:
        both = np.concatenate([self.q, self.v], axis=1)
        return both if self._columns is None else both[:, self._columns]

    def _begin(self, which: np.ndarray) -> None:
        """Set runs to a start of their own."""
        count = int(which.sum())
        if count:
            q, v = self._start(self.np_random, count)
            good = np.shape(q) == (count, self.model.nq) and np.shape(v) == (count, self.model.nv)
            require(good, "start gives q (count, nq) and v (count, nv)", BadShape, q=np.shape(q), v=np.shape(v))
            q, v = np.array(q, dtype=float), np.array(v, dtype=float)
            put_prescribed(self.model, 0.0, q, v)
            self.q[which], self.v[which] = q, v
        self._age[which], self._ended[which] = 0, False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Begin all runs anew.

        Parameters
        ----------
        seed : int, optional
            Of the random numbers of starts.
        options : dict, optional
            Not used.

        Returns
        -------
        tuple of ndarray, shape (num_envs, observations), and dict
        """
        super().reset(seed=seed)
        self._begin(np.ones(self.num_envs, dtype=bool))
        return self._observed(), {}

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Advance all runs by one step of the environment.

        Parameters
        ----------
        actions : ndarray, shape (num_envs, actions)
            From −1 to 1; what is beyond is cut.

        Returns
        -------
        tuple
            Observations, rewards, terminated, truncated and infos, as Gymnasium has them.
        """
        actions = np.clip(np.asarray(actions, dtype=float), -1.0, 1.0)
        expected = (self.num_envs, len(self._driven))
        require(actions.shape == expected, "step: actions (num_envs, actions)", BadShape, got=actions.shape)
        fresh = self._ended.copy()
        stopped = self._advance(actions)
        ended = self._asked(self._terminated, bool, self.q, self.v) if self._terminated else np.zeros_like(fresh)
        rewards = self._asked(self._reward, float, self.q, self.v, actions)
        self._age += 1
        terminated, truncated = ended | stopped, self._age >= self.max_steps
        infos: dict[str, Any] = {"stopped": stopped, "_stopped": stopped} if stopped.any() else {}
        if self._same_step:
            infos |= self._restarted(terminated | truncated)
            return self._observed(), rewards, terminated, truncated & ~terminated, infos
        self._begin(fresh)
        rewards, terminated, truncated = rewards * ~fresh, terminated & ~fresh, truncated & ~fresh & ~terminated
        self._ended = terminated | truncated
        return self._observed(), rewards, terminated, truncated, infos

    def _advance(self, actions: np.ndarray) -> np.ndarray:
        """Move all runs; which stopped because they diverged, and stay where they were."""
        tau = np.zeros((self.num_envs, self.model.nv))
        tau[:, self._driven] = self._largest * actions
        q, v = self.q.copy(), self.v.copy()
        for t0, rows in self._at_one_time():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", StoppedWarning)  # the infos tell
                run = simulate(self.model, self.q[rows], self.v[rows], control=tau[rows], t0=t0, **self._run)
            q[rows], v[rows] = run.q[:, -1], run.v[:, -1]
        stopped = np.asarray(~np.isfinite(np.concatenate([q, v], axis=1)).all(axis=1))
        self.q, self.v = (np.where(stopped[:, None], old, new) for old, new in ((self.q, q), (self.v, v)))
        return stopped

    def _at_one_time(self) -> list[tuple[float, np.ndarray]]:
        """Times since runs began [s] with the runs; all at once where nothing depends on time."""
        if not self.model.prescribed:
            return [(0.0, np.arange(self.num_envs))]
        return [(float(a) * self._run["duration"], np.flatnonzero(self._age == a)) for a in np.unique(self._age)]

    def _asked(self, function: Callable[..., np.ndarray], kind: type, *arguments: np.ndarray) -> np.ndarray:
        """What a function of the user gives, one number for each run."""
        values = np.asarray(function(*arguments), dtype=kind)
        require(values.shape == (self.num_envs,), "one number for each run", BadShape, got=values.shape)
        return values

    def _restarted(self, ended: np.ndarray) -> dict[str, Any]:
        """Begin runs that ended at once; their last observations go into the infos."""
        if not ended.any():
            return {}
        last = self._observed()
        self._begin(ended)
        return {"final_obs": last, "_final_obs": ended}

    def render(self) -> tuple[np.ndarray, ...] | None:
        """Pictures (height, width, 3) of the first runs, in the look of `condyle.view`.

        Returns
        -------
        tuple of ndarray, or None
            None without a render_mode.
        """
        if self.render_mode is None:
            return None
        rows, still = np.arange(self._rendered), np.arange(self._rendered, dtype=float)
        stage = stage_of(Trajectory(self.model, still, self.q[rows], self.v[rows]), rate=1.0)
        if self._renderer is None:
            self._renderer = setting_of(stage)
        renderer = Renderer(stage, self._renderer, PICTURE)
        return tuple(renderer.picture(int(k)) for k in rows)


def _mode(autoreset: str) -> bool:
    """Whether runs begin anew in the step in which they end."""
    known = ("NextStep", "SameStep")
    require(autoreset in known, f"autoreset is one of {', '.join(known)}", BadValue, got=autoreset)
    return autoreset == "SameStep"
