"""The page about directing does what it says."""

import re
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[2] / "docs" / "directing.md"


def test_the_page_runs():
    """Oracle: the page's own code, in order; its replay stays on the directed motion."""
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL):
        exec(compile(block, PAGE.name, "exec"), names)
    assert np.abs(names["back"].drift).max() < 1e-4
    assert np.abs(names["motion"].error).max() < 1e-4
