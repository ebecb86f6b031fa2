"""What a trial leaves on disk: tables by OpenSim's names, arrays, pictures and a page."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ...formats.archive import write_arrays
from ...formats.safe_files import read_text, write_bytes, write_text
from ...formats.tables.sto import sto_text
from ...formats.tables.table import Table
from ..inverse_dynamics import Dynamics
from ..inverse_kinematics import Kinematics
from ..joint_reactions import springs_between_bodies
from ..scaling import ScaledModel
from .column_names import columns
from .trial_figures import trial_figures
from .trial_report import report_page

SCALING, PAGE_NAME = "scaling.json", "report.html"


def marker_error_table(found: Kinematics) -> Table:
    """Squared error, root mean square, largest, and the error of each marker, over time [m]."""
    errors = found.errors
    seen = np.where(np.isfinite(errors), errors, 0.0)
    total = (found.weights * seen**2).sum(axis=1)
    summary = (found.times, total, found.rms, seen.max(axis=1))
    names = ("time", "total_squared_error", "marker_error_RMS", "marker_error_max", *found.markers)
    return Table(names, np.column_stack([*summary, errors]), in_degrees=False)


def write_scaling(found: ScaledModel, folder: Path) -> Path:
    """What was scaled by how much."""
    said = {
        "mass": float(sum(body.inertia.mass for body in found.model.bodies)),
        "factors": {name: [float(x) for x in factors] for name, factors in found.factors.items()},
        "measured": found.measured,
        "notes": list(found.notes),
    }
    write_text(folder / SCALING, json.dumps(said, indent=1) + "\n")
    return folder / SCALING


def scaling_notes(model: Path) -> list[str]:
    """What `write_scaling` wrote beside a model, in words; nothing if it was not scaled here."""
    path = model.parent / SCALING
    if not path.is_file():
        return []
    said = json.loads(read_text(path))
    factors = {body: " ".join(f"{x:.4g}" for x in f) for body, f in said["factors"].items() if set(f) != {1.0}}
    words = "; ".join(f"{body} {f}" for body, f in factors.items()) or "no body"
    return [f"model {model.name} was scaled to {said['mass']:.4g} kg; factors: {words}", *said["notes"]]


def write_kinematics(found: Kinematics, folder: Path, name: str) -> list[Path]:
    """The motion and the errors of its markers."""
    motion, errors = folder / f"{name}.mot", folder / f"{name}_marker_errors.sto"
    write_text(motion, sto_text(found.table(), "Coordinates"))
    write_text(errors, sto_text(marker_error_table(found), "Marker errors from inverse kinematics"))
    return [motion, errors]


def write_dynamics(found: Dynamics, folder: Path, name: str) -> list[Path]:
    """Generalised forces, and reactions of joints unless springs or ligaments between bodies are in their way."""
    path, reactions = folder / f"{name}.sto", folder / f"{name}_joint_reactions.sto"
    write_text(path, sto_text(found.table(), "Inverse Dynamics Generalized Forces"))
    if springs_between_bodies(found.model):
        return [path]
    write_text(reactions, sto_text(found.joint_reactions().table(), "Joint reactions"))
    return [path, reactions]


def write_numbers(path: Path, kinematics: Kinematics | None, dynamics: Dynamics | None) -> Path:
    """All numbers as arrays, in SI units and radians."""
    write_arrays(path, trial_numbers(kinematics, dynamics))
    return path


def trial_numbers(kinematics: Kinematics | None, dynamics: Dynamics | None) -> dict[str, np.ndarray]:
    """All numbers of a trial by name."""
    arrays: dict[str, np.ndarray] = {}
    if kinematics is not None:
        arrays |= {
            "times": kinematics.times, "q": kinematics.q, "markers": np.array(kinematics.markers),
            "measured": kinematics.measured, "placed": kinematics.placed, "marker_errors": kinematics.errors,
            "stationary": kinematics.stationary,
        }  # fmt: skip
    if dynamics is not None:
        kinetic, potential, _ = dynamics.energy
        arrays |= {
            "dynamics_times": dynamics.times, "filtered_q": dynamics.q, "v": dynamics.v, "a": dynamics.a,
            "forces": dynamics.forces, "power": dynamics.power, "wrenches": dynamics.wrenches,
            "center_of_mass": dynamics.center_of_mass, "kinetic_energy": kinetic, "potential_energy": potential,
            "mass": np.array(dynamics.mass),
        }  # fmt: skip
    model = next(x.model for x in (kinematics, dynamics) if x is not None)
    arrays["coordinates"] = np.array([c.name for c in columns(model)])
    arrays["rotational"] = np.array([c.rotational for c in columns(model)])
    arrays["bodies"] = np.array(model.names)
    return arrays


def write_pictures(
    folder: Path, title: str, kinematics: Kinematics | None, dynamics: Dynamics | None, notes: tuple[str, ...]
) -> list[Path]:  # fmt: skip
    """Figures as files, and the page that has them all."""
    figures = trial_figures(kinematics, dynamics)
    paths = []
    for figure in figures:
        paths.append(folder / f"{figure.name}.png")
        write_bytes(paths[-1], lambda file, picture=figure.picture: file.write(picture))
    page = folder / PAGE_NAME
    write_text(page, report_page(title, kinematics, dynamics, notes, figures))
    return [*paths, page]
