"""The folder of an ensemble: its design, and chunks of finished members, appended as they come."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..errors import BadFile, DamagedRecords, require, warn
from ..formats.record_folder import (
    MANIFEST,
    RecordFolder,
    digest,
    function_digest,
    is_whole_number,
    naming,
    read_folder,
    versions,
)
from ..simulation.schedule import Plan
from ..typing import PathLike
from .designs import Design
from .ensemble_result import Ensemble, assembled
from .member_work import Done, FunctionWork, ModelWork, Work

CHUNK, DESIGN = "members-{:06d}.npz", "design.npz"
FAILED, MEMBERS = "failed", "members"


def manifest(work: Work, design: Design, seed: int) -> dict[str, Any]:
    """What a folder says of its ensemble."""
    inputs = {
        "design": digest(design.kind, *(x for pair in design.values.items() for x in pair)),
        "seed": digest(seed),
        **_work_digests(work),
    }
    said = {"members": len(design), "design": design.kind, "names": list(design.names), "seed": seed}
    said["plan"] = None if work.plan is None else list(vars(work.plan).values())
    return {"kind": "ensemble", "versions": versions(), "inputs": inputs, **said}


def _work_digests(work: Work) -> dict[str, str]:
    """Hashes of what is run, by the words for it."""
    if isinstance(work, FunctionWork):
        return {"function": function_digest(work.function)}
    assert isinstance(work, ModelWork)
    outputs = [(name, f if isinstance(f, str) else function_digest(f)) for name, f in sorted(work.outputs.items())]
    given = [(k, x) for k, x in sorted(work.options.items()) if k != "threads"]
    options = [(k, function_digest(x) if callable(x) else digest(x)) for k, x in given]
    model = digest(*work.model.tables[:2], work.model.coordinates)
    return {"model": model, "start": digest(work.q, work.v), "outputs": digest(outputs), "simulation": digest(options)}


def keep_design(design: Design, folder: RecordFolder) -> None:
    """The values of all members beside their results."""
    if folder.damage(lambda: folder.read_arrays(DESIGN)):
        folder.add_arrays(DESIGN, {f"{k:04d} {name}": x for k, (name, x) in enumerate(design.values.items())})


def append(folder: RecordFolder, number: int, done: Done) -> None:
    """One more chunk: outputs of members stacked, and why others failed."""
    members = np.array(sorted(done.outputs), dtype=np.int64)
    failed = json.dumps({str(i): words for i, words in done.failed.items()})
    folder.add_arrays(CHUNK.format(number), {MEMBERS: members, FAILED: np.array(failed), **_packed(done)})


def _packed(done: Done) -> dict[str, np.ndarray]:
    """Outputs by name: all members in one array, or one by one where they do not have the same shape."""
    names = sorted({name for outputs in done.outputs.values() for name in outputs})
    packed = {}
    for name in names:
        found = {i: outputs[name] for i, outputs in sorted(done.outputs.items()) if name in outputs}
        if len(found) == len(done.outputs) and len({x.shape for x in found.values()}) == 1:
            packed[f"all {name}"] = np.stack(list(found.values()))
        else:
            packed |= {f"{i} {name}": x for i, x in found.items()}
    return packed


def recorded(folder: RecordFolder, members: int, again: bool = False) -> Done:
    """All that was appended; a member that failed and later went well went well.

    Chunks that are damaged are left out with a warning; to be computed again they are set aside.
    """
    done, damaged, twice = Done(), {}, set()
    for name in map(CHUNK.format, folder.numbered(CHUNK)):
        try:
            one = _chunk(folder, name, members)
        except BadFile as error:
            damaged[name] = str(error)
            continue
        twice |= done.outputs.keys() & one.outputs.keys()
        done.outputs |= one.outputs
        done.failed |= one.failed
    if twice:  # of a folder without checksums: one of two files lies
        damaged[""] = f"{folder.path}: members {sorted(twice)} are in two files"
        done.outputs = {i: found for i, found in done.outputs.items() if i not in twice}
    if damaged:
        fate = "it is set aside and its members are computed again" if again else "its members are left out"
        warn("; ".join(f"{words} ({fate})" for words in damaged.values()), DamagedRecords)
    if again:
        folder.set_aside(filter(None, damaged))
    done.failed = {i: words for i, words in done.failed.items() if i not in done.outputs}
    return done


def _chunk(folder: RecordFolder, name: str, members: int) -> Done:
    path = folder.path / name
    with naming(path, "its members cannot be read"):
        found = folder.read_arrays(name)
        there, failed = found.pop(MEMBERS), json.loads(str(found.pop(FAILED)))
        done = Done({int(i): {} for i in there}, {int(i): str(words) for i, words in failed.items()})
        known = there.dtype.kind == "i" and all(0 <= i < members for i in (*done.outputs, *done.failed))
        good = known and there.ndim == 1 and len(done.outputs) == len(there)
        require(good, f"{path}: expected different members from 0 to {members - 1}", BadFile, got=there)
        for key, x in found.items():
            who, _, output = key.partition(" ")
            require(x.dtype.kind in "biuf", f"{path}: {output} is not of numbers", BadFile, got=x.dtype)
            for i, one in zip(done.outputs, x, strict=True) if who == "all" else [(int(who), x)]:
                done.outputs[i][output] = np.asarray(one)
        return done


def open_ensemble(folder: PathLike) -> Ensemble:
    """Open what `ensemble(…, record_to=folder)` records, while it runs or afterwards.

    Parameters
    ----------
    folder : str or Path

    Returns
    -------
    Ensemble
        Members that are not there yet are NaN in its outputs, and in `missing`.

    Raises
    ------
    BadFile
        If there is no ensemble, or its manifest or design is damaged.

    Warns
    -----
    DamagedRecords
        If files of members are damaged; their members are missing.
    """
    records = read_folder(folder, "ensemble")
    plan = records.manifest.get("plan")
    with naming(records.path / MANIFEST, "its plan cannot be read"):
        t = None if plan is None else Plan(*plan).times
    design = _read_design(records)
    with naming(records.path, "its members do not fit together"):
        return assembled(design, recorded(records, len(design)), records.path, t)


def _read_design(records: RecordFolder) -> Design:
    path, kind = records.path / DESIGN, records.value("design", lambda x: isinstance(x, str), "a word")
    members = records.value("members", is_whole_number, "a whole number")
    with naming(path, "the design cannot be read"):
        found = records.read_arrays(DESIGN)
        values = {key.partition(" ")[2]: found[key] for key in sorted(found)}
        good = values and list(values) == records.manifest.get("names")
        good = good and all(x.dtype.kind == "f" and x.ndim and len(x) == members for x in values.values())
        require(good, f"{path}: expected the values of {members} members, by the names of the manifest", BadFile)
    return Design(values, kind, {})
