"""`open_run`: a run that `simulate` recorded, or is recording, to a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import BadFile, require
from ...formats.record_folder import RecordFolder, read_folder
from ...formats.safe_files import read_text
from ...model import Model
from ...simulation.recordings.recorded_run import RecordedRun
from ...simulation.recordings.tree_recording import MODEL, NO_MODEL
from ...typing import PathLike
from ..load import load

if TYPE_CHECKING:
    from ...skeleton import RecordedMotion


def open_run(folder: PathLike, *, model: Model | None = None) -> RecordedRun | RecordedMotion:
    """Open what `simulate(…, record_to=folder)` records, while it runs or afterwards; nothing is read yet.

    Parameters
    ----------
    folder : str or Path
    model : Model, optional
        For models that no file can hold, like those moved by a Python function; else the folder has it.

    Returns
    -------
    RecordedRun or condyle.skeleton.RecordedMotion
        The latter for a run of a skeleton.

    Raises
    ------
    BadFile
        If there are no records, or the model is neither in the folder nor given.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> _ = cd.simulate(model, [0.5], duration=1.0, record=0.25, record_to="swing")
    >>> cd.open_run("swing")["bob"].shape
    (5,)
    """
    records = read_folder(folder, "run", "skeleton run")
    if records.manifest["kind"] == "skeleton run":
        return _opened_motion(records, model)
    if model is None:
        missing = records.path / NO_MODEL
        why = read_text(missing).strip() if missing.is_file() else "the file is missing"
        words = f"{records.path}: the model is not in the folder ({why}). Give it: cd.open_run(folder, model=model)"
        require((records.path / MODEL).is_file(), words, BadFile)
        model = load(records.require_whole(MODEL))
    require(isinstance(model, Model), f"{records.path}: `model` must be a Model", got=model)
    said, own = records.manifest.get("coordinates"), list(model.coordinates)  # type: ignore[union-attr]
    require(said == own, f"{records.path}: its coordinates are not those of the model", BadFile, folder=said, model=own)
    return RecordedRun(model, records)  # type: ignore[arg-type]


def _opened_motion(records: RecordFolder, model: Model | None) -> RecordedMotion:
    from ...skeleton import Trajectory as Motion
    from ...skeleton.recorded_motion import SKELETON, RecordedMotion

    require(model is None, f"{records.path}: a run of a skeleton; it takes no model")
    found = load(records.require_whole(SKELETON))
    require(isinstance(found, Motion), f"{records.path / SKELETON}: it is no motion of a skeleton", BadFile)
    return RecordedMotion(found.skeleton, records)
