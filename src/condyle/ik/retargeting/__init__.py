"""A motion on another skeleton, with feet that stand."""

from .foot_locking import Contact
from .retarget import Retargeted, retarget

__all__ = ["Contact", "Retargeted", "retarget"]
