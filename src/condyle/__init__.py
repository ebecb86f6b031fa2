"""Articulated bodies whose joints move like real ones. `import condyle as cd`; names load on first use (PEP 562)."""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

_MODULES = {
    "constraints": "model.constraints",
    "control": "control",
    "design": "design",
    "functions": "joints.functions",
    "gallery": "gallery",
    "ik": "ik",
    "joints": "joints",
    "shapes": "model.shapes",
    "skeleton": "skeleton",
    "view": "view",
    "workspace": "workspace",
}
_HOMES = {
    "spatial": ("SE3", "Inertia"),
    "model": ("Marker", "Model", "ModelBuilder"),
    "dynamics": (
        "bias_forces",
        "body_accelerations",
        "body_jacobian",
        "body_jacobian_rate",
        "body_velocities",
        "center_of_mass",
        "constraint_forces",
        "difference",
        "energy",
        "forward_dynamics",
        "forward_kinematics",
        "integrate",
        "inverse_dynamics",
        "linearize",
        "mass_matrix",
        "momentum",
        "point_jacobian",
        "point_jacobian_rate",
        "project",
        "world_force",
    ),
    "simulation": ("Trajectory", "simulate", "stiff_limits"),
    "io": ("load", "save"),
    "formats": ("Table", "read_table", "write_table"),
    "errors": ("CondyleError", "CondyleWarning", "Interrupted"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [*_HOME_OF, *_MODULES]  # noqa: PLE0604  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str):
    if name in _HOME_OF:
        return getattr(import_module(f"condyle.{_HOME_OF[name]}"), name)
    if name in _MODULES or name in _HOMES:
        return import_module(f"condyle.{_MODULES.get(name, name)}")
    raise AttributeError(f"module 'condyle' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
