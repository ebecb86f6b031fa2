"""A body that rolls on its parent without slip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import BadShape, BadValue, require, unknown_name
from ...joints import Joint
from ..model import Model
from ..resolved_constraints import Rolling
from .constraint import Constraint


@dataclass(frozen=True, eq=False)
class Roll(Constraint):
    """A body rolls on its parent without slip at a moving contact frame C of the joint's frame F.

    Attributes
    ----------
    body : str
        The body that rolls.
    contact : Joint
        X_FC as a function of the joint's coordinates.
    tangents : tuple of int
        Axes of the contact frame along which there is no slip.
    """

    body: str
    contact: Joint
    tangents: tuple[int, ...]

    def bound(self, model: Model) -> Rolling:
        """One row for each tangent: the relative velocity of the two material points at the contact, along it.

        Parameters
        ----------
        model : Model

        Returns
        -------
        Rolling

        Raises
        ------
        UnknownName
            If the body, or a coordinate that the contact reads, does not exist.
        BadShape
            If a coordinate is a quaternion in the joint or in the contact, but not in both.
        """
        i = model.body_index(self.body)
        joint, name = model.bodies[i].joint, model.bodies[i].joint_name
        offsets = []
        for c, widths in zip(self.contact.coordinates, self.contact.widths, strict=True):
            if c not in joint.coordinates:
                raise unknown_name("coordinate", c, joint.coordinates, f"joint {name!r}, which the contact must read")
            k = joint.coordinates.index(c)
            require(
                joint.widths[k] == widths,
                f"roll of {self.body!r}: coordinate {c!r} is a quaternion in the joint or in the contact, not in both;"
                " make the contact from the parts that the joint is composed of",
                BadShape,
            )
            offsets.append(joint.offsets[k])
        return Rolling(f"rolling of {self.body!r}", i, self.contact, tuple(offsets), self.tangents)


def roll(body: str, contact: Joint, tangents: Sequence[int] = (0, 1)) -> Roll:
    """No slip between a body and its parent at the contact frame X_FC = `contact`, along its axes `tangents`.

    The contact is a joint whose coordinates are named as (some of) those of the body's own joint: for a joint
    compose(surface, other.inverse()) it is the first part. F is the joint's frame in the parent (`placement`).

    Parameters
    ----------
    body : str
        Name of the body that rolls on its parent.
    contact : Joint
        The contact frame as a function of the joint's coordinates.
    tangents : pair of int, optional
        Axes of the contact frame along which there is no slip.

    Returns
    -------
    Roll
        To be given to `ModelBuilder.add_constraint`.

    Raises
    ------
    BadValue
        If `contact` is not a joint, or the tangents are not different axes.
    """
    require(isinstance(contact, Joint), "roll: contact must come from cd.joints", BadValue, got=type(contact).__name__)
    axes = tuple(tangents)
    good = axes and set(axes) <= {0, 1, 2} and len(set(axes)) == len(axes)
    require(good, "roll: tangents must be different axes of the contact frame, 0, 1 or 2", BadValue, tangents=axes)
    return Roll(body, contact, axes)
