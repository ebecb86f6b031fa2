"""`ensemble`: a model or a function for every member of a design."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from typing import Any

from ..errors import BadValue, CondyleError, CondyleWarning, Interrupted, require, shown, warn
from ..formats.record_folder import RecordFolder, writing
from ..model import Model
from ..progress import reporting
from ..typing import PathLike, Progress
from .cluster import Cluster
from .designs import Design
from .ensemble_folder import append, keep_design, manifest, recorded
from .ensemble_result import Ensemble, assembled
from .local_workers import Crew, timed
from .member_work import Done, FunctionWork, Work, check_design, model_work
from .pending import Pending

TOLD = 5  # failed members that a warning names


class FailedMembers(CondyleWarning):
    """Members of an ensemble failed; the others are there."""


class AllMembersFailed(CondyleError):
    """No member of an ensemble went well; `trajectory` has the Ensemble with the reasons of all."""


def ensemble(
    what: Model | Callable,
    design: Design,
    *,
    outputs: Sequence[str] | Mapping[str, Callable | str] | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    record_to: PathLike | None = None,
    resume: bool = False,
    seed: int = 0,
    progress: Progress = False,
    **options: Any,
) -> Ensemble:
    """Run a model or a function for every member of a design.

    Results do not depend on how members are spread: random numbers belong to a member, not to a process. A member that
    fails, or whose process dies, is tried once more by itself; then it is named in `failed`, and the others go on.

    Parameters
    ----------
    what : Model or callable
        A function takes a member's parameters (dict of str to float or ndarray), and if it has two arguments its
        numpy.random.Generator; it returns a number, an array, or a dict of these. A model is simulated.
    design : Design
        Made by `cd.ensembles.grid`, `latin_hypercube`, `sobol`, `sensitivity` or `samples`. For a model the names are
        its parameters ("shank.mass", see `Model.with_parameters`), coordinates, which are where members start, and
        "velocity of knee".
    outputs : sequence of str or mapping, optional
        Of a model: coordinates over time, or name → function of a member's Trajectory; by default all coordinates.
    workers : int, optional
        Processes on this machine; 1 is this process.
    scheduler : str, optional
        Address of a dask scheduler, "tcp://…", whose workers run the members (the extra `cluster`).
    record_to : str or Path, optional
        A folder that finished members go to, chunk by chunk; `open_ensemble` reads it at any time.
    resume : bool, optional
        Go on with what was begun in `record_to` with the same arguments; failed members are tried again.
    seed : int, optional
        Of the members' random numbers: member i has child i of numpy's SeedSequence(seed).
    progress : bool or callable, optional
        True shows a bar with rate and time left, if standard error is a terminal; a function gets (stage, done, total).
    **options
        Of a model: arguments of `simulate`: `duration`, `step`, `q`, `v`, …

    Returns
    -------
    Ensemble

    Raises
    ------
    UnknownName, BadShape, BadValue
        If the design names what the model does not have, or arguments make no sense; if there is no scheduler, or its
        workers have other versions.
    NotSupported
        If the function cannot be sent to other processes.
    BadFile
        If the folder cannot be written or has another ensemble.
    AllMembersFailed
        If no member went well; what was found is in its `trajectory`.
    Interrupted
        After Ctrl-C, with the members so far in its `trajectory`.

    Warns
    -----
    FailedMembers
        If some members failed.
    DamagedRecords
        If files of the folder are damaged; their members are computed again.
    CondyleWarning
        If coordinates of a model left their domains or ranges in some members, once for all of them.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(1.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> design = cd.ensembles.grid({"bob.com[2]": [-0.5, -1.0], "bob": [0.1, 0.2, 0.3]})
    >>> found = cd.ensemble(model, design, duration=0.1, record=0.05)
    >>> found["bob"].shape
    (6, 3)
    """
    work = _work(what, design, outputs, seed, options)
    require(isinstance(workers, int) and workers >= 1, "workers: a whole number from 1 on", BadValue, got=workers)
    require(
        scheduler is None or isinstance(scheduler, str), "scheduler: an address like tcp://host:8786", got=scheduler
    )
    require(not resume or record_to is not None, "resume=True needs the folder to go on with (record_to=…)", BadValue)
    where = (workers, scheduler)
    place = nullcontext() if record_to is None else writing(record_to, manifest(work, design, seed), resume)
    with place as folder, reporting(progress) as tell:
        found = _run(work, design, where, folder, tell)
    _tell_of_failures(found)
    return found


def _tell_of_failures(found: Ensemble) -> None:
    """Warn of members that failed; an ensemble of which all failed is an error."""
    if not found.failed:
        return
    first = "; ".join(f"member {i}: {words}" for i, words in list(found.failed.items())[:TOLD])
    words = f"{len(found.failed)} of {len(found)} members failed: {first}"
    if found.good.any():
        warn(words, FailedMembers)
        return
    error = AllMembersFailed(words)
    error.trajectory = found
    raise error


def _work(what: Any, design: Any, outputs: Any, seed: int, options: dict[str, Any]) -> Work:
    require(isinstance(design, Design), "design: made by cd.ensembles.grid, latin_hypercube, sobol or samples",
            BadValue, got=design)  # fmt: skip
    if isinstance(what, Model):
        check_design(what, design)
        return model_work(what, outputs, options)
    require(not options, "only an ensemble of a model takes arguments of cd.simulate", BadValue, got=sorted(options))
    require(outputs is None, "a function returns its outputs by name; `outputs` is for models", BadValue, got=outputs)
    require(callable(what), f"an ensemble is of a model or of a function; got {shown(what)}", BadValue)
    return FunctionWork(what, seed)


def _run(work: Work, design: Design, where: tuple[int, str | None], folder: RecordFolder | None, tell) -> Ensemble:
    """Run what is missing."""
    done, number, t = Done(), 0, None if work.plan is None else work.plan.times
    if folder is not None:
        keep_design(design, folder)
        done, number = recorded(folder, len(design), again=True), _next_number(folder)
    done.failed = {}
    pending = Pending((i for i in range(len(design)) if i not in done.outputs), where[0])
    try:
        with _terminable(), closing(_outcomes(work, design, pending, where)) as outcomes:
            for part in outcomes:
                if folder is not None and (part.outputs or part.failed):
                    append(folder, number, part)
                    number += 1
                done.outputs |= part.outputs
                done.failed |= part.failed
                done.notes |= part.notes
                tell("members", len(done.outputs) + len(done.failed), len(design))
    except KeyboardInterrupt:
        found = assembled(design, done, folder and folder.path, t)
        raise Interrupted(f"the ensemble was interrupted: {found!r}", found) from None
    for note in sorted(done.notes):
        warn(f"in some members {note}")
    return assembled(design, done, folder and folder.path, t)


def _next_number(folder: RecordFolder) -> int:
    from .ensemble_folder import CHUNK

    return max(folder.numbered(CHUNK), default=-1) + 1


def _outcomes(work: Work, design: Design, pending: Pending, where: tuple[int, str | None]) -> Generator[Done]:
    workers, scheduler = where
    if scheduler is not None:
        yield from Cluster(work, design, pending, scheduler).outcomes()
    elif workers > 1:
        yield from Crew(work, design, pending, workers).outcomes()
    else:
        while pending:
            chunk = pending.take()
            yield pending.ran(chunk, timed(work, design, chunk))


@contextmanager
def _terminable() -> Iterator[None]:
    """A polite request to end (SIGTERM) ends the workers too."""
    try:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
