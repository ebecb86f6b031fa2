"""Ensembles in this process and over processes: the same results, whoever runs what and whoever dies."""

from __future__ import annotations

import json
import signal
from multiprocessing import active_children

import numpy as np
import pytest

import condyle as cd
from condyle.ensembles import (
    AllMembersFailed,
    FailedMembers,
    grid,
    latin_hypercube,
    local_workers,
    pending,
    samples,
    sensitivity,
    sobol,
)
from condyle.ensembles.local_workers import Crew
from condyle.ensembles.member_work import FunctionWork
from condyle.ensembles.pending import Pending
from condyle.errors import BadFile, BadShape, BadValue, NotSupported, UnknownName
from support.ensemble_functions import PLAIN, noisy, poisoned, sometimes, square
from support.varied_leg import built

LINE = samples({"x": np.arange(40.0)})


def test_designs_fill_their_ranges():
    """Oracle: the definitions: all combinations; one member per slice; low discrepancy; A, B and mixtures."""
    g = grid({"a": [1, 2], "b": [[0, 0, 1], [0, 1, 0], [1, 0, 0]]})
    assert len(g) == 6 and g.member(4)["a"] == 2.0 and g.member(4)["b"].tolist() == [0, 1, 0]
    h = latin_hypercube({"a": (2.0, 4.0), "b": (-1.0, 0.0)}, 20, seed=3)
    assert sorted(np.floor((h.values["a"] - 2.0) * 10).astype(int)) == list(range(20))
    from scipy.stats import norm

    s = sobol({"a": norm(5.0, 2.0)}, 256)
    assert abs(s.values["a"].mean() - 5.0) < 0.02 and abs(s.values["a"].std() - 2.0) < 0.05
    d = sensitivity({"a": (0, 1), "b": (0, 1)}, 8)
    a, b = (d.values[k].reshape(4, 8) for k in "ab")
    assert (a[2] == a[1]).all() and (b[2] == b[0]).all() and (a[3] == a[0]).all() and (b[3] == b[1]).all()


def test_designs_that_name_nothing_or_do_not_fit_are_refused():
    """Oracle: classes of errors and the name or number in each."""
    model, run = built(), {"duration": 0.1}
    for make, error, words in [
        (lambda: samples({}), BadShape, "at least one"),
        (lambda: samples({"x": [1, 2], "y": [1]}), BadShape, "'y': 1"),
        (lambda: samples({"x": 1.0}), BadShape, "x"),
        (lambda: latin_hypercube({"x": (2, 1)}, 3), BadValue, "'x'"),
        (lambda: sobol({"x": (0, 1)}, 0), BadValue, "members"),
        (lambda: sensitivity({"x": (0, 1)}, 6), BadValue, "power of two"),
        (lambda: cd.ensemble(model, samples({"shank.mas": [1.0]}), **run), UnknownName, "shank.mass"),
        (lambda: cd.ensemble(model, samples({"shank.com": [1.0]}), **run), BadShape, "shank.com"),
        (lambda: cd.ensemble(model, samples({"knee": [[1.0, 2.0]]}), **run), BadShape, "knee"),
        (lambda: cd.ensemble(model, samples({"knee": [1.0]})), BadValue, "duration"),
        (lambda: cd.ensemble(model, samples({"knee": [1.0]}), duratio=1.0), UnknownName, "duration"),
        (lambda: cd.ensemble(model, samples({"knee": [1.0]}), outputs=["kne"], **run), UnknownName, "knee"),
        (lambda: cd.ensemble(square, {"x": [1.0]}), BadValue, "design"),
        (lambda: cd.ensemble(square, LINE, workers=0), BadValue, "workers"),
        (lambda: cd.ensemble(lambda: 1.0, LINE), BadValue, "parameters"),
        (lambda: cd.ensemble(square, LINE, resume=True), BadValue, "record_to"),
    ]:
        with pytest.raises(error, match=words):
            make()


