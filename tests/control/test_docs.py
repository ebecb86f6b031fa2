"""The page about directing does what it says."""

import re
from pathlib import Path

import numpy as np
import pytest

from condyle.gallery import SCENES

DIRECTED = {f"scenes.{name}" for name in (
    "three_links", "reaching", "sitter", "dropping", "crawler", "squatter", "person", "spacetime", "character",
)}  # fmt: skip
PAGE = Path(__file__).parents[2] / "docs" / "directing.md"


@pytest.mark.slow
def test_the_page_runs():
    """Oracle: the page's own code, in order; its replay stays on the directed motion."""
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL):
        exec(compile(block, PAGE.name, "exec"), names)
    assert np.abs(names["back"].drift).max() < 1e-4
    assert np.abs(names["motion"].error).max() < 1e-4
    assert np.abs(names["step"].error).max() < 1e-6
    assert names["dip"].residual.max() < 1e-8 and not names["dip"].conflicts
    assert np.abs(names["again_dip"].drift).max() < 1e-4
    assert np.abs(names["again"].q - 0.3).max() < 1e-12
    for way in ("eliminated", "extended"):
        assert np.abs(names[way].a - names["hard"]).max() < 1e-10 * np.abs(names["hard"]).max()


def test_the_page_shows_every_scene():
    """Oracle: the catalogue of scenes, and the pictures on disk."""
    directed = [name for name, listed in SCENES.items() if listed.module in DIRECTED]
    page = PAGE.read_text()
    pictures = re.findall(r"\((figures/\S+\.png)\)", page)
    assert all(f"`{name}`" in page for name in directed)
    assert {f"figures/directing_{name.replace('-', '_')}.png" for name in directed} <= set(pictures)
    assert all((PAGE.parent / path).is_file() for path in pictures)
