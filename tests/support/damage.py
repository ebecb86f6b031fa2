"""Damaged files of every kind that condyle reads: a named error or a valid object, never anything else.

`PYTHONPATH=tests python -m support.damage 100000` prints how many were refused and valid, and the time of the slowest;
with suffixes after the number, of these kinds alone.
"""

import contextlib
import io
import random
import re
import sys
import tempfile
import time
import warnings
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.control import TorqueFunctions
from condyle.formats.tables.trc import read_trc
from condyle.gallery import leg
from condyle.skeleton import Trajectory as SkeletonMotion
from condyle.workspace import Arm
from support.seeds import npz, seeds

CHARACTERS = dict.fromkeys((".bvh", ".gltf", ".glb"), cd.read_character)
READERS = {".trc": read_trc} | CHARACTERS
KINDS = (cd.Model, cd.joints.Joint, cd.Trajectory, SkeletonMotion, TorqueFunctions, Arm)
TOKENS = b"nan inf -1 0 1e308 1e-308 999999999999999999999 [] {} true x [[]] < > ] } = 1_0 ' \" \0 \xff".split()
TOKENS += [b"\n", b"<!DOCTYPE a>", b'""']
NUMBER, WORD = re.compile(rb"-?\d+(?:\.\d+)?(?:e-?\d+)?"), re.compile(rb'"\w+"')
VALUES = b"0 1 -1 2 3 0.5 -0.25 7 100 1e-9 1e9 1e200 -1e308 64 1000000".split()


class Bad(AssertionError):
    """A file that was neither refused in words nor valid."""


def revalued(data, rng):
    """Other numbers and names in the same form: what syntax alone cannot refuse."""
    pattern = rng.choice((NUMBER, NUMBER, WORD))
    found = list(pattern.finditer(data))
    if not found:
        return data
    at = rng.choice(found)
    other = rng.choice(VALUES) if pattern is NUMBER else rng.choice(found).group()
    return data[: at.start()] + other + data[at.end() :]


def rearranged(data, rng):
    """An .npz with an array of other numbers, another shape or type, or without it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        arrays = {name.removesuffix(".npy"): np.load(io.BytesIO(archive.read(name))) for name in archive.namelist()}
    name = rng.choice(list(arrays))
    x = arrays[name]
    shape = rng.choice(((), (0,), (4,), (4, 2), (2, 4, 3), x.shape[::-1], (*x.shape, 1), (1, *x.shape)))
    others = [np.zeros(shape), "text", 7, None, np.full(shape, np.nan), np.zeros(shape, "U3"), x[:1] if x.ndim else x]
    if x.dtype.kind in "fiu":
        others += [np.full_like(x, rng.choice((0, 1, -1, 7, 1000))), x.astype(complex), x.astype(str), -x]
        others += [np.where(np.arange(x.size).reshape(x.shape) == x.size // 2, np.nan, x), x.astype(np.float32)]
    arrays[name] = rng.choice(others)
    return npz({key: y for key, y in arrays.items() if y is not None}, np.savez)


def mutated(data, rng):
    """One to four small damages."""
    if rng.random() < 0.5:
        return rearranged(data, rng) if data[:2] == b"PK" else revalued(data, rng)
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


def outcome(path, model, content):
    """Whether a file is valid or refused in words that name it; anything else is `Bad`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            warnings.simplefilter("error", RuntimeWarning)
            thing = READERS[path.suffix](path) if path.suffix in READERS else cd.load(path, model=model)
            use(thing)
    except cd.CondyleError as error:
        if str(path) in str(error):
            return "refused"
        raise Bad(f"the file is not named: {error}\n{content!r}") from error
    except Exception as error:
        raise Bad(f"{type(error).__name__}: {error} from {path.suffix}:\n{content!r}") from error
    if path.suffix not in READERS and not isinstance(thing, KINDS):
        raise Bad(f"{thing!r} from {path.suffix}:\n{content!r}")
    return "valid"


def use(thing):
    """What was loaded can be asked for poses or energies: no surprise waits in it."""
    with contextlib.suppress(cd.CondyleError):
        if isinstance(thing, cd.Model):
            cd.forward_kinematics(thing, thing.neutral())
        elif isinstance(thing, cd.joints.Joint):
            thing.pose(middle(thing))
        elif isinstance(thing, cd.Trajectory):
            repr(thing), thing.poses()
        elif isinstance(thing, SkeletonMotion):
            repr(thing), thing.as_trajectory()
        elif isinstance(thing, TorqueFunctions):
            thing.at(thing.t[0])


def middle(joint):
    """A q inside the domain."""
    blocks = []
    for (low, high), (width, _) in zip(joint.domain, joint.widths, strict=True):
        inside = 0.5 * (low + high) if np.isfinite(low + high) else 0.0
        blocks += [[inside]] if width == 1 else [[1.0] + [0.0] * (width - 1)]
    return np.concatenate([np.zeros(0), *blocks])


def sound(folder):
    """(suffix, bytes, model to load it with) of sound files of every kind; each was loaded as it is."""
    model, found = leg(), []
    for k, (suffix, data) in enumerate(seeds(folder)):
        own = b"model.npy" in data
        (path := folder / f"{k}{suffix}").write_bytes(data)
        if outcome(path, None if own else model, data) != "valid":
            raise Bad(f"a sound file is refused: {data!r}")
        found.append((suffix, data, None if own else model))
    for path in folder.iterdir():
        path.unlink()
    return found


def count_outcomes(folder, sources, count, seed, watch=lambda path, seconds: None, known=None):
    """{"refused": …, "valid": …} of damaged copies of the sources, one after another; the folder has no other file.

    About a third of 100,000 damages give bytes that an earlier one gave: a file is loaded once, and counted each time.
    `known` has the outcomes of those before, and keeps these.
    """
    rng, outcomes, folder = random.Random(seed), {"refused": 0, "valid": 0}, Path(folder)
    known = {} if known is None else known
    for k in range(count):
        suffix, data, model = sources[k % len(sources)]
        content = mutated(data, rng)
        key = suffix, model is None, sha256(content).digest()
        if key not in known:
            known[key] = _loaded_once(folder / f"file{suffix}", model, content, watch)
        outcomes[known[key]] += 1
    return outcomes


def _loaded_once(path, model, content, watch):
    """The outcome of a file with this content, which loading leaves alone in its folder as it was."""
    path.write_bytes(content)
    begin = time.process_time()
    found = outcome(path, model, content)
    watch(path, time.process_time() - begin)
    if path.read_bytes() != content or len(list(path.parent.iterdir())) != 1:
        raise Bad(f"loading changed the folder:\n{content!r}")
    path.unlink()
    return found


def main(count, suffixes=()):
    """Print counts, the bad files too."""
    slowest, bad, totals = [0.0], 0, {"refused": 0, "valid": 0}
    with tempfile.TemporaryDirectory() as folder:
        sources = [x for x in sound(Path(folder)) if not suffixes or x[0] in suffixes]
        for block in range(0, count, 100):
            try:
                found = count_outcomes(
                    folder, sources, 100, block, lambda path, s: slowest.append(max(slowest.pop(), s))
                )
                totals = {key: totals[key] + found[key] for key in totals}
            except Bad as error:
                bad += 1
                print(error, flush=True)
                for path in Path(folder).iterdir():
                    path.unlink()
    print(f"{count} files: {totals}, bad {bad}; the slowest took {slowest[0]:.2f} s of processor time")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
