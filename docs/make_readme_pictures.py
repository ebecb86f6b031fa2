"""The small pictures of the README, from those of the gallery: `make docs`, then `python docs/make_readme_pictures.py`.

Each is a part of a picture that an example drew, so that the gallery shows how everything in the README is made.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

DOCS = Path(__file__).parent
SIZE = (360, 300)  # dots
# the example, the number of its picture, and its part: the middle and the width as shares of the whole
PICTURES = {
    "knee": ("30_knee_bones", 1, (0.13, 0.48, 0.26)),
    "muscles": ("26_muscles", 1, (0.5, 0.5, 1.0)),
    "robot": ("40_robot", 1, (0.5, 0.5, 1.0)),
    "character": ("78_character", 1, (0.5, 0.5, 1.0)),
    "motion": ("77_person", 3, (0.5, 0.5, 1.0)),
}


def drawn(example: str, number: int) -> Image.Image:
    """The picture of that number that an example drew while the gallery was made."""
    with Image.open(next(DOCS.glob(f"gallery/*/images/sphx_glr_{example}_{number:03d}.png"))) as picture:
        return picture.convert("RGB")


def part(picture: Image.Image, x: float, y: float, share: float) -> Image.Image:
    """A part around a middle, of the shape of `SIZE`, as large as fits."""
    wide = min(share * picture.width, picture.height * SIZE[0] / SIZE[1])
    high = wide * SIZE[1] / SIZE[0]
    left = min(max(x * picture.width - 0.5 * wide, 0.0), picture.width - wide)
    top = min(max(y * picture.height - 0.5 * high, 0.0), picture.height - high)
    return picture.resize(SIZE, Image.Resampling.LANCZOS, box=(left, top, left + wide, top + high))


def main() -> None:
    """Draw all."""
    for name, (example, number, (x, y, share)) in PICTURES.items():
        small = part(drawn(example, number), x, y, share).quantize(128, dither=Image.Dither.NONE)
        small.save(DOCS / "figures" / f"readme_{name}.png", optimize=True)


if __name__ == "__main__":
    main()