def test_members_have_their_own_random_numbers_whoever_runs_them(monkeypatch):
    """Oracle: numpy's SeedSequence(5).spawn; chunks of every size."""
    expected = [np.random.default_rng(s).normal() for s in np.random.SeedSequence(5).spawn(40)]
    for seconds in (1e-9, 1.0):
        monkeypatch.setattr(pending, "SECONDS", seconds)
        found = cd.ensemble(noisy, LINE, seed=5)
        np.testing.assert_array_equal(found["noise"], expected)


def test_members_that_fail_are_named_and_leave_the_others_alone():
    """Oracle: the function; a member that raises twice is named, one that raises once is there."""
    with pytest.warns(FailedMembers, match=r"2 of 40.*member 7: ZeroDivisionError"):
        found = cd.ensemble(sometimes, LINE)
    assert list(found.failed) == [7, 23] and "ensemble_functions.py" in found.failed[7]
    good = np.delete(np.arange(40), [7, 23])
    np.testing.assert_array_equal(found["value"][good], good**2)
    assert np.isnan(found["value"][[7, 23]]).all() and not found.missing


def test_an_ensemble_of_which_all_members_fail_is_an_error(tmp_path):
    """Oracle: the number of members and the reason of the first; the folder can be resumed."""
    with pytest.raises(AllMembersFailed, match=r"2 of 2.*member 0: ZeroDivisionError") as caught:
        cd.ensemble(sometimes, samples({"x": [7.0, 7.0]}), record_to=tmp_path / "run")
    assert list(caught.value.trajectory.failed) == [0, 1] and not caught.value.trajectory.good.any()
    assert list(cd.ensembles.open_ensemble(tmp_path / "run").failed) == [0, 1]


def test_designs_that_memory_cannot_hold_are_refused():
    """Oracle: the numbers of the members in bytes."""
    for make in (latin_hypercube, sobol, sensitivity):
        with pytest.raises(BadValue, match="GB of memory"):
            make({"x": (0.0, 1.0), "y": (0.0, 1.0)}, 2**60)
    with pytest.raises(BadValue, match="GB of memory"):
        grid({name: np.arange(10_000.0) for name in "abcd"})


def test_outputs_of_another_shape_are_named():
    """Oracle: the member whose output is longer."""
    with pytest.warns(FailedMembers, match="member 3"):
        found = cd.ensemble(lambda p: np.zeros(2 + (p["x"] == 3.0)), LINE)
    assert list(found.failed) == [3] and found["value"].shape == (40, 2)


def test_processes_give_what_one_process_gives_and_a_poisoned_member_dies_alone(tmp_path):
    """Oracle: squares; the member of 11 kills its process, that of 7 raises; no process is left."""
    x = np.arange(3.0, 13.0)
    with pytest.warns(FailedMembers, match="2 of 10"):
        found = cd.ensemble(poisoned, samples({"x": x}), workers=2, record_to=tmp_path / "run")
    assert list(found.failed) == [4, 8] and "SIGKILL" in found.failed[8]
    np.testing.assert_array_equal(found["value"][found.good], x[found.good] ** 2)
    assert not active_children()
    again = cd.ensembles.open_ensemble(tmp_path / "run")
    np.testing.assert_array_equal(again["value"], found["value"])
    assert again.failed == found.failed


def test_workers_that_are_killed_from_outside_before_they_begin_do_not_end_a_study():
    """Oracle: the rule: three that end by themselves end it, kills only if there is no end of them."""
    crew = Crew(FunctionWork(square, 0), samples({"x": np.arange(3.0)}), Pending(range(3), 2), 2)
    for _ in range(50):
        crew._stillborn(-signal.SIGKILL)
    crew._stillborn(1)
    crew._stillborn(-signal.SIGSEGV)
    with pytest.raises(NotSupported, match="code 3"):
        crew._stillborn(3)
    crew.stillborn, crew.killed = 0, local_workers.KILLED_STARTS - 1
    with pytest.raises(NotSupported, match="SIGKILL"):
        crew._stillborn(-signal.SIGKILL)


