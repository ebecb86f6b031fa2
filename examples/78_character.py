"""A character directed by keyframes
=================================

A skeleton in motion capture's format (BVH) fetches something from a shelf, hands it over and puts it on a table: keys
for both hands, for where it looks and for its centre of mass. Feet stay, all other joints follow. Inverse dynamics
without a motor at the hips shows that the feet can carry it. Leaves a player and a BVH file in demo/.
"""

from __future__ import annotations

import sys
from pathlib import Path

import condyle as cd
from condyle.gallery import SCENES, show


def main(folder: str = "demo") -> None:
    """Direct it, show it and write it for animation programs."""
    shown = show("character", folder)
    print(shown.summary)
    motion = cd.load(Path(folder) / "character.npz")
    print(f"Wrote {cd.save(motion, Path(folder) / 'character.bvh')}.")


def check() -> None:
    """Keys are met, feet stay, eyes are on their places, and feet can carry the motion."""
    SCENES["character"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
