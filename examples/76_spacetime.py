"""Directed motion beside spacetime constraints
============================================

The same task, torque cost and error of both. Directing finds joint motion moment by moment; spacetime constraints
(Witkin and Kass, 1988) make the whole motion discrete and minimise its torque at once. Prints both; a player and a
chart in demo/.
"""

from __future__ import annotations

from condyle import demos
from condyle.gallery import account, directed_reach, spacetime_reach


def main(folder: str = "demo") -> None:
    """Both, side by side."""
    print(demos.run("spacetime", folder).summary)


def check() -> None:
    """Both plans meet the goal; spacetime asks for less torque, directing is truer to the physics."""
    first, second = account(directed_reach()), account(spacetime_reach())
    assert first.planned < 1e-6 and second.planned < 1e-3
    assert second.cost < first.cost
    assert first.replayed < second.replayed


if __name__ == "__main__":
    main()
