"""`Unwritten`: what a file for another program does not have of a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import NotInModel, NotSupported, amount, require, warn
from ..model import Model


@dataclass
class Unwritten:
    """Words for what a file does not have.

    Attributes
    ----------
    acts : list of str
        What moves or holds the model: without it the file is another mechanism.
    says : list of str
        What the model says and nothing moves by, like markers.
    shows : list of str
        Pictures, and what came with another program's file and does not act in the model either.
    """

    acts: list[str] = field(default_factory=list)
    says: list[str] = field(default_factory=list)
    shows: list[str] = field(default_factory=list)

    def all(self) -> tuple[str, ...]:
        """All of it, each once.

        Returns
        -------
        tuple of str
        """
        return tuple(dict.fromkeys((*self.acts, *self.says, *self.shows)))

    def require_none(self, path: Path) -> None:
        """Refuse a file that is to have the whole model.

        Parameters
        ----------
        path : Path
            The file.

        Raises
        ------
        NotSupported
            If the file would lack anything but pictures and what does not act in the model.
        """
        lost = list(dict.fromkeys((*self.acts, *self.says)))
        words = f"{path} cannot have all of the model: {', '.join(lost)}; approximate=True writes the rest, and says so"
        require(not lost, words, NotSupported)

    def tell(self, path: Path) -> None:
        """Warn of what the file does not have.

        Parameters
        ----------
        path : Path
            The file.
        """
        if self.all():
            warn(f"{path} does not have {', '.join(self.all())}", NotInModel)


def armed(model: Model) -> list[str]:
    """Words for the armature of coordinates, by name.

    Parameters
    ----------
    model : Model

    Returns
    -------
    list of str
    """
    names = [repr(name) for name, rating in model.ratings.items() if rating.armature]
    return [f"the armature of {', '.join(names)}"] if names else []


def one_sided(model: Model) -> list[str]:
    """Words for ranges that have one end only.

    Parameters
    ----------
    model : Model

    Returns
    -------
    list of str
    """
    ends = {name: np.isfinite(model.ranges[name]).sum() for name in model.coordinates if name in model.ranges}
    return [f"the range of {name!r}, which has one end" for name, finite in ends.items() if finite == 1]


def rated(model: Model, known: Iterable[str] = ()) -> list[str]:
    """Words for largest speeds and efforts and for friction, of which a format has those in `known`.

    Parameters
    ----------
    model : Model
    known : iterable of str, optional
        Fields of `Rating` that the file has.

    Returns
    -------
    list of str
    """
    words = {"velocity": "largest speeds", "effort": "largest efforts", "friction": "friction"}
    silent = {"velocity": np.inf, "effort": np.inf, "friction": 0.0}
    found = []
    for key in (key for key in words if key not in known):
        names = [repr(name) for name, rating in model.ratings.items() if getattr(rating, key) != silent[key]]
        found += [f"{words[key]} of {', '.join(names)}"] if names else []
    return found


def records(model: Model) -> list[str]:
    """Words for what came with another program's file and is written to no other.

    Parameters
    ----------
    model : Model

    Returns
    -------
    list of str
    """
    found = [] if model.mujoco is None else ["tendons, actuators and keyframes of model.mujoco"]
    if model.opensim is None:
        return found
    known = {m.name for m in model.muscles}
    kinds = [f.kind for f in model.opensim.forces if not f.acts and f.name not in known]
    kinds += [c.kind for c in (*model.opensim.contact_geometry, *model.opensim.others)]
    used = {w.name for w in model.wraps}
    kinds += [w.kind for w in model.opensim.wraps if w.name not in used]
    return found + [f"{amount(kinds.count(kind), kind, kind)} of model.opensim" for kind in dict.fromkeys(kinds)]
