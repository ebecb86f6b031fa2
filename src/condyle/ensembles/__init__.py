"""Ensembles: a model or a function for many sets of parameters, on this machine or on a cluster."""

from typing import TYPE_CHECKING, Any

from .cluster import ClusterLost
from .designs import Design, grid, latin_hypercube, samples, sensitivity, sobol
from .ensemble import AllMembersFailed, FailedMembers, ensemble
from .ensemble_folder import open_ensemble
from .ensemble_result import Effect, Ensemble, Sensitivity, Summary

if TYPE_CHECKING:
    from .study_file import run_study

__all__ = [
    "AllMembersFailed",
    "ClusterLost",
    "Design",
    "Effect",
    "Ensemble",
    "FailedMembers",
    "Sensitivity",
    "Summary",
    "ensemble",
    "grid",
    "latin_hypercube",
    "open_ensemble",
    "run_study",
    "samples",
    "sensitivity",
    "sobol",
]


def __getattr__(name: str) -> Any:
    if name == "run_study":  # reads files, which worker processes need not load
        from .study_file import run_study

        return run_study
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
