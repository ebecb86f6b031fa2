"""The kinds of loads on coordinates: the names of their constants in order, and which of them are limits."""

from .kernels.layout import CONSTANT, DAMPER, GRADUAL_LIMIT, LIMIT, SOFT_LIMIT, SPRING_DAMPER

ENDS = ("low", "high")
CONSTANTS = {
    SPRING_DAMPER: ("stiffness", "rest", "damping"),
    LIMIT: (*ENDS, "stiffness", "damping"),
    DAMPER: ("damping",),
    CONSTANT: ("force",),
    SOFT_LIMIT: (*ENDS, "stiffness_below", "stiffness_above", "damping", "transition"),
    GRADUAL_LIMIT: (*ENDS, "stiffness", "damping", "damping_depth"),
}
WORDS = {
    SPRING_DAMPER: "spring",
    LIMIT: "limit",
    DAMPER: "damper",
    CONSTANT: "constant force",
    SOFT_LIMIT: "soft limit",
    GRADUAL_LIMIT: "limit",
}
LIMITS = frozenset(kind for kind, names in CONSTANTS.items() if names[:2] == ENDS)  # they push back beyond their ends
