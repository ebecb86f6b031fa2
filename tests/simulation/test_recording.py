"""Runs that go to a folder while they run: the same numbers as in memory, whatever happens in between."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadValue
from condyle.simulation.recordings import recording_run as recording


def swing(**options):
    """A double pendulum; the second joint has a range that it leaves."""
    b = cd.ModelBuilder()
    b.add_body("upper", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(2.0, (0, 0, -1)))
    b.add_body("lower", parent="upper", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, -0.5)),
               placement=cd.SE3.from_translation((0, 0, -1)))  # fmt: skip
    return b.build()


START = np.array([[1.0, 0.5], [0.2, -0.3], [2.0, 0.1]])
PLAN = {"duration": 1.0, "step": 1e-2, "record": 0.02}


@pytest.fixture(scope="module")
def model():
    return swing()


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch):
    """Seven records a chunk or so, however fast the machine is."""
    monkeypatch.setattr(recording, "SECONDS", 7 * 2 * 3 * 2 * recording.STEP_SECONDS)


def files(folder):
    names = [n for n in sorted(os.listdir(folder)) if n.endswith(".npy") or n == "finished.json"]
    return {name: (folder / name).read_bytes() for name in names}


def test_a_recorded_run_has_the_numbers_of_one_in_memory(model, tmp_path):
    """Oracle: the run in memory, bit by bit."""
    kept = cd.simulate(model, START, record_to=tmp_path / "run", **PLAN)
    plain = cd.simulate(model, START, **PLAN)
    assert len(kept._chunks.numbers) > 5 and kept.finished
    for x, y in ((kept.t, plain.t), (kept.q, plain.q), (kept.v, plain.v)):
        np.testing.assert_array_equal(x, y)
    opened = cd.open_run(tmp_path / "run")
    np.testing.assert_array_equal(opened["lower"], plain["lower"])
    np.testing.assert_array_equal(opened.velocity("lower"), plain.v[..., 1])
    np.testing.assert_array_equal(opened.part(5, 23).q, plain.q[:, 5:23])
    np.testing.assert_array_equal(opened.part(5, 23).t, plain.t[5:23])
    np.testing.assert_allclose(opened.energy().total, plain.energy().total)


@pytest.mark.parametrize("integrator", ["rk4", "adaptive", "variational"])
def test_a_run_that_was_cut_off_goes_on_bit_by_bit(model, tmp_path, monkeypatch, integrator):
    """Oracle: the files of an undisturbed run; the writer fails at several chunks."""
    options = {**PLAN, "integrator": integrator, "resume": True}
    cd.simulate(model, START[0], record_to=tmp_path / "whole", **options)
    write, calls = recording.write_bytes, []

    def failing(path, content):
        calls.append(path)
        if len(calls) in (1, 3, 4, 6):
            raise BadFile("cut off")
        write(path, content)

    monkeypatch.setattr(recording, "write_bytes", failing)
    for _ in range(4):
        with pytest.raises(BadFile, match="cut off"):
            cd.simulate(model, START[0], record_to=tmp_path / "cut", **options)
        assert not cd.open_run(tmp_path / "cut").finished
    cd.simulate(model, START[0], record_to=tmp_path / "cut", **options)
    assert files(tmp_path / "whole") == files(tmp_path / "cut")


def test_what_is_there_can_be_read_while_the_run_goes_on(model, tmp_path):
    """Oracle: the run in memory; a stop condition looks into the folder."""
    plain, seen = cd.simulate(model, START, **PLAN), []

    def look(t, q, v):
        found = cd.open_run(tmp_path / "run", model=model)
        np.testing.assert_array_equal(found["lower"], plain["lower"][:, : found.records])
        seen.append(found.records)
        return np.zeros(3, bool)

    cd.simulate(model, START, stop=look, record_to=tmp_path / "run", **PLAN)
    assert sorted(seen) == seen and len(set(seen)) > 4


def test_members_that_stop_are_told_as_in_memory(model, tmp_path):
    """Oracle: the run in memory, with NaN at the same places and the same reasons; all stopped ends the records."""
    for stop in (lambda t, q, v: (q[:, 0] < 0.5) & (t > 0.2), lambda t, q, v: np.full(3, t > 0.5)):
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        kept = cd.simulate(model, START, stop=stop, record_to=tmp_path / "run", **PLAN)
        plain = cd.simulate(model, START, stop=stop, **PLAN)
        np.testing.assert_array_equal(kept.q, plain.q[:, : kept.records])
        assert np.isnan(plain.q[:, kept.records :]).all()
        assert [str(s) for s in kept.stops()] == [str(s) for s in plain.stops()]
        assert [None if s is None else s.q.tolist() for s in kept.stops()] == [
            None if s is None else s.q.tolist() for s in plain.stops()
        ]


def test_a_run_that_fails_says_so_when_it_is_opened(tmp_path):
    """Oracle: the warning and the reason of the run in memory: a body so light that it diverges."""
    b = cd.ModelBuilder()
    b.add_body("bob", joint=cd.joints.prismatic("z"), inertia=cd.Inertia.point(1.0, (0, 0, 0)))
    stiff = b.add_spring("bob", (0, 0, 0), None, (0, 0, 1), stiffness=1e9, damping=0.0, length=0.5).build()
    with pytest.warns(cd.simulation.StoppedWarning):
        kept = cd.simulate(stiff, [0.1], duration=1.0, step=1e-2, record_to=tmp_path / "run")
    assert "diverged" in str(cd.open_run(tmp_path / "run").stopped) and kept.records < 101


def test_exits_of_all_chunks_are_told_once(tmp_path):
    """Oracle: those of the run in memory."""
    b = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, -1)))
    bob = b.set_range("bob", -0.5, 0.5).build()
    with pytest.warns(cd.simulation.OutsideRangeWarning):
        kept = cd.simulate(bob, [1.0], record_to=tmp_path / "run", **PLAN)
    with pytest.warns(cd.simulation.OutsideRangeWarning):
        plain = cd.simulate(bob, [1.0], **PLAN)
    assert kept.beyond_range == plain.beyond_range == cd.open_run(tmp_path / "run").beyond_range


def test_a_folder_that_has_another_run_is_refused(model, tmp_path):
    """Oracle: the class of the error, what differs by name, and the folder as it was."""
    folder = tmp_path / "run"
    cd.simulate(model, START, record_to=folder, **PLAN)
    before = files(folder)
    with pytest.raises(BadFile, match="resume=True"):
        cd.simulate(model, START, record_to=folder, **PLAN)
    with pytest.raises(BadFile, match="another start"):
        cd.simulate(model, START + 1.0, record_to=folder, resume=True, **PLAN)
    with pytest.raises(BadFile, match="another model"):
        cd.simulate(model.with_gravity((0, 0, -1.62)), START, record_to=folder, resume=True, **PLAN)
    with pytest.raises(BadFile, match="another schedule"):
        cd.simulate(model, START, record_to=folder, resume=True, **{**PLAN, "record": 0.1})
    with pytest.raises(BadFile, match="another control"):
        cd.simulate(model, START, control=lambda t, q, v: -v, record_to=folder, resume=True, **PLAN)
    assert files(folder) == before
    with pytest.raises(BadFile, match=r"manifest\.json"):
        cd.open_run(tmp_path)
    with pytest.raises(BadValue, match="record_to"):
        cd.simulate(model, START, resume=True, **PLAN)


def test_two_writers_of_one_folder_are_refused(model, tmp_path):
    """Oracle: a run that begins another in its own folder."""

    def another(t, q, v):
        with pytest.raises(BadFile, match="another process"):
            cd.simulate(model, START, record_to=tmp_path / "run", resume=True, **PLAN)
        return np.full(3, True)

    cd.simulate(model, START, stop=another, record_to=tmp_path / "run", **PLAN)


def test_a_damaged_chunk_is_named(model, tmp_path):
    """Oracle: the name of the file that was cut."""
    cd.simulate(model, START, record_to=tmp_path / "run", **PLAN)
    path = tmp_path / "run" / "chunk-000002.npy"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(BadFile, match=r"chunk-000002\.npy"):
        _ = cd.open_run(tmp_path / "run")["lower"]


FULL = """
import resource, signal, sys
import numpy as np
import condyle as cd
from condyle.simulation.recordings import recording_run as recording
recording.SECONDS = 2000 * recording.STEP_SECONDS
model = cd.load(sys.argv[1])
q = np.linspace([0.1, 0.1], [1.0, 1.0], 30)
cd.simulate(model, q, duration=0.02, step=1e-2)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
calls = []
def shrink(t, q, v):
    if t > 1.0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
    return np.zeros(30, bool)
