"""How fast the viewer shows postures: 20 bodies, from Python to the message queue of the server.

Measured is `Viewer.place`: forward kinematics and one pose message for each body, without sliders. Nothing waits for a
browser: how often one draws depends on its machine. Also: a control frame dragged (joint, model, path made anew).
"""

from __future__ import annotations

import socket
import time

import numpy as np

from condyle.gallery import flower, spatial_chain
from condyle.model import ModelBuilder
from condyle.spatial import Inertia
from condyle.view.live.model_viewer import Viewer

BODIES, POSTURES = 20, 300


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def rate_of_postures(viewer: Viewer, postures: int = POSTURES) -> float:
    """Postures a second."""
    q = np.random.default_rng(0).uniform(-1, 1, (postures, viewer.model.nq))
    viewer.place(q[0])
    start = time.perf_counter()
    for x in q:
        viewer.place(x)
    return postures / (time.perf_counter() - start)


def seconds_of_drag(drags: int = 20) -> float:
    """The fastest drag of one of 60 control frames."""
    b = ModelBuilder()
    b.add_body("bead", joint=flower(), inertia=Inertia.sphere(0.2, 0.05))
    viewer = Viewer(b.build(), port=free_port())
    try:
        viewer.workshop.body.value = "bead"
        viewer.workshop.choose()
        pose, best = viewer.workshop._poses()[7], np.inf
        for k in range(drags):
            moved = pose.copy()
            moved[2, 3] += 1e-3 * k
            start = time.perf_counter()
            viewer.workshop.move(7, moved)
            best = min(best, time.perf_counter() - start)
        return best
    finally:
        viewer.stop()


def main() -> None:
    """Print both."""
    viewer = Viewer(spatial_chain(BODIES), port=free_port())
    try:
        print(f"{BODIES} bodies: {rate_of_postures(viewer):.0f} postures a second from Python (30 are asked for)")
    finally:
        viewer.stop()
    print(f"one of 60 control frames dragged: {1e3 * seconds_of_drag():.1f} ms")


if __name__ == "__main__":
    main()
