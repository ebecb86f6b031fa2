"""The gallery: examples are run in a scratch folder, and the pictures they save to demo/ are shown."""

from __future__ import annotations

import shutil
from pathlib import Path

from PIL import Image
from sphinx_gallery.scrapers import figure_rst

PLAYERS = Path(__file__).parents[1] / "gallery" / "players"  # its content is copied beside the pages

SECTIONS = {
    "0": (
        "joints",
        "Joints and loops",
        "Measured poses to a leg that swings, a loop, a track with corners, friction, a sheet.",
    ),
    "1": ("mechanisms", "Mechanisms", "What spline joints make possible; {doc}`/mechanisms` tells about each."),
    "2": ("contact", "Surfaces", "Surfaces that give way or touch; {doc}`/mechanisms` tells about each."),
    "3": ("bones", "Bones", "Joints from bones, and bones from joints; see {doc}`/shapes`."),
    "6": ("skeletons", "Skeletons", "Maximal coordinates; see {doc}`/skeletons`."),
    "7": ("directing", "Directing", "Coordinates an animator thinks in; see {doc}`/directing`."),
    "8": ("reach", "Reach", "A measured arm; see {doc}`/reach`."),
}
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
    for path in sorted(examples.glob("[0-9]*.py")):
        folder, title, words = SECTIONS[path.name[0]]
        (scratch / folder).mkdir(exist_ok=True)
        header = f"{title}\n{'-' * len(title)}\n\n{words}\n".replace("{doc}`", ":doc:`")
        (scratch / folder / "GALLERY_HEADER.rst").write_text(header)
        shutil.copy2(path, scratch / folder)
    return scratch


class Pictures:
    """An image scraper: takes the pictures and pages (players, reports) that appeared in demo/ beside the example."""

    def __repr__(self) -> str:
        return "Pictures"  # the same in every build, so that nothing is rebuilt for its address

    def __call__(self, block, block_vars, gallery_conf) -> str:
        """Move them under the names the gallery gives and show them."""
        found = sorted(Path("demo").glob("*.png"), key=lambda path: path.stat().st_mtime)
        shown = [next(block_vars["image_path_iterator"]) for _ in found]
        for path, name in zip(found, shown, strict=True):
            shutil.move(path, name)
        pages = sorted(Path("demo").glob("*.html"))
        return figure_rst(shown, gallery_conf["src_dir"]) + "".join(map(linked_page, pages))


def linked_page(path: Path) -> str:
    """Keep a page that an example saved, show it if it is a player, and link it."""
    player = 'id="view"' in path.read_text(encoding="utf-8")
    shutil.move(path, PLAYERS / "players" / path.name)
    address = f"../../players/{path.name}"
    frame = f'<iframe class="player" loading="lazy" title="player of {path.stem}" src="{address}"></iframe>'
    return f'\n\n.. raw:: html\n\n   {frame if player else ""}<p><a href="{address}">Open {path.name}</a></p>\n'


def crop_thumbnails(app) -> None:
    """Show the left of wide pictures instead of all of them, too small to see."""
    for thumb in Path(app.srcdir, "gallery").glob("*/images/thumb/*.png"):
        whole = thumb.parents[1] / thumb.name.replace("_thumb.png", "_001.png")
        if whole.exists():
            left_part(whole).save(thumb)


def left_part(path: Path) -> Image.Image:
    """As much of a picture as fits a card, 400 dots wide."""
    with Image.open(path) as picture:
        wide, high = min(picture.width, int(picture.height * 10 / 7)), picture.height
        return picture.convert("RGB").crop((0, 0, wide, high)).resize((400, int(400 * high / wide)))


def setup(app) -> dict:
    app.connect("builder-inited", crop_thumbnails, priority=900)  # after the gallery has been made
    return {"parallel_read_safe": True}
