"""Directing motion: coordinates an animator thinks in, inverse dynamics, closed loops."""

from .animation_dynamics import AnimationForm, animation_forces, animation_form, effective_inertia, reactions
from .animation_space import AnimationSpace
from .assembly import assembled, projected_velocity
from .carried.carried_motion import CarriedMotion, CarryingForces, carrying_forces, direct_carried
from .carried.carried_replay import CarriedReplay, replay_carried
from .carried.contacts import Contact, contact
from .closed_form_dynamics import TensorForm, tensor_form
from .coordinates.coordinate import Coordinate
from .coordinates.jet_functions import spline
from .coordinates.jets import Jet, cross, dot, norm
from .coordinates.loop_gaps import closing
from .coordinates.orientations import angle, orientation, spin
from .coordinates.pose_jet import Posture
from .coordinates.positions import center_of_mass, distance, momentum, point
from .coordinates.user import function, joint
from .directing import Directed, direct
from .goals import Keyframes, keyframes
from .loop_dynamics import (
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
from .modified_dh import Link, screw_chain
from .motion_limits import Kept, keep, support
from .ode_steppers import bulirsch_stoer
from .optimal.optimize import OptimalMotion, optimize
from .optimal.sparse_program import Optimality
from .resolution import Resolution, Resolved, resolve_acceleration, resolve_torque, resolve_velocity
from .torque_replay import Replay, TorqueFunctions, replay, torque_functions
from .tracker import Tracker

__all__ = [
    "AnimationForm",
    "AnimationSpace",
    "CarriedMotion",
    "CarriedReplay",
    "CarryingForces",
    "Constrained",
    "Contact",
    "Coordinate",
    "Directed",
    "Jet",
    "Kept",
    "Keyframes",
    "Link",
    "Mobility",
    "OptimalMotion",
    "Optimality",
    "Posture",
    "Replay",
    "Resolution",
    "Resolved",
    "Shared",
    "TensorForm",
    "TorqueFunctions",
    "Tracker",
    "angle",
    "animation_forces",
    "animation_form",
    "assembled",
    "bulirsch_stoer",
    "carrying_forces",
    "center_of_mass",
    "closing",
    "contact",
    "cross",
    "direct",
    "direct_carried",
    "distance",
    "dot",
    "effective_inertia",
    "extended_acceleration",
    "function",
    "joint",
    "keep",
    "keyframes",
    "mobility",
    "momentum",
    "norm",
    "optimize",
    "orientation",
    "partitioned_acceleration",
    "point",
    "projected_velocity",
    "reactions",
    "replay",
    "replay_carried",
    "resolve_acceleration",
    "resolve_torque",
    "resolve_velocity",
    "screw_chain",
    "shared_forces",
    "soft_forces",
    "spin",
    "spline",
    "stiffness_matrix",
    "support",
    "tensor_form",
    "torque_functions",
]


def __dir__() -> list[str]:
    return sorted(__all__)
