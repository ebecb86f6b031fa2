"""Damaged files of every kind: a named error or a valid object; never a traceback, a hang, damage or the network."""

import contextlib
import os
import random
import re
import socket
import time
import warnings

import numpy as np
import pytest
from seeds import ARRAYS, LIMIT, npz, seeds

import condyle as cd
from condyle.formats.bvh import read_bvh
from condyle.formats.trc import read_trc
from condyle.gallery import leg

COUNTS = (500, pytest.param(int(os.environ.get("CONDYLE_FUZZ", "10000")), marks=pytest.mark.slow))  # how many files
READERS = {".trc": read_trc, ".bvh": lambda path: read_bvh(path).positions()}
TOKENS = b"nan inf -1 0 1e308 1e-308 999999999999999999999 [] {} true x [[]] < > ] } = 1_0 ' \" \0 \xff".split()
TOKENS += [b"\n", b"<!DOCTYPE a>", b'""']


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
    """A trajectory with an array of another shape or type."""
    shapes = [np.zeros(rng.choice(((), (0,), (4,), (4, 2), (2, 4, 3))))]
    other = [*shapes, "text", 7, np.full((4, 3), np.nan), np.zeros(4, "U3")]
    return npz(ARRAYS | ({rng.choice(list(ARRAYS)): rng.choice(other)} if rng.random() < 0.7 else {}), np.savez)


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
            thing = READERS[path.suffix](path) if path.suffix in READERS else cd.load(path, model=model)
            used(thing)
    except cd.CondyleError as error:
        return "refused" if str(path) in str(error) else pytest.fail(f"the file is not named: {error}\n{damaged!r}")
    except Exception as error:
        return pytest.fail(f"{type(error).__name__}: {error} from {path.suffix}:\n{damaged!r}")
    assert path.suffix in READERS or isinstance(thing, (cd.Model, cd.joints.Joint, cd.Trajectory))
    return "valid"


def used(thing):
    """What was loaded can be asked for poses: no surprise waits in it."""
    with contextlib.suppress(cd.CondyleError):
        if isinstance(thing, cd.Model):
            cd.forward_kinematics(thing, thing.neutral())
        elif isinstance(thing, cd.joints.Joint):
            thing.pose(middle(thing))


def middle(joint):
    """A q inside the domain."""
    blocks = []
    for (low, high), (width, _) in zip(joint.domain, joint.widths, strict=True):
        inside = 0.5 * (low + high) if np.isfinite(low + high) else 0.0
        blocks += [[inside]] if width == 1 else [[1.0] + [0.0] * (width - 1)]
    return np.concatenate([np.zeros(0), *blocks])


@pytest.mark.parametrize("count", COUNTS)
def test_damaged_files_are_refused_in_words_or_valid(count, tmp_path, monkeypatch):
    """Oracle: the kind of what comes out; the folder's other files; a socket that cannot be opened."""

    def no_network(*_, **__):
        raise AssertionError("a file opened a socket")

    sources = seeds(tmp_path)
    assert all(len(data) < LIMIT for _, data in sources)
    kinds = {".toml", ".urdf", ".npz", ".csv", ".sto", ".mot", ".trc", ".bvh"}
    assert {suffix for suffix, _ in sources} == kinds and len(sources) >= 38
    model = leg()
    for k, (suffix, data) in enumerate(sources):  # sound as they are; what must be compiled is
        (path := tmp_path / f"{k}{suffix}").write_bytes(data)
        assert outcome(path, None if b"model.npy" in data else model, data) == "valid", data
    for path in tmp_path.iterdir():
        path.unlink()
    monkeypatch.setattr(socket, "socket", no_network)
    rng, outcomes = random.Random(count), {"refused": 0, "valid": 0}
    for k in range(count):
        suffix, data = sources[k % len(sources)]
        path = tmp_path / f"file{suffix}"
        path.write_bytes(damaged := mutated(data, rng))
        begin = time.process_time()
        outcomes[outcome(path, None if b"model.npy" in data else model, damaged)] += 1
        assert time.process_time() - begin < 60.0, damaged  # a file takes milliseconds; what has no end is told
        assert path.read_bytes() == damaged and len(list(tmp_path.iterdir())) == 1
        path.unlink()
    assert min(outcomes.values()) > count / 20, outcomes


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
