"""Charts: curves and fields in panels, described as data and drawn by `draw_chart`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

Color = str | float | tuple[float, ...] | None  # a number is a place on a scale from dark (0) to light (1)


@dataclass(frozen=True, eq=False)
class Curve:
    """Points joined or marked: `style` as matplotlib writes it ("-", ":", "o-", "."), `size` of marks; `z` in space."""

    x: Any
    y: Any
    label: str | None = None
    style: str = "-"
    color: Color = None
    width: float | None = None
    size: float | None = None
    z: Any = None
    hollow: bool = False
    opacity: float | None = None


@dataclass(frozen=True, eq=False)
class Field:
    """Values (n, m) over x (n,) and y (m,) as filled contours with a scale beside them; with names as one band each.

    NaN leaves a gap in a band.
    """

    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    names: tuple[str, ...] = ()  # of y


@dataclass(frozen=True, eq=False)
class Band:
    """The area between two curves over x."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    label: str | None = None
    color: Color = None
    opacity: float = 0.25


@dataclass(frozen=True, eq=False)
class Bar:
    """A horizontal bar from one number to another in the row of its name; the first name of a panel is on top.

    `height` is a part of the row; `label` is what bars of this kind are, for the legend.
    """

    name: str
    start: float
    end: float
    color: Color = None
    height: float = 0.8
    label: str | None = None


@dataclass(frozen=True, eq=False)
class Note:
    """A word at a place of a flat panel."""

    x: float
    y: float
    text: str
    color: Color = None


@dataclass(frozen=True, eq=False)
class Panel:
    """Curves in one pair of axes (three, if a curve has a `z`); `log` names those that are logarithmic ("y", "xy")."""

    title: str
    curves: Sequence[Curve]
    x: str = ""
    y: str = ""
    z: str = ""
    equal: bool = False  # one scale for all axes
    log: str = ""
    xlim: tuple[float | None, float | None] | None = None
    ylim: tuple[float | None, float | None] | None = None
    heights: bool = True  # whether the numbers of the y axis are shown
    field: Field | None = None
    bands: Sequence[Band] = ()
    bars: Sequence[Bar] = ()
    notes: Sequence[Note] = ()
    view: tuple[float, float] | None = None  # of a panel in space: the camera's elevation and azimuth [degrees]

    @property
    def solid(self) -> bool:
        """Whether it is drawn in space."""
        return any(curve.z is not None for curve in self.curves)


COVERED = 0.01  # of the range of all curves: one that is nearer to another would hide it


def curves(t: np.ndarray, rows: Mapping[str, np.ndarray]) -> list[Curve]:
    """Named functions of time; one that would hide another below it is dashed."""
    out, room = [], COVERED * max((float(np.ptp(y)) for y in rows.values()), default=0.0)
    for k, (name, y) in enumerate(rows.items()):
        hides = any(np.max(np.abs(np.asarray(y) - other)) < room for other in list(rows.values())[:k])
        out.append(Curve(t, y, name, "--" if hides else "-"))
    return out


def sticks(points: np.ndarray, plane: tuple[int, ...] = (0, 1), count: int = 9) -> list[Curve]:
    """Some moments of points (T, k, 3) joined in order, dark to light in time; `plane` are the axes that are drawn."""
    out = []
    for k in np.linspace(0, len(points) - 1, count).astype(int):
        x, y, *z = points[k].T[list(plane)]
        shade = 0.92 * float(k) / (len(points) - 1)
        out.append(Curve(x, y, z=z[0] if z else None, style="-o", color=shade, size=2.5, width=1.3))
    return out


