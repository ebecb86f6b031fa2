"""Articulated bodies whose joints move like real ones. `import condyle as cd`; names load on first use (PEP 562)."""

from __future__ import annotations as _annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from .offers import offer as _offer

__version__ = "0.1.0"

if _TYPE_CHECKING:  # what editors and type checkers see; a test compares it with the tables below
    from . import (
        control,
        design,
        ensembles,
        errors,
        forces,
        gallery,
        ik,
        joints,
        muscles,
        skeleton,
        spatial,
        trial,
        workspace,
    )
    from .dynamics import (
        Evaluator,
        bias_forces,
        body_accelerations,
        body_hessian,
        body_jacobian,
        body_jacobian_rate,
        body_velocities,
        center_of_mass,
        center_of_mass_hessian,
        center_of_mass_jacobian,
        constraint_forces,
        difference,
        element_forces,
        energy,
        energy_hessian,
        forward_dynamics,
        forward_dynamics_jvp,
        forward_dynamics_vjp,
        forward_kinematics,
        ground_contacts,
        integrate,
        inverse_dynamics,
        inverse_dynamics_derivatives,
        inverse_dynamics_vjp,
        linearize,
        mass_matrix,
        momentum,
        momentum_derivatives,
        point_hessian,
        point_jacobian,
        point_jacobian_rate,
        project,
        rerooted_state,
        world_force,
    )
    from .ensembles import ensemble
    from .errors import CondyleError, CondyleWarning, Interrupted
    from .formats import Table, read_table, write_table
    from .identification import MeasuredMotion, identify, identify_dynamics
    from .io import load, open_run, read_character, save, write_character
    from .joints import functions
    from .model import Marker, Model, ModelBuilder, constraints
    from .model.look import shapes
    from .simulation import Trajectory, simulate, simulate_vjp, stiff_limits
    from .spatial import SE3, Inertia
    from .splines import bezier
    from .view import ViewPackage as _ViewPackage

    view: _ViewPackage

_MODULES = {
    "bezier": "splines.bezier",
    "constraints": "model.constraints",
    "control": "control",
    "design": "design",
    "ensembles": "ensembles",
    "errors": "errors",
    "forces": "forces",
    "functions": "joints.functions",
    "gallery": "gallery",
    "ik": "ik",
    "joints": "joints",
    "muscles": "muscles",
    "shapes": "model.look.shapes",
    "skeleton": "skeleton",
    "spatial": "spatial",
    "trial": "trial",
    "view": "view",
    "workspace": "workspace",
}
_HOMES = {
    "spatial": ("SE3", "Inertia"),
    "model": ("Marker", "Model", "ModelBuilder"),
    "dynamics": (
        "Evaluator",
        "bias_forces",
        "body_accelerations",
        "body_hessian",
        "body_jacobian",
        "body_jacobian_rate",
        "body_velocities",
        "center_of_mass",
        "center_of_mass_hessian",
        "center_of_mass_jacobian",
        "constraint_forces",
        "difference",
        "element_forces",
        "energy",
        "energy_hessian",
        "forward_dynamics",
        "forward_dynamics_jvp",
        "forward_dynamics_vjp",
        "forward_kinematics",
        "ground_contacts",
        "integrate",
        "inverse_dynamics",
        "inverse_dynamics_derivatives",
        "inverse_dynamics_vjp",
        "linearize",
        "mass_matrix",
        "momentum",
        "momentum_derivatives",
        "point_hessian",
        "point_jacobian",
        "point_jacobian_rate",
        "project",
        "rerooted_state",
        "world_force",
    ),
    "simulation": ("Trajectory", "simulate", "simulate_vjp", "stiff_limits"),
    "ensembles": ("ensemble",),
    "identification": ("MeasuredMotion", "identify", "identify_dynamics"),
    "io": ("load", "open_run", "read_character", "save", "write_character"),
    "formats": ("Table", "read_table", "write_table"),
    "errors": ("CondyleError", "CondyleWarning", "Interrupted"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "SE3",
    "CondyleError",
    "CondyleWarning",
    "Evaluator",
    "Inertia",
    "Interrupted",
    "Marker",
    "MeasuredMotion",
    "Model",
    "ModelBuilder",
    "Table",
    "Trajectory",
    "bezier",
    "bias_forces",
    "body_accelerations",
    "body_hessian",
    "body_jacobian",
    "body_jacobian_rate",
    "body_velocities",
    "center_of_mass",
    "center_of_mass_hessian",
    "center_of_mass_jacobian",
    "constraint_forces",
    "constraints",
    "control",
    "design",
    "difference",
    "element_forces",
    "energy",
    "energy_hessian",
    "ensemble",
    "ensembles",
    "errors",
    "forces",
    "forward_dynamics",
    "forward_dynamics_jvp",
    "forward_dynamics_vjp",
    "forward_kinematics",
    "functions",
    "gallery",
    "ground_contacts",
    "identify",
    "identify_dynamics",
    "ik",
    "integrate",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_dynamics_vjp",
    "joints",
    "linearize",
    "load",
    "mass_matrix",
    "momentum",
    "momentum_derivatives",
    "muscles",
    "open_run",
    "point_hessian",
    "point_jacobian",
    "point_jacobian_rate",
    "project",
    "read_character",
    "read_table",
    "rerooted_state",
    "save",
    "shapes",
    "simulate",
    "simulate_vjp",
    "skeleton",
    "spatial",
    "stiff_limits",
    "trial",
    "view",
    "workspace",
    "world_force",
    "write_character",
    "write_table",
]


def __getattr__(name: str):
    if name in _HOME_OF:
        found = getattr(_import_module(f"condyle.{_HOME_OF[name]}"), name)
    elif name in _MODULES or name in _HOMES:
        found = _import_module(f"condyle.{_MODULES.get(name, name)}")
    else:
        raise AttributeError(f"module 'condyle' has no attribute {name!r}")
    globals()[name] = found  # it is not asked for again: this takes longer than many calls do
    return found


_offer("model", lambda: _import_module("condyle.io").save)
_offer("notebook", lambda: _import_module("condyle.view.notebook").notebook_view)
_offer("muscles", lambda: _import_module("condyle.muscles"))


def __dir__() -> list[str]:
    """Public names only, so that `cd.<TAB>` can be read."""
    return sorted([*__all__, "__version__"])
