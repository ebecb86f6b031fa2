"""A model of MuJoCo, a character of motion capture
================================================

A figure in MuJoCo's format (MJCF) swings from a bar, and its motion becomes a BVH file and a glTF file with bones,
which animation programs open.

All files are written here. BVH and glTF are read again as characters, whose poses are those of the simulation, in glTF
to the four bytes of its numbers. Leaves a player in demo/swinger.html.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd

LIMB = """<body name="{0}" pos="{1}"><joint name="{0}" axis="0 1 0" range="{2}"/>
<geom type="capsule" fromto="0 0 0 0 0 -{3}" size="{4}"/>{5}</body>"""


def mjcf() -> str:
    """The file: trunk, thigh and shank below hands on a bar; the knee is bent by the hip."""
    shank = LIMB.format("shank", "0 0 -0.45", "-2 0", 0.42, 0.05, "")
    thigh = LIMB.format("thigh", "0 0 -0.6", "-1 2", 0.45, 0.07, shank)
    trunk = LIMB.format("trunk", "0 0 -0.6", "-1 1", 0.6, 0.12, thigh)
    arms = LIMB.format("arms", "0 0 2.6", "-3 3", 0.6, 0.05, trunk)
    return f"""<mujoco><compiler angle="radian"/>
<default><joint damping="0.5" armature="0.01"/><geom density="900" rgba="0.8 0.6 0.4 1"/></default>
<worldbody>{arms}</worldbody>
<equality><joint joint1="shank" joint2="thigh" polycoef="0 -0.8 0 0 0"/></equality></mujoco>"""


def opened(folder: Path) -> cd.Model:
    """The model of the file."""
    path = folder / "swinger.xml"
    path.write_text(mjcf())
    return cd.load(path)


def swung(model: cd.Model) -> cd.Trajectory:
    """Two seconds from arms leaning back."""
    return cd.simulate(model, [0.9, 0.1, 0.3], duration=2.0, step=2e-3, record=1 / 50)


def main(folder: str = "demo") -> None:
    """Open the model, swing it, write the character and a player."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    model = opened(out)
    print("\n".join(model.notes))
    motion = swung(model)
    character = cd.load(cd.save(motion, out / "swinger.bvh"))
    print(f"{len(character.t)} frames of {', '.join(b.name for b in character.model.bodies)}")
    print(cd.load(cd.view.export(motion, out / "swinger.glb", armature=True)))
    cd.view.export(motion, out / "swinger.png", time=0.7, camera=(8.0, -60.0))
    cd.view.export(motion, out / "swinger.html", title="A figure of MuJoCo swings from a bar")
    print(f"Open {out / 'swinger.html'}.")


def check() -> None:
    """The knee follows the hip, and the character moves as the model does."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        model = opened(Path(folder))
        motion = swung(model)
        character = cd.load(cd.save(motion, Path(folder) / "swinger.bvh"))
        bones = cd.load(cd.view.export(motion, Path(folder) / "swinger.glb", armature=True))
    assert model.coordinates == ("arms", "trunk", "thigh")  # the shank follows: it is no coordinate
    assert [b.name for b in character.model.bodies] == ["arms", "trunk", "thigh", "shank"]
    for name in ("arms", "trunk", "thigh", "shank"):
        ours = motion.poses().as_matrix()[:, model.body_index(name)]
        theirs = character.poses().as_matrix()[:, character.model.body_index(name)]
        assert np.abs(ours - theirs).max() < 1e-9
    turn = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # glTF's up is y
    places = motion.poses().xyz[:, [model.body_index(name) for name in bones.model.names]] @ turn.T
    assert np.abs(bones.poses().xyz[[0, -1]] - places[[0, -1]]).max() < 1e-6


if __name__ == "__main__":
    main(*sys.argv[1:])
