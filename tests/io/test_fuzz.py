"""Damaged files of every kind: a named error or a valid object; never a traceback, a hang, damage or the network."""

import io
import os
import random
import re
import socket
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from robot import ROBOT

import condyle as cd
from condyle.gallery import leg

sys.path.insert(0, str(Path(__file__).parents[1] / "joints"))
from samples import KINDS

COUNT = int(os.environ.get("CONDYLE_FUZZ", "10000"))
LIMIT = 4096  # [bytes] of a seed file

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
PRODUCT = """condyle = 1
kind = "joint"
[joint]
type = "product"
twists = [[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]]
functions = [{ type = "linear" }, { type = "spline", controls = [0, 1, 2, 0, 1] },
  { type = "sinusoid", amplitude = 0.1, coordinate = 1 }, { type = "ellipse_angle", a = 1, b = 2 }]
"""
TOKENS = b"nan inf -1 0 1e308 1e-308 999999999999999999999 [] {} true x [[]] < > ] } = 1_0 ' \" \0 \xff".split()
TOKENS += [b"\n", b"<!DOCTYPE a>", b'""']


def npz_seed():
    out = io.BytesIO()
    np.savez_compressed(out, condyle=1, kind="trajectory", t=np.arange(4.0), q=np.zeros((4, 3)), v=np.zeros((4, 3)))
    return out.getvalue()


def seeds(folder):
    """(suffix, bytes) of files of every kind."""
    found = [
        (".toml", MODEL.encode()),
        (".toml", PRODUCT.encode()),
        (".toml", SURFACE.encode()),
        (".urdf", ROBOT.encode()),
        (".npz", npz_seed()),
    ]
    found.append((".csv", b"time,hip,knee,ankle\n0,0,-1,0\n0.1,0.1,-1,0\n"))
    found.append((".sto", b"x\ninDegrees=yes\nendheader\ntime\thip\tknee\tankle\n0\t0\t-1\t0\n1\t1\t1\t1\n"))
    for kind in KINDS:
        data = cd.save(KINDS[kind], folder / "seed.toml").read_bytes()
        found += [(".toml", data)] if len(data) < LIMIT and b".npz" not in data else []
    return found


SURFACE = f"""condyle = 1
kind = "joint"
[joint]
type = "spline_surface"
controls = {np.round(np.random.default_rng(0).normal(size=(4, 4, 6)), 1).tolist()}
names = ["u", "v"]
"""
NUMBER, WORD = re.compile(rb"-?\d+(?:\.\d+)?(?:e-?\d+)?"), re.compile(rb'"\w+"')
VALUES = b"0 1 -1 2 3 0.5 -0.25 7 100 1e-9 1e9 1e200 -1e308 64 1000000".split()


def revalued(data, rng):
    """Other numbers and names in the same form: what syntax alone cannot refuse."""
    pattern = rng.choice((NUMBER, NUMBER, WORD))
    found = list(pattern.finditer(data))
    if not found:
        return data
    at = rng.choice(found)
    other = rng.choice(VALUES) if pattern is NUMBER else rng.choice(found).group()
    return data[: at.start()] + other + data[at.end() :]


def rearranged(rng):
    """A trajectory with arrays of other shapes and types."""
    arrays = {"condyle": 1, "kind": "trajectory", "t": np.arange(4.0), "q": np.zeros((4, 3)), "v": np.zeros((4, 3))}
    key = rng.choice(list(arrays))
    other = [
        np.zeros(rng.choice(((), (0,), (4,), (4, 2), (2, 4, 3)))),
        "text",
        7,
        np.full((4, 3), np.nan),
        np.zeros(4, "U3"),
    ]
    arrays[key] = rng.choice(other) if rng.random() < 0.7 else arrays[key]
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def mutated(data, rng):
    """One to four small damages."""
    if rng.random() < 0.5:
        return rearranged(rng) if data[:2] == b"PK" else revalued(data, rng)
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, size = rng.randrange(len(data) + 1), rng.choice((1, 2, 5, 20))
        action = rng.randrange(6)
        if action == 0:
            data[at : at + size] = b""
        elif action == 1:
            data[at:at] = rng.choice(TOKENS)
        elif action == 2:
            data[at : at + size] = rng.choice(TOKENS)
        elif action == 3:
            data[at : at + 1] = bytes([rng.randrange(256)])
        elif action == 4:
            data[at:at] = data[at : at + 10 * size]
        else:
            words = bytes(data).split(b" ")
            k = rng.randrange(len(words))
            words[k] = rng.choice(TOKENS)
            data = bytearray(b" ".join(words))
        if not data:
            data = bytearray(b"x")
    return bytes(data)


def outcome(path, model, damaged):
    """Whether a file is valid or refused in words that name it; anything else fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            thing = cd.load(path, model=model)
    except cd.CondyleError as error:
        return "refused" if str(path) in str(error) else pytest.fail(f"the file is not named: {error}\n{damaged!r}")
    except Exception as error:
        return pytest.fail(f"{type(error).__name__}: {error} from {path.suffix}:\n{damaged!r}")
    assert isinstance(thing, (cd.Model, cd.joints.Joint, cd.Trajectory))
    return "valid"


def test_damaged_files_are_refused_in_words_or_valid(tmp_path, monkeypatch):
    """Oracle: the kind of what comes out; the folder's other files; a socket that cannot be opened."""

    def no_network(*_, **__):
        raise AssertionError("a file opened a socket")

    sources = seeds(tmp_path)
    assert all(len(data) < LIMIT for _, data in sources)
    assert {suffix for suffix, _ in sources} == {".toml", ".urdf", ".npz", ".csv", ".sto"} and len(sources) >= 16
    model = leg()
    for k, (suffix, data) in enumerate(sources):  # sound as they are; what must be compiled is
        (tmp_path / f"{k}{suffix}").write_bytes(data)
        if suffix != ".npz":
            cd.load(tmp_path / f"{k}{suffix}", model=model)
    for path in tmp_path.iterdir():
        path.unlink()
    monkeypatch.setattr(socket, "socket", no_network)
    rng, begin = random.Random(0), time.perf_counter()
    outcomes = {"refused": 0, "valid": 0}
    for k in range(COUNT):
        suffix, data = sources[k % len(sources)]
        path = tmp_path / f"file{suffix}"
        path.write_bytes(damaged := mutated(data, rng))
        one = time.perf_counter()
        outcomes[outcome(path, model, damaged)] += 1
        assert time.perf_counter() - one < 5.0, damaged
        assert path.read_bytes() == damaged and len(list(tmp_path.iterdir())) == 1
        path.unlink()
    assert min(outcomes.values()) > COUNT / 20, outcomes
    assert time.perf_counter() - begin < 300


def test_xml_bombs_are_refused(tmp_path):
    """Oracle: the words, and no time to expand a billion laughs."""
    entities = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10 if k else "ha"}">' for k in range(10))
    path = tmp_path / "bomb.urdf"
    path.write_text(f'<!DOCTYPE r [{entities}]><robot name="&a9;"/>')
    with pytest.raises(cd.CondyleError, match="a document type or entity is refused"):
        cd.load(path)
    path.write_text('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><robot name="&x;"/>')
    with pytest.raises(cd.CondyleError, match="a document type or entity is refused"):
        cd.load(path)