try:
    cd.simulate(model, q, duration=3.0, step=1e-2, record_to=sys.argv[3], resume=True, stop=shrink)
except cd.CondyleError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.slow
def test_a_full_disk_is_named_and_what_was_recorded_stays(model, tmp_path):
    """Oracle: the run in memory; the system refuses larger files (RLIMIT_FSIZE) after one second of it."""
    cd.save(model, tmp_path / "model.toml")
    command = [sys.executable, "-c", FULL, str(tmp_path / "model.toml"), str(10**7), str(tmp_path / "run")]
    said = subprocess.run(command, capture_output=True, text=True)
    assert "BadFile" in said.stdout and "chunk-" in said.stdout, said
    found = cd.open_run(tmp_path / "run")
    plain = cd.simulate(model, np.linspace([0.1, 0.1], [1.0, 1.0], 30), duration=3.0, step=1e-2)
    assert 30 < found.records < 150 and not found.finished
    np.testing.assert_array_equal(found["lower"], plain["lower"][:, : found.records])
    assert not [name for name in os.listdir(tmp_path / "run") if name.endswith(".part")]


def test_a_folder_that_cannot_be_written_is_named(model, tmp_path):
    """Oracle: the class of the error and the name; a file stands where the folder should be."""
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "run", "/proc/run"):
        with pytest.raises(BadFile, match=r"file|/proc/run"):
            cd.simulate(model, START, record_to=place, **PLAN)


