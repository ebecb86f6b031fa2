"""Damaged folders of records: the numbers that were computed, NaN with a warning, or a named error; nothing else.

`PYTHONPATH=tests python -m support.damaged_folders 10000` prints how many of each there were.
"""

import json
import random
import sys
import tempfile
import warnings
from pathlib import Path
from unittest.mock import patch

import numpy as np

import condyle as cd
from condyle.gallery import leg
from condyle.skeleton import SkeletonBuilder
from support.damage import Bad, mutated

NOT_RECORDS = ("writer.lock", "model-missing.txt")
PLACES = {"run": "simulation.recordings.tree_recording", "skeleton run": "skeleton.recording"}
MANIFEST = "manifest.json"
KINDS = (*PLACES, "ensemble")


def parabola(p):
    """A function of two numbers, and a curve."""
    return {"y": 2.0 + p["x"] ** 2, "curve": np.arange(3.0) * p["x"]}


def line():
    """Six members."""
    return cd.ensembles.samples({"x": np.arange(6.0), "z": np.ones(6)})


def swinging():
    """Two rods."""
    b = SkeletonBuilder().add_body("upper", cd.Inertia.sphere(1.0, 0.1), position=(0.5, 0, 0))
    b.add_body("lower", cd.Inertia.sphere(1.0, 0.1), position=(1.5, 0, 0))
    b.add_hinge("upper", None, at=(0, 0, 0), axis=(0, 1, 0), name="shoulder")
    return b.add_hinge("lower", "upper", at=(1, 0, 0), axis=(0, 1, 0), name="elbow").build()


def pushing(t):
    """Loads that vary, which are recorded beside the states."""
    return {"shoulder": 3.0 * np.sin(5.0 * t)}


class Case:
    """A folder of records of a kind, how it is made or resumed, and all numbers that are read from it."""

    def __init__(self, kind, folder):
        self.kind, self.folder, self.model, self.skeleton = kind, folder, leg(), swinging()
        self.made = self.numbers(self.make(resume=False))
        self.files = {p.name: p.read_bytes() for p in folder.iterdir() if p.name not in NOT_RECORDS}

    def make(self, resume=True):
        """Record, or go on; two records a chunk."""
        given, plan = {"record_to": self.folder, "resume": resume}, {"duration": 0.03, "step": 0.005}
        if self.kind == "ensemble":
            return cd.ensemble(parabola, line(), **given)
        with patch(f"condyle.{PLACES[self.kind]}.chunk_length", lambda *size: 2):
            if self.kind == "skeleton run":
                return self.skeleton.simulate(motors=pushing, **plan, **given)
            q = np.tile(self.model.neutral(), (2, 1))
            return cd.simulate(self.model, q, parameters={"shank.mass": [3.0, 3.5]}, **plan, **given)

    def numbers(self, found):
        """All that can be asked for."""
        repr(found)
        if self.kind == "ensemble":
            return {**found.outputs, "x": found.design.values["x"], "z": found.design.values["z"]}
        assert not any(np.ravel(np.array(found.stopped, object)))
        if self.kind == "skeleton run":
            parts = {"loads": found.loads, "masses": found.skeleton.masses, "body": found.body("lower").positions}
            return {"t": found.t, **vars(found.states), **parts}
        assert not found.outside and not found.beyond_range
        masses, rows = found.members.values["shank.mass"], [found[name] for name in self.model.coordinates]
        return {"t": found.t, "q": found.q, "v": found.v, "masses": masses, "rows": np.stack(rows)}

    def open(self):
        """What is in the folder."""
        return cd.ensembles.open_ensemble(self.folder) if self.kind == "ensemble" else cd.open_run(self.folder)

    def restore(self):
        """The folder as it was."""
        for path in self.folder.iterdir():
            if path.name not in (*self.files, *NOT_RECORDS):
                path.unlink()
        for name, data in self.files.items():
            (self.folder / name).write_bytes(data)


def outcome(case, act, checked):
    """What `act` comes to: "same", "left out" (NaN and a warning) or "refused"; anything else is `Bad`."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = case.numbers(act())
        except cd.CondyleError as error:
            if str(case.folder) in str(error):
                return "refused"
            raise Bad(f"the folder is not named: {error}") from error
        except Exception as error:
            raise Bad(f"{type(error).__name__}: {error}") from error
    if not checked or same(found, case.made):
        return "same"
    lost = {k: np.isnan(x) for k, x in found.items()}
    rest = {k: np.where(lost[k], np.nan, x) for k, x in case.made.items() if k in found and found[k].shape == x.shape}
    warned = any(issubclass(w.category, cd.errors.DamagedRecords) for w in told)
    if warned and same(found, {k: rest.get(k) for k in found}):
        return "left out"
    raise Bad(f"other numbers without a word: {found}")


def same(found, made):
    """Whether all numbers are the same, bit by bit."""
    return found.keys() == made.keys() and all(
        made[k] is not None and np.array_equal(found[k], made[k], equal_nan=True) for k in made
    )


def count_outcomes(case, count, seed, checked=True, resumed=10):
    """Damage one file at a time; every `resumed`-th folder is also resumed, which mends it.

    A manifest of which nothing says that it was condyle's is refused.
    """
    rng, counts = random.Random(seed), {"same": 0, "left out": 0, "refused": 0, "mended": 0}
    for k in range(count):
        name = rng.choice(sorted(case.files))
        (case.folder / name).write_bytes(damaged(case.files[name], rng))
        try:
            counts[outcome(case, case.open, checked)] += 1
            if k % resumed == 0:
                mended = outcome(case, case.make, checked) == "same"
                counts["mended"] += mended
                if checked and not mended and name != MANIFEST:
                    raise Bad("resumed, the folder is not whole")
        except Bad as error:
            raise Bad(f"{case.kind}, {name}, seed {seed}, file {k}: {error}") from error
        case.restore()
    return counts


def damaged(data, rng):
    """One flipped bit, or the damages of other files."""
    if rng.random() < 0.3:
        data = bytearray(data)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(data)
    return mutated(data, rng)


def without_checksums(folder):
    """The folder as versions of condyle wrote it that had no checksums."""
    for path in list(folder.iterdir()):
        if path.suffix == ".sum":
            path.unlink()
        elif path.suffix == ".npz":
            with np.load(path) as found:
                arrays = {name: found[name] for name in found.files if name != "checksum"}
            np.savez(path, **arrays)
        elif path.suffix == ".npy":
            np.save(path, np.load(path))
        elif path.suffix == ".json":
            content = json.loads(path.read_text())
            content.pop("checksum")
            path.write_text(json.dumps({**content, "condyle": 1} if "condyle" in content else content))


if __name__ == "__main__":
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as place:
            print(kind, count_outcomes(Case(kind, Path(place) / "records"), int(sys.argv[1]), 0))
