"""Ensembles: a model or a function for many sets of parameters, on this machine or on a cluster."""

from .cluster import ClusterLost
from .designs import Design, grid, latin_hypercube, samples, sensitivity, sobol
from .ensemble import FailedMembers, ensemble
from .records import open_ensemble
from .result import Effect, Ensemble, Sensitivity, Summary
from .study_file import run_study

__all__ = [
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


def __dir__() -> list[str]:
    return sorted(__all__)
