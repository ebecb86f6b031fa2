"""A posture as a row of numbers, written by the inverse (from a goal) and the forward (from twist and flexion)."""

from __future__ import annotations

from ...numeric import as_int64, entry, kernel
from ...spatial.kernels.algebra import add3, scale3
from .elbow_surface import Place, rigid, twist_limits
from .measured_rim import outside
from .nearest_hand import freed
from .posture import (
    FREE,
    UpperArm,
    clavicle_and_shoulder,
    closest_hand,
    forearm_frame,
    judged,
    position_penalty,
    turned,
    upper_arm,
    wrist_angles,
)
from .wrist import CHANGE, STARTS, SWEEPS, Effort

STAGE, CURVES, CURVE, PARAMETER, PATCH, X, Y = 0, 1, 2, 3, 4, 5, 6
SHOULDER, ELBOW, WRIST, TWIST, SPAN, ANGLES = 7, 10, 13, 16, 17, 18
FIRST, SECOND, COMFORT, LEFT, BOXES, LEAVES, OUTSIDE, PROVEN, WIDTH = 27, 28, 29, 30, 31, 32, 33, 34, 35


@kernel
def write3(out, row, k, a):
    out[row, k], out[row, k + 1], out[row, k + 2] = a[0], a[1], a[2]


@kernel
def write_arm(t, place, arm, out, row):
    """Places, positions and the first six angles; returns the forearm's frame."""
    frame = forearm_frame(arm.side, arm.z, arm.flexion)
    out[row, PATCH], out[row, X], out[row, Y] = place
    out[row, OUTSIDE] = outside(t, place.x, place.y)
    out[row, TWIST], out[row, SPAN] = arm.twist, arm.span
    write3(out, row, SHOULDER, arm.shoulder)
    write3(out, row, ELBOW, arm.elbow)
    write3(out, row, WRIST, add3(arm.elbow, scale3(t.lengths[2], (frame[2], frame[5], frame[8]))))
    five = clavicle_and_shoulder(t, arm.shoulder, arm.side, arm.z)
    for k in range(5):
        out[row, ANGLES + k] = five[k]
    out[row, ANGLES + 5] = arm.flexion
    return frame


@kernel
def write_posture(t, place, goal, clamp, out, row):
    """The posture at a place that points the forearm at the goal; `clamp` keeps the wrist inside its limits."""
    patch, x, y = place
    arm = upper_arm(t, patch, x, y, goal.g)
    if clamp and goal.mode != FREE:
        arm = freed(t, arm, goal)
    frame = write_arm(t, place, arm, out, row)
    out[row, FIRST], out[row, SECOND], out[row, COMFORT] = judged(t, patch, x, y, arm, goal)
    out[row, FIRST] = position_penalty(t, arm.twist, arm.span, arm.flexion)  # that of limits alone
    angles, left = (0.0, 0.0, 0.0), 0.0
    if goal.mode != FREE:
        if clamp:
            angles, left = closest_hand(t, frame, goal, Effort(as_int64(STARTS), as_int64(SWEEPS), CHANGE))
        else:
            angles = wrist_angles(t, frame, goal)
    write3(out, row, ANGLES + 6, angles)
    out[row, LEFT] = left


@entry
def write_forward(t, patches, places, twists, flexions, wrists, out):
    """The posture at each place with the given share of the twist range, flexion and wrist angles."""
    for n in range(places.shape[0]):
        patch, x, y = patches[n], places[n, 0], places[n, 1]
        s, z, e, _, _ = rigid(t, patch, x, y)
        x0, span = twist_limits(t, patch, x, y, z)
        twist = twists[n] * span
        arm = UpperArm(s, e, z, turned(x0, z, twist), twist, span, flexions[n])
        write_arm(t, Place(patch, x, y), arm, out, n)
        write3(out, n, ANGLES + 6, (wrists[n, 0], wrists[n, 1], wrists[n, 2]))
        out[n, FIRST] = position_penalty(t, twist, span, flexions[n])
