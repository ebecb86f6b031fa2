"""The folder of an ensemble: its design, and chunks of finished members, appended as they come."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadFile
from ..formats.record_folder import RecordFolder, digest, function_digest, read_folder, versions
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
    if not (folder.path / DESIGN).exists():
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


def recorded(folder: RecordFolder) -> Done:
    """All that was appended; a member that failed and later went well went well."""
    done = Done()
    for number in folder.numbered(CHUNK):
        one = _chunk(folder.path / CHUNK.format(number))
        done.outputs |= one.outputs
        done.failed |= one.failed
    done.failed = {i: words for i, words in done.failed.items() if i not in done.outputs}
    return done


def _chunk(path: Path) -> Done:
    try:
        with np.load(path, allow_pickle=False) as found:
            members, failed = found[MEMBERS].tolist(), json.loads(str(found[FAILED]))
            done = Done({i: {} for i in members}, {int(i): words for i, words in failed.items()})
            for key in (k for k in found.files if k not in (MEMBERS, FAILED)):
                who, _, name = key.partition(" ")
                rows = zip(members, found[key], strict=True) if who == "all" else [(int(who), found[key])]
                for i, x in rows:
                    done.outputs[i][name] = np.asarray(x)
            return done
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise BadFile(f"{path}: its members cannot be read: {error}") from None


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
        If there is no ensemble.
    """
    records = read_folder(folder, "ensemble")
    plan = records.manifest.get("plan")
    t = None if plan is None else Plan(*plan).times
    return assembled(_read_design(records), recorded(records), records.path, t)


def _read_design(records: RecordFolder) -> Design:
    path = records.path / DESIGN
    try:
        with np.load(path, allow_pickle=False) as found:
            values: Mapping[str, np.ndarray] = {key.partition(" ")[2]: found[key] for key in sorted(found.files)}
    except (OSError, ValueError, EOFError) as error:
        raise BadFile(f"{path}: the design cannot be read: {error}") from None
    return Design(dict(values), records.manifest["design"], {})