def draw_chart(
    panels: Sequence[Panel],
    path=None,
    *,
    size: tuple[float, float] = (10.0, 4.4),
    columns: int | None = None,
    title: str | None = None,
    dpi: int = 110,
    light: bool = False,
):
    """Panels in rows of so many `columns` (default: one row) as a figure; saved to `path` if given.

    `size` is in inches; `light` gives panels a grid and no box.
    """
    figure, across = new_figure(size), columns or len(panels)
    down = -(-len(panels) // across)
    for k, panel in enumerate(panels):
        draw_panel(figure.add_subplot(down, across, k + 1, projection="3d" if panel.solid else None), panel, light)
    if title:
        figure.suptitle(title)
    return figure if path is None else save(figure, path, dpi)


def new_figure(size: tuple[float, float], layout: str | None = "constrained"):
    """An empty figure that needs no screen, `size` in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout=layout)  # type: ignore[arg-type]
    FigureCanvasAgg(figure)
    return figure


def save(figure, path, dpi: int):
    """Write a figure into a file and return it."""
    write_figure(figure, Path(path), dpi)
    return figure


def write_figure(figure, target: Path | BinaryIO, dpi: int) -> None:
    """Write a figure into a file; its panels are arranged first, so that it is drawn once, not twice."""
    arrangement, own = figure.get_layout_engine(), figure.dpi
    if arrangement is not None:
        figure.set_dpi(dpi)
        arrangement.execute(figure)
        figure.set_layout_engine("none")
    figure.savefig(target, dpi=dpi)
    figure.set_dpi(own)


def draw_panel(axes, panel: Panel, light: bool) -> None:
    """Draw a panel into axes; `light` gives it a grid and no box."""
    if light and not panel.solid:
        if panel.field is None:
            axes.grid(color="#e6e9ed", linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
    if panel.field is not None:
        _draw_field(axes, panel.field)
    for band in panel.bands:
        look = {"color": band.color, "alpha": band.opacity, "linewidth": 0.0}
        axes.fill_between(band.x, band.low, band.high, label=band.label, **look)
    for curve in panel.curves:
        _draw_curve(axes, curve)
    _draw_bars(axes, panel.bars)
    for note in panel.notes:
        axes.annotate(note.text, (note.x, note.y), color=note.color, fontsize=7, ha="center", va="center")
    _label(axes, panel)
    if any(drawn.label for drawn in (*panel.bands, *panel.curves, *panel.bars)):
        axes.legend(fontsize=8, frameon=not light, **({"loc": "lower right"} if panel.bars else {}))


def _draw_field(axes, field: Field) -> None:
    if not field.names:
        axes.figure.colorbar(axes.contourf(field.x, field.y, field.values.T, 12), ax=axes)
        return
    axes.figure.colorbar(axes.pcolormesh(field.x, field.y, field.values.T, shading="nearest"), ax=axes)
    axes.set_yticks(field.y, field.names, fontsize=max(3.0, min(8.0, 200.0 / len(field.names))))
    axes.invert_yaxis()


def _draw_bars(axes, bars: Sequence[Bar]) -> None:
    rows = {name: k for k, name in enumerate(dict.fromkeys(bar.name for bar in bars))}
    told: set[str | None] = {None}
    for bar in bars:
        look = {"color": bar.color, "height": bar.height, "label": None if bar.label in told else bar.label}
        axes.barh(rows[bar.name], bar.end - bar.start, left=bar.start, **look)
        told.add(bar.label)
    if bars:
        axes.set_yticks(range(len(rows)), list(rows))
        axes.set_ylim(len(rows) - 0.5 + max(0.6, 0.35 * len(rows)), -0.5)  # with room for the legend
        axes.set_axisbelow(True)
        axes.use_sticky_edges = False  # else bars end at the frame
        axes.margins(x=0.06)


def _draw_curve(axes, curve: Curve) -> None:
    from matplotlib import colormaps

    color = colormaps["viridis"](curve.color) if isinstance(curve.color, float) else curve.color
    given = {"color": color, "linewidth": curve.width, "markersize": curve.size, "alpha": curve.opacity}
    look = {name: value for name, value in given.items() if value is not None}
    if curve.hollow:
        look["markerfacecolor"] = "none"
    places = (curve.x, curve.y) if curve.z is None else (curve.x, curve.y, curve.z)
    axes.plot(*places, curve.style, label=curve.label, **look)


def _label(axes, panel: Panel) -> None:
    """Words, scales and limits."""
    axes.set(title=panel.title, xlabel=panel.x, ylabel=panel.y)
    if panel.solid:
        axes.set(zlabel=panel.z)
        axes.locator_params(nbins=4)
        axes.view_init(*(panel.view or (None, None)))
    if panel.equal:
        axes.set(aspect="equal")
    axes.set(**{f"{axis}scale": "log" for axis in panel.log})
    axes.set(**{name: limits for name, limits in (("xlim", panel.xlim), ("ylim", panel.ylim)) if limits is not None})
    if not panel.heights:
        axes.set(yticks=[])
