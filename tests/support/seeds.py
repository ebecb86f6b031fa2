"""Sound small files of every kind that condyle reads, to be damaged."""

import io

import numpy as np

import condyle as cd
from condyle.control import TorqueFunctions
from condyle.formats.tables.marker_frames import Markers
from condyle.formats.tables.trc import write_trc
from condyle.gallery import three_bodies
from condyle.workspace import fit_arm, synthetic_subject
from support.gltf_files import Hand
from support.mjcf_files import EVERYTHING
from support.osim_files import everything, old_file
from support.robot import MIMIC, ROBOT
from support.samples import SAMPLES, random_frames
from support.sdf_files import ARM, SdfTree
from support.written_joints import FORMS

LARGE, LIMIT = 4096, 16384  # [bytes] of a seed file

MODEL = """condyle = 1
kind = "model"
gravity = [0, 0, -9.81]
[[bodies]]
name = "a"
joint = { type = "revolute", axis = [1, 2, 2], point = [0, 0, 1] }
inertia = { mass = 1.5, com = [0, 0.1, 0], moment = [1, 1, 1, 0.1, 0, 0] }
shapes = [{ type = "sphere", size = [0.1] }, { type = "capsule", size = [0.1, 0.3], color = [0, 0, 1] }]
[[bodies]]
name = "b"
parent = "a"
joint = { type = "spline_curve", frames = [{}, { xyz = [1, 0, 0] }, { xyz = [1, 1, 0] }, { xyz = [0, 1, 1] }] }
inertia = { mass = 1, moment = [1, 1, 1] }
placement = { xyz = [0, 0, 1], wxyz = [0.8, 0, 0.6, 0] }
[[bodies]]
name = "c"
parent = "b"
joint = { type = "compose", joints = [{ type = "ball" }, { type = "elliptic", a = 2, b = 1 }] }
inertia = { mass = 1, moment = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }
[[loads]]
type = "spring"
body_a = "a"
point_a = [0, 0, 0]
point_b = [1, 0, 0]
stiffness = 10
length = 1
[[loads]]
type = "limit"
coordinate = "a"
low = -1
stiffness = 5
[[ranges]]
coordinate = "a"
low = -2
high = 2
[[prescribed]]
coordinate = "b"
times = [0, 1, 2, 3, 4, 5]
values = [0, 1, 0, 1, 0, 1]
"""
BOX = "inertia = { mass = 1, moment = [1, 1, 1] }\n"
HELD = f"""condyle = 1
kind = "model"
[[bodies]]
name = "a"
joint = {{ type = "revolute", axis = "y" }}
{BOX}[[bodies]]
name = "b"
parent = "a"
placement = {{ xyz = [0.3, 0, 0] }}
joint = {{ type = "planar", names = ["x", "z", "turn"] }}
{BOX}[[bodies]]
name = "disk"
joint = {{ type = "compose", joints = [{{ type = "planar" }}, {{ type = "revolute", axis = "x", name = "spin" }}] }}
{BOX}[[constraints]]
type = "point"
body_a = "b"
point_b = [0.3, 0, 0]
[[constraints]]
type = "weld"
body_a = "b"
frame_b = {{ xyz = [0.3, 0, 0] }}
[[constraints]]
type = "couple"
coordinate = "a"
other = "b.turn"
ratio = 2
[[constraints]]
type = "roll"
body = "disk"
contact = {{ type = "planar" }}
[[loads]]
type = "damping"
coordinate = "a"
damping = 0.1
[[loads]]
type = "stiffness"
coordinate = "b.x"
stiffness = 3
rest = 0.1
[[loads]]
type = "force"
coordinate = "b.z"
force = 2
[[prescribed]]
coordinate = "disk.spin"
value = 0.3
"""
BVH = """HIERARCHY
ROOT chest
{ OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT arm
  { OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    { OFFSET 0 -30 0 } } }
MOTION
Frames: 2
Frame Time: 0.008333
0 100 0 0 0 0 0 0 0
5 100 0 0 0 90 90 0 0
"""
ARRAYS = {"condyle": 1, "kind": "trajectory", "t": np.arange(4.0), "q": np.zeros((4, 3)), "v": np.zeros((4, 3))}


def npz(arrays, save=np.savez_compressed):
    out = io.BytesIO()
    save(out, **arrays)
    return out.getvalue()


def seeds(folder):
    """(suffix, bytes) of files of every kind."""
    found = [(".toml", MODEL.encode()), (".toml", HELD.encode()), (".urdf", ROBOT.encode()), (".urdf", MIMIC.encode())]
    found += [(".osim", text.encode()) for text in (everything(), old_file())] + [(".xml", EVERYTHING.encode())]
    found += [(".sdf", text.encode()) for text in (ARM, SdfTree(0, 4).text)]
    found += [(".toml", f'condyle = 1\nkind = "joint"\n[joint]\n{text}\n'.encode()) for text in FORMS]
    short = cd.joints.spline_curve(random_frames(4))
    loop = cd.joints.spline_curve(random_frames(4, size=0.3), periodic=True)
    for joint in (*SAMPLES.values(), short, short.inverse(), loop):
        data = cd.save(joint, folder / "seed.toml").read_bytes()
        found += [(".toml", data)] if len(data) < LARGE else []
    return found + [(".toml", _long_arrays(folder)), *_motions(folder), *_others(folder)]


def _long_arrays(folder):
    """A joint whose frames are stored as an array of the file."""
    path = cd.save(cd.joints.spline_curve(random_frames(14)), folder / "seed.toml")
    assert b"[arrays." in path.read_bytes()
    return path.read_bytes()


def _others(folder):
    """An arm, the motion of a skeleton and torques."""
    x = np.zeros((4, 3))
    arm = fit_arm(synthetic_subject("female", count=60), smoothing=1e-5)
    motion = three_bodies().simulate(duration=0.02, step=0.01)
    yield ".toml", cd.save(arm, folder / "seed.toml").read_bytes()
    for thing in (motion, TorqueFunctions(np.arange(4.0), x, x, x)):
        with np.load(cd.save(thing, folder / "seed.npz")) as stored:
            yield ".npz", npz(dict(stored))


def _motions(folder):
    rows = b"0\t0\t-1\t0\n1\t1\t1\t1\n"
    found = [
        (".npz", npz(ARRAYS)),
        (".npz", _with_its_model(folder)),
        (".csv", b"time,hip,knee,ankle\n0,0,-1,0\n0.1,0.1,-1,0\n"),
        (".sto", b"x\ninDegrees=yes\nendheader\ntime\thip\tknee\tankle\n" + rows),
        (".mot", b"x\nendheader\ntime\t/j/hip/hip/value\t/j/knee/value\t/j/ankle/x/value\n" + rows),
        (".bvh", BVH.encode()),
        (".gltf", Hand().text()),
        (".glb", Hand().binary()),
    ]
    points = np.round(np.random.default_rng(0).normal(size=(3, 2, 3)), 3)
    write_trc(Markers(("a", "b"), np.arange(3) / 100, points), folder / "seed.trc")
    return [*found, (".trc", (folder / "seed.trc").read_bytes())]


def _with_its_model(folder):
    arm = cd.ModelBuilder().add_body("arm", joint=cd.joints.revolute("x"), inertia=cd.Inertia.sphere(1.0, 0.1)).build()
    path = cd.save(cd.Trajectory(arm, np.arange(2.0), np.zeros((2, 1)), np.zeros((2, 1))), folder / "seed.npz")
    with np.load(path) as stored:
        return npz(dict(stored))