def test_a_function_that_cannot_be_sent_is_named():
    """Oracle: the class of the error, before any process starts."""
    with pytest.raises(NotSupported, match="workers=1"):
        cd.ensemble(lambda p: 1.0, LINE, workers=2)


STARTS = {"knee": (0.8, 1.4), "velocity of thigh": (-1, 1)}
MASSES_TOO = pytest.param({"shank.mass": (2.0, 5.0), **STARTS}, marks=pytest.mark.slow)  # an entry for lane tables


@pytest.mark.parametrize("ranges", [STARTS, MASSES_TOO], ids=["starts", "masses too"])
def test_an_ensemble_of_a_model_is_one_simulation_per_member(ranges, monkeypatch):
    """Oracle: a simulation of each member's model; chunks of every size give the same bits."""
    design = latin_hypercube(ranges, 5)
    run = {"duration": 0.1, "step": 1e-2, "record": 0.05, "q": [0.2, 1.0]}
    outputs = {"angle": "knee", "energy": final_energy}
    found = cd.ensemble(built(), design, outputs=outputs, **run)
    for i in range(5):
        p = design.member(i)
        alone = cd.simulate(built(mass=p.get("shank.mass", 3.0)), [0.2, p["knee"]], [p["velocity of thigh"], 0.0],
                            duration=0.1, step=1e-2, record=0.05)  # fmt: skip
        np.testing.assert_allclose(found["angle"][i], alone["knee"], rtol=1e-12)
        np.testing.assert_allclose(found["energy"][i], alone.energy().total[-1], rtol=1e-12)
    monkeypatch.setattr(pending, "SECONDS", 1e-9)
    again = cd.ensemble(built(), design, outputs=outputs, **run)
    np.testing.assert_array_equal(again["angle"], found["angle"])


def final_energy(trajectory):
    return trajectory.energy().total[-1]


def test_coordinates_that_leave_their_domain_are_told_once():
    """Oracle: one warning for all members, with the coordinate; the knee is defined from 0 to 3."""
    with pytest.warns(cd.CondyleWarning, match="knee left the domain") as caught:
        cd.ensemble(built(), samples({"knee": [-0.1, -0.2, 1.0, -0.1]}), duration=0.02)
    assert len(caught) == 1


@pytest.mark.slow  # an entry for lane tables
def test_a_member_of_a_model_that_cannot_be_is_named():
    """Oracle: the member with a negative mass; the others are there."""
    with pytest.warns(FailedMembers, match="member 1: BadInertia"):
        found = cd.ensemble(built(), samples({"shank.mass": [3.0, -1.0, 4.0]}), duration=0.02, q=[0.2, 1.0])
    assert list(found.failed) == [1] and np.isfinite(found["knee"][[0, 2]]).all()


def test_a_folder_goes_on_where_it_stopped_and_refuses_others(tmp_path, monkeypatch):
    """Oracle: the run without interruption, bit by bit; Ctrl-C comes after some chunks."""
    monkeypatch.setattr(pending, "SECONDS", 1e-9)
    whole, seen = cd.ensemble(noisy, LINE, seed=5), []

    def strike(stage, done, total):
        seen.append((stage, done, total))
        if done == 13:
            raise KeyboardInterrupt

    with pytest.raises(cd.Interrupted) as caught:
        cd.ensemble(noisy, LINE, seed=5, record_to=tmp_path / "run", progress=strike)
    assert len(caught.value.trajectory.missing) == 27 == len(cd.ensembles.open_ensemble(tmp_path / "run").missing)
    with pytest.raises(BadFile, match="resume=True"):
        cd.ensemble(noisy, LINE, seed=5, record_to=tmp_path / "run")
    others = {"seed": {"seed": 6}, "function": {"what": square}, "design": {"design": samples({"x": np.arange(41.0)})}}
    for word, other in others.items():
        given = {"what": noisy, "design": LINE, "seed": 5, **other}
        with pytest.raises(BadFile, match=f"another {word}"):
            cd.ensemble(record_to=tmp_path / "run", resume=True, **given)
    found = cd.ensemble(
        noisy, LINE, seed=5, record_to=tmp_path / "run", resume=True, progress=lambda *x: seen.append(x)
    )
    np.testing.assert_array_equal(found["noise"], whole["noise"])
    assert seen[-1] == ("members", 40, 40) and seen[13][1] == 14


