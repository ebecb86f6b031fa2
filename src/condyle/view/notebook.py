"""A motion in a notebook: its player in a frame of the page, bounded in size."""

from __future__ import annotations

from html import escape
from typing import Any

from ..errors import CondyleError
from .files.html_player import html
from .render_scene import stage_of
from .skeleton_meshes import drawable

RATES = (60.0, 20.0, 5.0, 1.0)  # pictures a second, until the player is small enough
LARGEST = 2_000_000  # bytes of a page that is kept in a notebook
ALLOWED = "allow-scripts allow-downloads"  # downloads: the pictures and films that the player makes
FRAME = f'<iframe title="{{title}}" sandbox="{ALLOWED}" srcdoc="{{page}}" width="100%" height="520"></iframe>'
WAY_OUT = 'condyle.view.export(trajectory, "motion.html") writes the player'


def notebook_view(trajectory: Any, _: object = None) -> str:
    """HTML of a trajectory for a notebook's cell: the player, or words where it would be too large or cannot be drawn.

    Of a batch its first member is shown.
    """
    told = escape(repr(trajectory))
    try:
        page = _small_page(trajectory)
    except CondyleError as error:
        return f"<p>{told}</p><p>{escape(str(error))}</p>"
    if page is None:
        return f"<p>{told}</p><p>It is too large to be shown here: {escape(WAY_OUT)}.</p>"
    return FRAME.format(title=told, page=escape(page)) + f"<p>{told}{', member 0' if trajectory.batch else ''}</p>"


def _small_page(trajectory: Any) -> str | None:
    """The player at the highest rate at which it is small enough."""
    shown, drawn = drawable(trajectory, None)
    for rate in RATES:
        page = html(stage_of(shown, rate=rate, drawn=drawn), "condyle")
        if len(page) < LARGEST:
            return page
    return None