def test_records_that_memory_cannot_hold_are_refused_with_the_way_out(model):
    """Oracle: 8 bytes times 10^7 members, 10001 records and 4 numbers; nothing is allocated."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadValue, match=r"3\.2e\+03 GB.*record=.*record_to="):
        cd.simulate(model, np.broadcast_to(START[0], (10**6, 2)), duration=100.0, step=1e-3)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000  # [kB]


def test_the_manifest_says_what_ran(model, tmp_path):
    """Oracle: the arguments."""
    cd.simulate(model, START, record_to=tmp_path / "run", **PLAN)
    said = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert said["kind"] == "run" and said["coordinates"] == ["upper", "lower"] and said["steps"] == 100
    assert said["versions"]["condyle"] == cd.__version__ and len(said["inputs"]["model"]) == 32


def test_a_model_that_no_file_holds_is_asked_for(tmp_path):
    """Oracle: the class of the error; with the model, the run in memory."""
    b = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, -1)))
    driven = b.prescribe("bob", lambda t: np.sin(t)).build()
    cd.simulate(driven, [0.0], record_to=tmp_path / "run", **PLAN)
    with pytest.raises(BadFile, match="model=model"):
        cd.open_run(tmp_path / "run")
    np.testing.assert_allclose(
        cd.open_run(tmp_path / "run", model=driven)["bob"], np.sin(np.arange(51) * 0.02), atol=1e-10
    )


def test_records_go_to_xarray_and_zarr(model, tmp_path):
    """Oracle: the arrays of the run; the store read by zarr itself."""
    pytest.importorskip("xarray")
    zarr = pytest.importorskip("zarr")
    pytest.importorskip("dask.array")
    kept = cd.simulate(model, START, record_to=tmp_path / "run", **PLAN)
    data = kept.to_xarray()
    assert data["lower"].dims == ("member", "t")
    np.testing.assert_array_equal(data["velocity of lower"].values, kept.v[..., 1])
    store = zarr.open(str(kept.to_zarr(tmp_path / "run.zarr")), mode="r")
    np.testing.assert_array_equal(store["lower"][:], kept["lower"])
    np.testing.assert_array_equal(store["t"][:], kept.t)


PEAK = """
import resource, sys
import condyle as cd
model = cd.load(sys.argv[1])
cd.simulate(model, [1.0, 0.5], duration=1.0, step=1e-3)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
run = cd.simulate(model, [1.0, 0.5], duration=float(sys.argv[2]), step=1e-3, record=1e-2, record_to=sys.argv[3])
print(run.records, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_duration(model, tmp_path):
    """Oracle: peak memory of a process over a run of 10^7 steps, whose records are ten times what it takes more."""
    cd.save(model, tmp_path / "model.toml")
    command = [sys.executable, "-c", PEAK, str(tmp_path / "model.toml"), "1e4", str(tmp_path / "run")]
    records, grown = map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert records == 10**6 + 1
    assert grown * 1024 < 24 * 2**20, grown
