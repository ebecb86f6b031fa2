"""A simulation in real time, which can be disturbed by pulling a body."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from ...dynamics import forward_kinematics
from ...errors import CondyleError, CondyleWarning
from ...simulation import Trajectory, simulate
from ...spatial import SE3

if TYPE_CHECKING:
    from .model_viewer import Viewer


STEP = 1e-3  # [s]
FREQUENCY = 2.0 * np.pi  # [rad/s] at which all the mass would swing on the spring of the handle
KEPT = 600  # records shown in the charts


def pulling(mass: float, pose: SE3, before: SE3, seconds: float, target: np.ndarray) -> np.ndarray:
    """The wrench (6,) in body axes of a critically damped spring from a body's origin to a target."""
    velocity = (pose.xyz - before.xyz) / seconds
    force = mass * FREQUENCY * (FREQUENCY * (target - pose.xyz) - 2.0 * velocity)
    return np.concatenate([np.zeros(3), pose.inverse().apply(force) - pose.inverse().apply(np.zeros(3))])


class Live:
    """The folder "Live simulation"."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.v = np.zeros(viewer.model.nv)
        self._pull: tuple[int, np.ndarray] | None = None
        self._records: list[tuple[float, np.ndarray, np.ndarray]] = []
        self._before: SE3 | None = None
        self._owed = 0.0
        gui = viewer.server.gui
        with gui.add_folder("Live simulation"):
            self.switch = gui.add_checkbox("run", False)
            again = gui.add_button("stand still")
            self.status = gui.add_text("state", "", disabled=True)
        self.switch.on_update(lambda event: self._switched())
        again.on_click(lambda event: self.still())

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self.switch.value

    def _switched(self) -> None:
        if self.running:
            self.viewer.playback.playing.value = False
            self.still()

    def still(self) -> None:
        """Set all velocities to zero, in the posture shown."""
        with self.viewer.lock:
            self.v, self._owed, self._before = np.zeros(self.viewer.model.nv), 0.0, None
            self._records = []

    def pull(self, body: str, target: np.ndarray) -> None:
        """Pull the origin of a body toward a point of the world [m] until `release`."""
        self._pull = self.viewer.model.body_index(body), target

    def release(self) -> None:
        """No longer pull."""
        self._pull = None

    def tick(self, seconds: float) -> None:
        """Advance by the whole steps that fit into this time [s]."""
        if not self.running:
            return
        with self.viewer.lock:
            self._owed += min(seconds * self.viewer.playback.speed.value, 0.1)  # a slow machine falls behind
            steps = int(self._owed / STEP)
            if steps:
                self._owed -= steps * STEP
                self._advance(steps * STEP)

    def _advance(self, seconds: float) -> None:
        viewer = self.viewer
        wrenches = self._wrenches(seconds)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CondyleWarning)  # what leaves its range is seen, many times a second
                run = simulate(
                    viewer.model, viewer.q, self.v, wrenches=wrenches, duration=seconds, step=STEP, record=seconds,
                    t0=viewer.time,
                )  # fmt: skip
        except CondyleError as error:
            self._stop(str(error))
            return
        if run.stopped is not None:
            self._stop(str(run.stopped))
            return
        self._before = forward_kinematics(viewer.model, viewer.q)
        self.v = run.v[-1]
        viewer.show(run.q[-1], float(run.t[-1]))
        if self._pull is None and viewer.handle.shown.value:
            viewer.handle.follow()
        self._note(float(run.t[-1]))

    def _wrenches(self, seconds: float) -> np.ndarray | None:
        if self._pull is None:
            return None
        body, target = self._pull
        model, poses = self.viewer.model, forward_kinematics(self.viewer.model, self.viewer.q)
        mass = sum(b.inertia.mass for b in model.bodies)
        before = poses if self._before is None else self._before
        wrenches = np.zeros((model.nbodies, 6))
        wrenches[body] = pulling(mass, poses[body], before[body], seconds, target)
        return wrenches

    def _note(self, t: float) -> None:
        self._records = [*self._records[1 - KEPT :], (t, self.viewer.q, self.v)]
        self.status.value = f"t = {t:.1f} s"
        if len(self._records) % 12 == 2:
            times, q, v = (np.array(x) for x in zip(*self._records, strict=True))
            self.viewer.charts.show(Trajectory(self.viewer.model, times, q, v))

    def _stop(self, why: str) -> None:
        self.switch.value = False
        self.status.value = why
