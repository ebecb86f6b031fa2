"""(i) Inverse kinematics of a seven-hinge URDF arm against pink and mink: same file, targets, start, tolerance."""

import tempfile
from pathlib import Path

import numpy as np

from ..engines import arm, inverse_kinematics
from ..table import Row
from ..timing import Timed, compare

__all__ = ["measure"]

TARGETS = {("pink", "as a batch"): 15.0}


def measure():
    targets = arm.hand_poses(arm.random_postures())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.urdf"
        path.write_text(arm.URDF)
        one, batch = inverse_kinematics.in_condyle(path)
        peers = {"pink": inverse_kinematics.in_pink(path), "mink": inverse_kinematics.in_mink(path)}
        yield from rows(one, batch, peers, targets)


def rows(one, batch, peers, targets):
    """Ours one by one and as a batch, over each peer one by one."""
    ours = {"one by one": (lambda: each(one, targets)), "as a batch": (lambda: batch(targets))}
    for peer, solve in peers.items():
        for way, run in ours.items():
            pace = compare(Timed(run, len(targets)), Timed(lambda s=solve: each(s, targets), len(targets)), repeats=3)
            both = f"{100 * np.mean(run()):.1f} % and {100 * np.mean(each(solve, targets)):.1f} % reached"
            note = f"{pace.first * 1e3:.3g} and {pace.second * 1e3:.3g} ms per target; {both}"
            title = f"inverse kinematics over {peer}, {way}"
            yield Row("i", title, pace.ratio, "x", TARGETS.get((peer, way)), note=note)


def each(solve, targets):
    """One target at a time."""
    return [bool(solve(T)) for T in targets]
