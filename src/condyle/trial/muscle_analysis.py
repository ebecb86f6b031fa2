"""Muscles of a motion: lengths, moment arms, activations of least effort, as tables by OpenSim's names and a page."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..design.report.html_report import number_table, page_of, picture_of, picture_section
from ..errors import amount, warn
from ..formats.safe_files import write_text
from ..formats.tables.table import Table
from ..formats.tables.table_files import write_table
from ..io.opensim.forces import ACTUATORS
from ..model import Model
from ..muscles import StaticOptimization, lengthening_speeds, lengths, moment_arms, names, static_optimization
from ..plots import Curve, Panel, draw_chart
from ..simulation import Trajectory
from ..typing import PathLike
from .external_loads.ground_reactions import ExternalLoads
from .inverse_dynamics import inverse_dynamics
from .inverse_kinematics import Kinematics
from .results.column_names import columns
from .results.moment_arm_explorer import explorer_code, moment_arm_explorer

ACROSS, WIDTH, HEIGHT = 4, 12.0, 2.3
SHOWN = 8  # names in a warning
TURNS = 1e-4  # a moment arm that never exceeds this is not drawn or written [m]


@dataclass(frozen=True)
class MuscleAnalysis:
    """What the muscles of a model do in a motion.

    Attributes
    ----------
    model : Model
    times : ndarray, shape (T,)
        In seconds.
    lengths, lengthening_speeds : ndarray, shape (T, muscles)
        Of the paths [m, m/s].
    moment_arms : ndarray, shape (T, muscles, nv)
        About all degrees of freedom [m].
    forces : ndarray, shape (T, nv)
        Generalised forces of the motion, from inverse dynamics [N m, N].
    optimization : StaticOptimization or None
        Activations and forces of least effort.
    q : ndarray, shape (T, nq), or None
        Coordinates of the motion [rad, m]; with them the page has moment arms over each coordinate.
    """

    model: Model
    times: np.ndarray
    lengths: np.ndarray
    lengthening_speeds: np.ndarray
    moment_arms: np.ndarray
    forces: np.ndarray
    optimization: StaticOptimization | None = None
    q: np.ndarray | None = None

    def __str__(self) -> str:
        return f"{amount(len(self.model.muscles), 'muscle')} in {amount(len(self.times), 'frame')}"

    def tables(self) -> dict[str, Table]:
        """Tables by the endings of OpenSim's file names."""
        found = {"MuscleAnalysis_Length": self.lengths, "MuscleAnalysis_LengtheningSpeed": self.lengthening_speeds}
        for c in columns(self.model):
            arms = self.moment_arms[:, :, c.v]
            if np.abs(arms).max(initial=0.0) > TURNS:
                found[f"MuscleAnalysis_MomentArm_{c.name}"] = arms
        tables = {ending: self._table(names(self.model), values) for ending, values in found.items()}
        if self.optimization is not None:
            tables |= self._optimized(self.optimization)
        return tables

    def _optimized(self, so: StaticOptimization) -> dict[str, Table]:
        reserves = tuple(f"{name}_reserve" for name in so.coordinates)
        both = np.concatenate([so.force, so.reserve], axis=1)
        return {
            "StaticOptimization_activation": self._table(so.names, so.activation),
            "StaticOptimization_force": self._table((*so.names, *reserves), both),
        }

    def _table(self, labels: tuple[str, ...], values: np.ndarray) -> Table:
        return Table(("time", *labels), np.column_stack([self.times, values]), in_degrees=False)

    def write(self, folder: PathLike, name: str = "motion") -> list[Path]:
        """Write all tables and a page with pictures.

        Parameters
        ----------
        folder : path
            Made if it does not exist.
        name : str, optional
            With which the names of the tables begin.

        Returns
        -------
        list of Path
            The page is the last.
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        paths = [write_table(t, place / f"{name}_{ending}.sto") for ending, t in self.tables().items()]
        page = place / "report.html"
        write_text(page, _page(self, name))
        return [*paths, page]


def analyze_muscles(
    model: Model,
    motion: PathLike | Kinematics | Trajectory,
    *,
    loads: PathLike | ExternalLoads | None = None,
    cutoff: float | None = None,
    span: tuple[float, float] | None = None,
    optimize: bool = True,
    reserves: float | Mapping[str, float] | None = None,
    power: float = 2.0,
) -> MuscleAnalysis:
    """What the muscles of a model do in a motion.

    Parameters
    ----------
    model : Model
        With muscles.
    motion : path, Kinematics or Trajectory
        A .mot, .sto or .csv file of coordinates, or what inverse kinematics found.
    loads : path or ExternalLoads, optional
        Ground reactions and other external forces; an .xml file of OpenSim is read by `read_external_loads`.
    cutoff : float, optional
        Of the low-pass filter of coordinates [Hz]; no filter by default.
    span : pair of float, optional
        First and last time of the result [s]; the whole motion by default.
    optimize : bool, optional
        Whether activations are found (`condyle.muscles.static_optimization`).
    reserves : float or mapping of str to float, optional
        Optimal forces of reserve actuators, as `static_optimization` takes them.
    power : float, optional
        To which activations are raised in the sum that is made least.

    Returns
    -------
    MuscleAnalysis

    Raises
    ------
    BadValue
        If the model has no muscles, or as `inverse_dynamics` and `static_optimization` do.
    """
    found = inverse_dynamics(model, motion, loads=loads, cutoff=cutoff, span=span)
    q, v = found.q, found.v
    if optimize:
        _tell_of_actuators(model)
    optimized = static_optimization(model, q, v, found.forces, reserves=reserves, power=power) if optimize else None
    return MuscleAnalysis(
        model, found.times, lengths(model, q), lengthening_speeds(model, q, v), moment_arms(model, q), found.forces,
        optimized, q,
    )  # fmt: skip


def _tell_of_actuators(model: Model) -> None:
    """Warn of what else drives the model of a file, which static optimisation does not use."""
    forces = () if model.opensim is None else model.opensim.forces
    driving = [f.name for f in forces if f.applies and f.kind in ACTUATORS]
    if driving:
        some = ", ".join(driving[:SHOWN]) + (", …" if len(driving) > SHOWN else "")
        warn(
            f"static optimisation does not use {amount(len(driving), 'actuator')} of the model ({some}), which OpenSim "
            "does: give optimal forces on their coordinates as reserves"
        )


def _page(found: MuscleAnalysis, title: str) -> str:
    """The page as HTML, with its figures inside."""
    facts = [("muscles", str(len(found.model.muscles))), ("frames", str(len(found.times)))]
    so = found.optimization
    if so is not None:
        largest = so.names[int(so.force.max(axis=0).argmax())]
        facts += [
            ("largest activation", f"{so.activation.max():.3g}"),
            ("largest force", f"{so.force.max():.4g} N ({largest})"),
            ("largest reserve", f"{np.abs(so.reserve).max(initial=0.0):.4g}"),
            ("largest moment that is missing", f"{np.abs(so.missing).max(initial=0.0):.3g}"),
        ]
    body = [f'<p class="lead">{html.escape(str(found))}.</p>', number_table(facts)]
    for heading, caption, panels in _figures(found):
        rows, across = -(-len(panels) // ACROSS), min(ACROSS, len(panels))
        size = (WIDTH * across / ACROSS, HEIGHT * rows + 0.3)
        figure = draw_chart(panels, size=size, columns=across, light=True)
        body.append(picture_section(heading, html.escape(caption), picture_of(figure)))
    if found.q is not None:
        body.append(moment_arm_explorer(found.model, found.q, TURNS))
    return page_of(f"Muscles of {title}", "\n".join(body), explorer_code())


def _figures(found: MuscleAnalysis) -> Iterator[tuple[str, str, list[Panel]]]:
    """Heading, caption and panels of each figure."""
    so, t, labels = found.optimization, found.times, names(found.model)
    if so is not None:
        yield "Activations", "Of least effort, over time [s].", _panels(t, labels, so.activation, "", (0.0, 1.0))
        yield "Forces", "Tension of each muscle, over time [s].", _panels(t, labels, so.force, "N")
    yield "Lengths", "Of the paths, over time [s].", _panels(t, labels, 1e3 * found.lengths, "mm")
    arms = []
    for c in columns(found.model):
        used = [k for k in range(len(labels)) if np.abs(found.moment_arms[:, k, c.v]).max() > TURNS]
        lines = [Curve(t, 1e3 * found.moment_arms[:, k, c.v], width=1.0) for k in used]
        arms += [Panel(c.name, lines, "", "mm")] if lines else []
    if arms:
        yield "Moment arms", "Of all muscles about each coordinate, over time [s].", arms


def _panels(t: np.ndarray, labels: tuple[str, ...], values: np.ndarray, unit: str, ylim=None) -> list[Panel]:
    return [Panel(name, [Curve(t, values[:, k], width=1.4)], "", unit, ylim=ylim) for k, name in enumerate(labels)]