def test_folders_of_another_format_are_refused(tmp_path):
    """Oracle: the format in the words, for resuming and for opening."""
    cd.ensemble(square, LINE, record_to=tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    for version in (0, 3, None):
        (tmp_path / "run" / "manifest.json").write_text(json.dumps({**manifest, "condyle": version}))
        with pytest.raises(BadFile, match=f"format = {version}"):
            cd.ensemble(square, LINE, record_to=tmp_path / "run", resume=True)
        with pytest.raises(BadFile, match=f"format = {version}"):
            cd.ensembles.open_ensemble(tmp_path / "run")


def test_failed_members_are_tried_again_when_a_study_goes_on(tmp_path):
    """Oracle: the mended function (of the same code) gives the missing member."""
    PLAIN["bad"] = 3.0
    try:
        with pytest.warns(FailedMembers):
            cd.ensemble(square, LINE, record_to=tmp_path / "run")
    finally:
        PLAIN["bad"] = None
    found = cd.ensemble(square, LINE, record_to=tmp_path / "run", resume=True)
    assert not found.failed and found["value"][3] == 9.0


def test_chunks_grow_with_what_a_member_costs():
    """Oracle: a second of work per chunk, a fair share for each worker, halves of a chunk whose process died."""
    p = pending.Pending(range(10_000), workers=2)
    sizes = []
    for _ in range(8):
        chunk = p.take()
        sizes.append(len(chunk))
        p.ran(chunk, local_workers.Done({i: {} for i in chunk}, {}, 0.01 * len(chunk)))
    assert sizes[0] == 1 and sizes[1] == 8 and sizes[-1] == 100
    for workers, tail in ((1, [100, 100, 50]), (2, [31, 27, 24])):
        p = pending.Pending(range(250), workers)
        p.size = 100
        assert [len(p.take()) for _ in tail] == tail
    while p.waiting:
        last = len(p.take())
        assert last >= 12 or not p.waiting  # no smaller than an eighth of a second's work
    p = pending.Pending([], workers=2)
    p.died([*range(8)], "killed", alone=False)
    p.died(p.take(), "killed")
    assert p.take() == [0, 1, 2, 3] and p.take() == [4, 5, 6, 7] and not p
    assert not p.died([5], "killed").failed and p.died(p.take(), "killed").failed == {5: "killed"}


def test_statistics_are_those_of_numpy_and_scipy():
    """Oracle: numpy on the good members; Ishigami's Sobol indices in closed form."""
    with pytest.warns(FailedMembers):
        found = cd.ensemble(sometimes, LINE)
    good = np.delete(np.arange(40.0), [7, 23]) ** 2
    told = found.summary("value")
    assert told.members == 38 and told.mean == good.mean() and told.std == good.std(ddof=1)
    np.testing.assert_allclose(found.quantiles("value", [0.1, 0.9]), np.quantile(good, [0.1, 0.9]))
    with pytest.raises(NotSupported, match="sensitivity"):
        found.sobol_indices("value")
    with pytest.raises(UnknownName, match="value"):
        found.summary("valu")
    ranges = dict.fromkeys("xyz", (-np.pi, np.pi))
    ishigami = cd.ensemble(lambda p: np.sin(p["x"]) + 7 * np.sin(p["y"]) ** 2 + 0.1 * p["z"] ** 4 * np.sin(p["x"]),
                           sensitivity(ranges, 2048))  # fmt: skip
    indices = ishigami.sobol_indices("value")
    np.testing.assert_allclose(indices.first_order, [0.3139, 0.4424, 0.0], atol=0.02)
    np.testing.assert_allclose(indices.total_order, [0.5576, 0.4424, 0.2437], atol=0.02)
