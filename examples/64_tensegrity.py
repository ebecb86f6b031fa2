"""A tensegrity prism
==================

Three struts that touch nowhere, held by nine springs: let go out of balance it rings, tumbles and settles.

The springs are inside the skeleton, so its momentum stays what it was; their dampers take energy away.
"""

from __future__ import annotations

import sys
from pathlib import Path

import condyle as cd
from condyle.gallery import SCENES, tensegrity


def main(folder: str = "demo") -> None:
    """Let it go, print what it kept, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    motion = tensegrity().simulate(duration=6.0, step=0.005, record=0.02)
    print(f"{motion.skeleton}\n{motion.report()}")
    motion.draw_strip(out / "tensegrity.png")
    cd.view.export(motion, out / "tensegrity.html", title="a tensegrity prism")
    motion.report().figure(out / "tensegrity_report.png", title="a tensegrity prism")
    print(f"Open {out / 'tensegrity.html'}, {out / 'tensegrity.png'} and {out / 'tensegrity_report.png'}.")


def check() -> None:
    """Momentum is kept, the dampers alone take energy, and at rest the prism has its known twist of 30 degrees."""
    SCENES["tensegrity"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
