"""The gallery: examples are run in a scratch folder, and the pictures they save to demo/ are shown."""

from __future__ import annotations

import shutil
from pathlib import Path

from PIL import Image

PLAYERS = Path(__file__).parents[1] / "gallery" / "players"  # its content is copied beside the pages

SECTIONS = (  # folder, title, words, and the numbers of its examples
    ("joints", "Joints", "Poses, meshes, wires and heights become joints; see {doc}`/fitting` and {doc}`/shapes`.",
     "01 02 05 27 30 31"),
    ("spline-joints", "The spline-joint paper", "Its mechanisms, and some beyond it; see {doc}`/mechanisms`.",
     "10 11 12 13 14 17 18 19 20"),
    ("contact", "Contact, corners, friction", "What touches, rolls and sticks; see {doc}`/contact`, {doc}`/shapes`.",
     "03 04 15 16 21 33"),
    ("skeletons", "Skeletons", "Maximal coordinates; see {doc}`/skeletons`.", "60 61 62 63 64 65"),
    ("directing", "Directing", "Coordinates an animator thinks in; see {doc}`/directing`.", "70 71 72 73 74 75"),
    ("prediction", "Prediction", "Motions of least torque, and what carries a motion; see {doc}`/optimal-motion`.",
     "76 77 79"),
    ("reach", "Reach", "A measured arm; see {doc}`/reach`.", "80 81"),
    ("trials", "OpenSim and trials", "From markers to angles and moments; see {doc}`/opensim` and {doc}`/trials`.",
     "22 23 24 29 32"),
    ("muscles", "Muscles", "Paths, moment arms, forces; see {doc}`/muscles`.", "26"),
    ("robots", "Robots", "Files of robots; see {doc}`/robots` and {doc}`/inverse-kinematics`.", "40"),
    ("characters", "Characters", "Files of motion capture; see {doc}`/characters`.", "28 78"),
    ("ensembles", "Ensembles", "What uncertain numbers do to a result; see {doc}`/ensembles`.", "25"),
)  # fmt: skip
TOP = """Gallery
=======

Every page here is an example of the source tree, run while these pages were built: what it printed and what it drew
stand below its code. Each also has a ``check`` of its own claims, which the tests run.
"""


def staged(examples: Path, scratch: Path) -> Path:
    """Copy the numbered examples into one folder per section, so that what they save stays out of the tree."""
    shutil.rmtree(scratch, ignore_errors=True)
    (PLAYERS / "players").mkdir(parents=True, exist_ok=True)
    scratch.mkdir(parents=True)
    (scratch / "GALLERY_HEADER.rst").write_text(TOP)
    for folder, title, words, numbers in SECTIONS:
        (scratch / folder).mkdir()
        header = f"{title}\n{'-' * len(title)}\n\n{words}\n".replace("{doc}`", ":doc:`")
        (scratch / folder / "GALLERY_HEADER.rst").write_text(header)
        for number in numbers.split():
            shutil.copy2(next(examples.glob(f"{number}_*.py")), scratch / folder)
    return scratch


class Pictures:
    """An image scraper: takes the pictures and pages (players, reports) that appeared in demo/ beside the example."""

    def __repr__(self) -> str:
        return "Pictures"  # the same in every build, so that nothing is rebuilt for its address

    def __call__(self, block, block_vars, gallery_conf) -> str:
        """Move them under the names the gallery gives and show them, one below the other."""
        found = [*Path("demo").glob("*.png"), *Path("demo").glob("*/*.png")]
        found.sort(key=lambda path: path.stat().st_mtime)
        shown = [Path(next(block_vars["image_path_iterator"])) for _ in found]
        for path, name in zip(found, shown, strict=True):
            with_fewer_colors(path).save(name, optimize=True)
            path.unlink()
        source = Path(gallery_conf["src_dir"])
        pictures = "".join(f"\n\n.. image:: /{name.relative_to(source).as_posix()}\n" for name in shown)
        return pictures + "".join(map(linked_page, sorted(Path("demo").rglob("*.html"))))


def with_fewer_colors(path: Path) -> Image.Image:
    """A picture in 256 colours: a third of the bytes, and nobody sees it."""
    with Image.open(path) as picture:
        return picture.convert("RGB").quantize(256, dither=Image.Dither.FLOYDSTEINBERG)


def linked_page(path: Path) -> str:
    """Keep a page that an example saved, show it if it is a player, and link it; folders become a part of its name."""
    player = 'id="view"' in path.read_text(encoding="utf-8")
    name = "-".join(path.relative_to("demo").parts)
    shutil.move(path, PLAYERS / "players" / name)
    address = f"../../players/{name}"
    frame = f'<iframe class="player" loading="lazy" title="player of {path.stem}" src="{address}"></iframe>'
    return f'\n\n.. raw:: html\n\n   {frame if player else ""}<p><a href="{address}">Open {name}</a></p>\n'


def crop_thumbnails(app) -> None:
    """Show the left of wide pictures instead of all of them, too small to see."""
    for thumb in Path(app.srcdir, "gallery").glob("*/images/thumb/*.png"):
        whole = thumb.parents[1] / thumb.name.replace("_thumb.png", "_001.png")
        if whole.exists():
            left_part(whole).save(thumb, optimize=True)


def left_part(path: Path) -> Image.Image:
    """As much of a picture as fits a card, 400 dots wide."""
    with Image.open(path) as picture:
        wide, high = min(picture.width, int(picture.height * 10 / 7)), picture.height
        part = picture.convert("RGB").crop((0, 0, wide, high)).resize((400, int(400 * high / wide)))
        return part.quantize(256)


def setup(app) -> dict:
    app.connect("builder-inited", crop_thumbnails, priority=900)  # after the gallery has been made
    return {"parallel_read_safe": True}
