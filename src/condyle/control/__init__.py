"""Directing motion: coordinates an animator thinks in, inverse dynamics, closed loops."""

from .animation_dynamics import AnimationForm, animation_forces, animation_form, effective_inertia, reactions
from .assembly import assembled, projected_velocity
from .closing import closing
from .coordinate import Coordinate
from .directing import Directed, direct
from .goals import Keyframes, keyframes
from .jets import Jet, cross, dot, norm
from .loops import (
    Constrained,
    Mobility,
    Shared,
    extended_acceleration,
    mobility,
    partitioned_acceleration,
    shared_forces,
    soft_forces,
    stiffness_matrix,
)
from .marching import bulirsch_stoer
from .own import function, joint
from .places import center_of_mass, distance, momentum, point
from .posture import Posture
from .resolution import Resolution, Resolved, resolve_acceleration, resolve_torque, resolve_velocity
from .screw_table import Link, screw_chain
from .space import AnimationSpace
from .tensors import TensorForm, tensor_form
from .torques import Replay, TorqueFunctions, replay, torque_functions
from .turns import angle, orientation, spin

__all__ = [
    "AnimationForm",
    "AnimationSpace",
    "Constrained",
    "Coordinate",
    "Directed",
    "Jet",
    "Keyframes",
    "Link",
    "Mobility",
    "Posture",
    "Replay",
    "Resolution",
    "Resolved",
    "Shared",
    "TensorForm",
    "TorqueFunctions",
    "angle",
    "animation_forces",
    "animation_form",
    "assembled",
    "bulirsch_stoer",
    "center_of_mass",
    "closing",
    "cross",
    "direct",
    "distance",
    "dot",
    "effective_inertia",
    "extended_acceleration",
    "function",
    "joint",
    "keyframes",
    "mobility",
    "momentum",
    "norm",
    "orientation",
    "partitioned_acceleration",
    "point",
    "projected_velocity",
    "reactions",
    "replay",
    "resolve_acceleration",
    "resolve_torque",
    "resolve_velocity",
    "screw_chain",
    "shared_forces",
    "soft_forces",
    "spin",
    "stiffness_matrix",
    "tensor_form",
    "torque_functions",
]
