"""The small pictures of the README: `python docs/make_readme_pictures.py [name …]` from the root of the repository.

Each is a part of a picture that an example draws, so that nothing is shown which the gallery does not show how to make.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).parent
SIZE = (480, 320)  # dots
# the example, its picture, and the part of it that is shown: middle and width as shares of the picture's width and height
PICTURES = {
    "knee": ("30_knee_bones", "condyles.png", (0.12, 0.5, 0.24)),
    "muscles": ("26_muscles", "elbow.png", (0.42, 0.5, 0.95)),
    "robot": ("40_robot", "robot.png", (0.5, 0.5, 1.0)),
    "character": ("78_character", "character.png", (0.5, 0.5, 1.0)),
    "motion": ("77_person", "walks.png", (0.5, 0.5, 1.0)),
}


def drawn(example: str, name: str) -> Image.Image:
    """The picture that an example draws, which runs in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        script = DOCS.parent / "examples" / f"{example}.py"
        subprocess.run([sys.executable, script], cwd=folder, env=dict(os.environ), check=True, stdout=subprocess.DEVNULL)
        with Image.open(Path(folder) / "demo" / name) as picture:
            return picture.convert("RGB")


def part(picture: Image.Image, x: float, y: float, share: float) -> Image.Image:
    """A part around a middle, of the shape of `SIZE`, as large as fits."""
    wide = min(share * picture.width, picture.height * SIZE[0] / SIZE[1])
    high = wide * SIZE[1] / SIZE[0]
    left = min(max(x * picture.width - 0.5 * wide, 0.0), picture.width - wide)
    top = min(max(y * picture.height - 0.5 * high, 0.0), picture.height - high)
    return picture.resize(SIZE, Image.Resampling.LANCZOS, box=(left, top, left + wide, top + high))


def main(*names: str) -> None:
    """Draw all, or those named."""
    for name in names or PICTURES:
        example, file, (x, y, share) = PICTURES[name]
        small = part(drawn(example, file), x, y, share).quantize(96, dither=Image.Dither.NONE)
        small.save(DOCS / "figures" / f"readme_{name}.png", optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
