"""Friction between surfaces as a function of slip."""

from ...numeric import inlined, larger, sqrt


@inlined
def stribeck_drag(z, c, squared):
    """Friction per normal force over the slip velocity, whose square is given; see Simbody's Hunt-Crossley force.

    μ(v)/v with μ = min(v/v_t, 1) (μ_d + 2 (μ_s − μ_d) / (1 + (v/v_t)²)) + μ_v v; v_t is the transition velocity.
    """
    most = c.transition_velocity * c.transition_velocity
    ratio = squared / most
    dry = c.dynamic_friction + 2.0 * (c.static_friction - c.dynamic_friction) / (1.0 + ratio)
    return dry / sqrt(larger(squared, z + most)) + c.viscous_friction
