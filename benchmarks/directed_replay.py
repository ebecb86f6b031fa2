"""`python -m benchmarks.directed_replay [--step S] [scene …]`: torques of directed scenes replayed with feedback.

Prints for each scene how far from its goals it was directed [m, rad], and how far at most the replayed joints were from
the directed ones over the whole scene [rad, m]. At steps of 1 ms all scenes take about five minutes of one core.
"""

import argparse
import time

import numpy as np

from condyle import control as C
from condyle.gallery.scenes.crawler import race, replayed
from condyle.gallery.scenes.person import MOTIONS, driven, off_goals
from condyle.gallery.scenes.sitter import rocking, sitter, sitter_hip
from condyle.gallery.scenes.worm import crawl

__all__ = ["SCENES", "main"]

FEEDBACK = {"sits": 40.0, "lifts": 40.0, "walks": 60.0}  # [rad/s]
RECORD = 0.02  # [s]


def carried(kind, step):
    """A person whom the ground carries: off its goals, off the directed joints, a force that the ground cannot give."""
    motion = MOTIONS[kind]()
    torques, drives = C.torque_functions(motion), driven(motion.space.model)
    back = C.replay_carried(motion.space.model, torques, motion.contacts, actuated=drives, feedback=FEEDBACK[kind],
                            step=step, record=RECORD)  # fmt: skip
    return off_goals(motion), np.abs(back.drift).max(), f"{back.residual.max():.2g} N that the ground cannot give"


def chair(step):
    """A sitter who rocks on a chair, pinned at the hip."""
    motion = rocking()
    torques = C.torque_functions(motion, held=sitter_hip(sitter()))
    back = C.replay(sitter(held=True), torques, feedback=40.0, step=step, record=RECORD)
    return np.abs(motion.error).max(), np.abs(back.drift).max(), ""


def worm(steps, step):
    """A worm whose every step begins where the last one ended."""
    goals = max(np.abs(part.motion.error).max() for part in steps)
    return goals, max(off.max() for off in replayed(steps, step=step)), f"{len(steps)} steps of the worm"


SCENES = {
    "sits": lambda step: carried("sits", step),
    "lifts": lambda step: carried("lifts", step),
    "walks": lambda step: carried("walks", step),
    "chair": chair,
    "bends": lambda step: worm(crawl(cycles=6, goal=(0.05, 0.06, 0.0), step=0.01), step),
    "race, long stride": lambda step: worm(race(3, step=0.01)["long_stride"], step),
    "race, short stride": lambda step: worm(race(3, step=0.01)["short_stride"], step),
}


def main():
    """All scenes, or those named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.directed_replay", description=__doc__)
    parser.add_argument("scenes", nargs="*", choices=[*SCENES, []], help="scenes to replay (default: all)")
    parser.add_argument("--step", type=float, default=1e-3, help="of the replay [s] (default: 0.001)")
    options = parser.parse_args()
    for name in options.scenes or SCENES:
        began = time.process_time()
        goals, drift, note = SCENES[name](options.step)
        took = time.process_time() - began
        print(f"{name}: {goals:.1e} off its goals; at steps of {options.step:g} s {drift:.1e} off the directed joints; "
              f"{took:.0f} s of processor time; {note}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
