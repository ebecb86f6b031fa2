"""The public names of condyle, and where the reference has each: as a user writes it, `condyle.` for `cd.`."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from types import ModuleType

import condyle

# every module with public names; what several of them have is shown in the first
MODULES = (
    "condyle",
    "condyle.joints",
    "condyle.functions",
    "condyle.model",
    "condyle.constraints",
    "condyle.forces",
    "condyle.shapes",
    "condyle.dynamics",
    "condyle.simulation",
    "condyle.spatial",
    "condyle.design",
    "condyle.identification",
    "condyle.ik",
    "condyle.muscles",
    "condyle.trial",
    "condyle.ensembles",
    "condyle.control",
    "condyle.skeleton",
    "condyle.workspace",
    "condyle.bezier",
    "condyle.io",
    "condyle.formats",
    "condyle.view",
    "condyle.gallery",
    "condyle.errors",
)

# the names of `import condyle as cd`, in the order in which one needs them
GROUPS = {
    "Poses, bodies, models": ("SE3", "Inertia", "ModelBuilder", "Model", "Marker"),
    "Kinematics": (
        *("forward_kinematics", "body_velocities", "body_accelerations", "body_jacobian", "body_jacobian_rate"),
        *("body_hessian", "point_hessian", "center_of_mass_jacobian", "center_of_mass_hessian"),
        *("momentum_derivatives", "energy_hessian"),
        *("point_jacobian", "point_jacobian_rate", "integrate", "difference", "project", "center_of_mass"),
        "rerooted_state",
    ),
    "Dynamics": (
        *(
            "forward_dynamics",
            "inverse_dynamics",
            "mass_matrix",
            "bias_forces",
            "constraint_forces",
            "element_forces",
            "world_force",
        ),
        *("linearize", "inverse_dynamics_derivatives", "forward_dynamics_vjp", "inverse_dynamics_vjp"),
        "forward_dynamics_jvp",
        *("energy", "momentum", "Evaluator"),
    ),
    "Simulation": ("simulate", "simulate_vjp", "Trajectory", "open_run", "ensemble", "stiff_limits", "ground_contacts"),
    "Identification": ("MeasuredMotion", "identify", "identify_dynamics"),
    "Files and tables": (*("load", "save", "read_table", "write_table", "Table", "read_character", "write_character"),),
    "Errors and warnings": ("CondyleError", "CondyleWarning", "Interrupted"),
}


def module_at(path: str) -> ModuleType:
    """The module; `condyle.constraints` is an attribute of condyle, not a place to import from."""
    try:
        return import_module(path)
    except ModuleNotFoundError:
        return getattr(condyle, path.removeprefix("condyle."))


def public(path: str) -> dict[str, object]:
    """The public names of a module but for modules."""
    module = module_at(path)
    order = [name for names in GROUPS.values() for name in names] if path == "condyle" else module.__all__
    things = {name: getattr(module, name) for name in order}
    return {name: thing for name, thing in things.items() if not inspect.ismodule(thing)}


@cache
def homes() -> dict[int, str]:
    """Identity of every public class and function → the first module that has it."""
    found: dict[int, str] = {}
    for path in MODULES:
        for thing in public(path).values():
            found.setdefault(id(thing), path)
    return found


def shown(path: str) -> list[str]:
    """Names that the reference shows under a module."""
    return [name for name, thing in public(path).items() if not callable(thing) or homes()[id(thing)] == path]


@cache
def full_names() -> dict[str, str]:
    """Short name → full name, for names that occur once; a top-level name wins."""
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for name in shown(path):
            found.setdefault(name, []).append(f"{path}.{name}")
    return {name: full[0] for name, full in found.items() if len(full) == 1 or full[0] == f"condyle.{name}"}
