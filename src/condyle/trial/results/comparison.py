"""Two runs of the same trial side by side: what changed in angles, moments and errors of markers."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...design.report.html_report import page_of, picture_of, picture_section
from ...errors import BadFile, BadValue, require
from ...formats.archive import read_arrays
from ...formats.safe_files import as_path, existing, write_text
from ...plots import Curve, Panel, draw_chart
from ...typing import PathLike
from ..trial_steps import TrialResult
from .outputs import trial_numbers

COLORS = ("#3b4b5a", "#c0392b")
ACROSS, WIDTH, HEIGHT = 4, 12.0, 2.3
PAGE_NAME = "comparison.html"


class Change(NamedTuple):
    """How far two series are apart.

    Attributes
    ----------
    name : str
        Of the coordinate or the marker.
    rms, largest : float
        Of the difference over time, in `unit`.
    before, after : float
        Root mean squares of both, in `unit`.
    unit : str
    """

    name: str
    rms: float
    largest: float
    before: float
    after: float
    unit: str


@dataclass(frozen=True, eq=False)
class Comparison:
    """What changed between two runs of a trial, at the times that both have.

    Attributes
    ----------
    names : pair of str
        What the runs are called.
    angles : tuple of Change
        Of coordinates that both have [deg or m].
    moments : tuple of Change
        Of generalised forces [N m or N].
    markers : tuple of Change
        Of distances of measured from placed markers [mm].
    only : pair of tuple of str
        Coordinates that only one of them has.
    series : tuple of tuple
        (heading, name, unit, times, one, other) of every coordinate, for drawing.
    """

    names: tuple[str, str]
    angles: tuple[Change, ...]
    moments: tuple[Change, ...]
    markers: tuple[Change, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]
    series: tuple[tuple, ...]

    def __str__(self) -> str:
        parts = []
        for what, changes in (("angles", self.angles), ("moments", self.moments)):
            if changes:
                most = max(changes, key=lambda c: c.rms)
                parts.append(f"{what} change by up to {most.rms:.3g} {most.unit} ({most.name}, root mean square)")
        if self.markers:
            before, after = (np.sqrt(np.mean([getattr(c, k) ** 2 for c in self.markers])) for k in ("before", "after"))
            parts.append(f"marker error {before:.3g} → {after:.3g} mm")
        return "; ".join(parts) or "nothing in common"

    def page(self) -> str:
        """The comparison as one HTML page, with figures."""
        body = [f'<p class="lead">{html.escape(" and ".join(self.names))}: {html.escape(str(self))}.</p>']
        for side, name in zip(self.only, self.names, strict=True):
            body += [f"<p>Only {html.escape(name)} has {html.escape(', '.join(side))}.</p>"] if side else []
        for heading in dict.fromkeys(s[0] for s in self.series):
            caption = f"{html.escape(self.names[0])} in grey, {html.escape(self.names[1])} in red, over time [s]."
            body.append(picture_section(heading, caption, picture_of(self._figure(heading))))
        tables = (("Angles", self.angles), ("Moments", self.moments), ("Marker errors", self.markers))
        body += [_table(heading, changes, self.names) for heading, changes in tables if changes]
        return page_of(" and ".join(self.names), "\n".join(body))

    def save(self, folder: PathLike) -> Path:
        """Write the page.

        Parameters
        ----------
        folder : str or path
            Made if it is not there.

        Returns
        -------
        Path
            Of comparison.html.
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        write_text(place / PAGE_NAME, self.page())
        return place / PAGE_NAME

    def _figure(self, heading: str):
        panels = []
        for _, name, unit, times, one, other in (s for s in self.series if s[0] == heading):
            lines = [Curve(times, x, color=c, width=1.4) for x, c in zip((one, other), COLORS, strict=True)]
            panels.append(Panel(name, lines, "", unit))
        rows, across = -(-len(panels) // ACROSS), min(ACROSS, len(panels))
        size = (WIDTH * across / ACROSS, HEIGHT * rows + 0.3)
        return draw_chart(panels, size=size, columns=across, light=True)


def compare(
    a: TrialResult | PathLike, b: TrialResult | PathLike, *, names: tuple[str, str] | None = None
) -> Comparison:
    """What changed between two runs of the same trial: angles, moments and errors of markers.

    Coordinates and markers are matched by name, frames by time.

    Parameters
    ----------
    a, b : TrialResult or path
        Results of `run`, or folders that it wrote.
    names : pair of str, optional
        What they are called; by default "before" and "after", or the names of the folders.

    Returns
    -------
    Comparison

    Raises
    ------
    BadFile
        If a folder holds no results.
    BadValue
        If the two have no time in common.
    """
    one, other = _numbers(a), _numbers(b)
    called = names or _called(a, b)
    here, there = (tuple(map(str, x["coordinates"])) for x in (one, other))
    common = [name for name in here if name in there]
    series = [*_series(one, other, common, "Angles"), *_series(one, other, common, "Moments")]
    require(series, "the two trials have no frame or coordinate in common", BadValue, coordinates=(here[:4], there[:4]))
    only = tuple(n for n in here if n not in there), tuple(n for n in there if n not in here)
    angles, moments = (tuple(_change(s) for s in series if s[0] == heading) for heading in ("Angles", "Moments"))
    return Comparison(called, angles, moments, _marker_changes(one, other), only, tuple(series))


def _called(a, b) -> tuple[str, str]:
    folders = [Path(x).name for x in (a, b) if not isinstance(x, TrialResult)]
    return (folders[0], folders[1]) if len(folders) == 2 and folders[0] != folders[1] else ("before", "after")


def _numbers(x: TrialResult | PathLike) -> dict[str, np.ndarray]:
    """The arrays of a result, or of the folder where it was written."""
    if isinstance(x, TrialResult):
        require(x.kinematics is not None or x.dynamics is not None, f"trial {x.name!r} has no results here: give the "
                f"folder {x.folder}", BadValue)  # fmt: skip
        return trial_numbers(x.kinematics, x.dynamics)
    folder = as_path(x)
    files = sorted(folder.glob("*.npz")) if folder.is_dir() else [existing(folder)]
    require(len(files) == 1, f"{folder}: a folder of results of one trial holds one .npz file", BadFile,
            found=[f.name for f in files])  # fmt: skip
    found = read_arrays(files[0])
    require("coordinates" in found and "rotational" in found, f"{files[0]}: these are no results of a trial", BadFile)
    return found


KEYS = {"Angles": ("times", "q", "deg", "m"), "Moments": ("dynamics_times", "forces", "N m", "N")}


def _series(one: dict, other: dict, names: list[str], heading: str) -> list[tuple]:
    """Coordinates that both have, at the times that both have."""
    time, key, turning, shifting = KEYS[heading]
    if not all(time in x and key in x for x in (one, other)):
        return []
    rows = _same_times(one[time], other[time])
    found = []
    for name in names if len(rows[0]) else []:
        columns = [list(map(str, x["coordinates"])).index(name) for x in (one, other)]
        turns = bool(one["rotational"][columns[0]])
        values = [x[key][r, c] for x, r, c in zip((one, other), rows, columns, strict=True)]
        values = [np.degrees(x) for x in values] if turns and key == "q" else values
        found.append((heading, name, turning if turns else shifting, one[time][rows[0]], *values))
    return found


def _same_times(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of times that both have, to a microsecond."""
    _, first, second = np.intersect1d(np.round(a * 1e6), np.round(b * 1e6), return_indices=True)
    return first, second


def _change(s: tuple) -> Change:
    _, name, unit, _, one, other = s
    gap = other - one
    return Change(name, _rms(gap), float(np.abs(gap).max()), _rms(one), _rms(other), unit)


def _rms(x: np.ndarray) -> float:
    return float(np.sqrt(np.nanmean(np.square(x)))) if np.isfinite(x).any() else float("nan")


def _marker_changes(one: dict, other: dict) -> tuple[Change, ...]:
    if not all("marker_errors" in x for x in (one, other)):
        return ()
    rows = _same_times(one["times"], other["times"])
    here, there = (list(map(str, x["markers"])) for x in (one, other))
    found = []
    for name in (n for n in here if n in there):
        a, b = (
            1e3 * one["marker_errors"][rows[0], here.index(name)],
            1e3 * other["marker_errors"][rows[1], there.index(name)],
        )
        if np.isfinite(a - b).any():
            found.append(Change(name, _rms(b - a), float(np.nanmax(np.abs(b - a))), _rms(a), _rms(b), "mm"))
    return tuple(found)


def _table(heading: str, changes: tuple[Change, ...], names: tuple[str, str]) -> str:
    titles = ("", "difference (rms)", "largest", *(f"{html.escape(n)} (rms)" for n in names), "unit")
    head = "".join(f"<th>{title}</th>" for title in titles)
    rows = "".join(
        f"<tr><td>{html.escape(c.name)}</td><td>{c.rms:.4g}</td><td>{c.largest:.4g}</td><td>{c.before:.4g}</td>"
        f"<td>{c.after:.4g}</td><td>{c.unit}</td></tr>"
        for c in sorted(changes, key=lambda c: -c.rms)
    )
    return f"<h2>{heading}: what changed</h2><table><tr>{head}</tr>{rows}</table>"
