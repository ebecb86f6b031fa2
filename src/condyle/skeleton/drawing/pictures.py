"""Skeletons as pictures, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...typing import PathLike
from .glyph_meshes import body_shapes, color_of, joint_shapes, placed, spring_shapes

if TYPE_CHECKING:
    from ..skeleton import Skeleton
    from ..state import State
    from ..trajectory import Trajectory

__all__ = ["draw", "draw_strip"]


def draw(
    skeleton: Skeleton,
    state: State | None = None,
    path: PathLike | None = None,
    *,
    panel: Any = None,
    limits: Sequence[Any] | None = None,
    title: str | None = None,
) -> Any:
    """One state as the article draws it; into a matplotlib 3-d `panel`, or a new figure saved to `path`.

    Parameters
    ----------
    state : State, optional
        The initial one by default.
    path : str or path, optional
        Where to save a new figure.
    panel : matplotlib axes, optional
        To draw into.
    limits : sequence of surfaces, optional
        What the view must hold; by default what is drawn.
    title : str, optional

    Returns
    -------
    matplotlib axes or Figure
    """
    figure = None
    if panel is None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(5, 5), layout="constrained")
        panel = figure.add_subplot(projection="3d")
    state = skeleton.given(state)
    surfaces = [*placed([*body_shapes(skeleton), *joint_shapes(skeleton)], state), *spring_shapes(skeleton, state)]
    for surface in surfaces:
        x, y, z = np.moveaxis(surface.points, -1, 0)
        panel.plot_surface(x, y, z, color=color_of(surface), alpha=0.55 if surface.kind == "body" else 1.0, linewidth=0)
    _frame(panel, surfaces if limits is None else limits, title)
    if figure is not None and path is not None:
        figure.savefig(path, dpi=120)
    return panel if figure is None else figure


def draw_strip(
    trajectory: Trajectory, path: PathLike | None = None, *, frames: int = 5, index: tuple[int, ...] = ()
) -> Any:
    """`frames` states of a motion side by side, equally spaced in time; `index` picks a member of a batch.

    Parameters
    ----------
    path : str or path, optional
        Where to save it.
    frames : int, optional
        How many states.
    index : tuple of int, optional
        A member of a batch.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2 * frames, 3.6), layout="constrained")
    moments = np.linspace(0, len(trajectory.t) - 1, frames).round().astype(int)
    states = [trajectory.states[(*index, k)] for k in moments]
    everything = [surface for state in states for surface in placed(body_shapes(trajectory.skeleton), state)]
    for column, (k, state) in enumerate(zip(moments, states, strict=True)):
        panel = figure.add_subplot(1, frames, column + 1, projection="3d")
        draw(trajectory.skeleton, state, panel=panel, limits=everything, title=f"t = {trajectory.t[k]:.2f} s")
    if path is not None:
        figure.savefig(path, dpi=120)
    return figure


def _frame(panel, surfaces, title) -> None:
    """Axes of one scale around all surfaces, no thinner than a third of the longest."""
    from matplotlib.ticker import MaxNLocator

    points = np.concatenate([surface.points.reshape(-1, 3) for surface in surfaces])
    low, high = points.min(axis=0), points.max(axis=0)
    sizes = np.maximum(1.04 * (high - low), (high - low).max() / 3.0)
    for k, name in enumerate("xyz"):
        middle = 0.5 * (low[k] + high[k])
        getattr(panel, f"set_{name}lim")(middle - 0.5 * sizes[k], middle + 0.5 * sizes[k])
        getattr(panel, f"set_{name}label")(f"{name} [m]", fontsize=7, labelpad=-6)
        getattr(panel, f"{name}axis").set_major_locator(MaxNLocator(4))
    panel.set_box_aspect(sizes, zoom=0.85)
    panel.tick_params(labelsize=6, pad=-2)
    if title:
        panel.set_title(title, fontsize=9, y=0.98)
