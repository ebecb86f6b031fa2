"""A hanging chain
===============

A chain of forty links held at both ends swings until friction brings it to rest: a catenary of links.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES
from condyle.gallery.skeletons.hanging_chain import draw_rest, swinging


def main(folder: str = "demo") -> None:
    """Swing, print, draw the chain over time."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    motion = swinging()
    print(f"{motion.skeleton.unknowns} reactions, one loop through the world\n{motion.report()}")
    draw_rest(motion, out / "hanging_chain.png")
    print(f"Open {out / 'hanging_chain.png'}.")


def check() -> None:
    """At rest every link carries the same horizontal pull, so slopes grow evenly: w/H per link; the joints hold."""
    SCENES["hanging-chain"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
