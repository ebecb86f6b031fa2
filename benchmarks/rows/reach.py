"""(w) Reach of an arm: all elbows of a goal, the best posture, batches, and how much the tree of boxes looks at."""

from ..reach import measure

__all__ = ["measure"]
