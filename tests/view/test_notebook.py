"""A trajectory as the last line of a notebook's cell."""

import subprocess
import sys

import numpy as np
import pytest
from test_player import swing  # noqa: F401

import condyle as cd
from condyle.gallery import leg
from condyle.view import notebook
from support.browser import page

SCRIPT = """
import sys
import numpy as np
import condyle as cd
from condyle.gallery import leg
t = np.linspace(0, 1, 11)
print(len(cd.Trajectory(leg(), t, np.zeros((11, 3)), np.zeros((11, 3)))._repr_html_()))
assert "matplotlib" not in sys.modules
"""


def test_a_cell_shows_the_player_without_matplotlib(tmp_path):
    """Oracle: a process of its own: a page is made, and matplotlib is not loaded."""
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stderr
    assert 20_000 < int(ran.stdout) < 400_000


@pytest.mark.slow
def test_a_long_motion_stays_small(monkeypatch):
    """Oracle: the size of the page against the bound, which fewer pictures a second keep; else words."""
    t = np.linspace(0.0, 20.0, 1201)
    q = np.random.default_rng(0).normal(size=(1201, 3))
    run = cd.Trajectory(leg(), t, q, 0 * q)
    monkeypatch.setattr(notebook, "LARGEST", 180_000)
    assert "<iframe" in run._repr_html_() and len(run._repr_html_()) < 300_000
    monkeypatch.setattr(notebook, "LARGEST", 1000)
    assert "<iframe" not in run._repr_html_() and "too large" in run._repr_html_()


@pytest.mark.slow
def test_the_player_plays_inside_a_page(swing):  # noqa: F811
    """Oracle: the browser: the frame in a page draws pictures, and no error is told."""
    with page(offline=True) as p:
        errors = []
        p.on("pageerror", lambda e: errors.append(str(e)))
        p.set_content(f"<body>{swing._repr_html_()}</body>")
        frame = p.frames[1]
        frame.wait_for_function("() => window.player && window.player.frame > 1")
        assert errors == []
