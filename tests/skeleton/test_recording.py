"""Runs of skeletons that go to a folder while they run: the same numbers as in memory, whatever happens in between."""

import os
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadValue
from condyle.simulation import StoppedWarning
from condyle.simulation.recordings import recording_run as recording
from condyle.skeleton import RecordedMotion, Skeleton, SkeletonBuilder, State
from support.thinning import slow_but

from .dense import GRAPHS, random_dense

PLAN = {"duration": 0.6, "step": 0.01, "record": 0.02}


def ring():
    return Skeleton.from_arrays(**random_dense(*GRAPHS["a mixed ring"]).arrays)


def swinging():
    """Two rods with a limit, which counts turns."""
    b = SkeletonBuilder().add_body("upper", cd.Inertia.sphere(1.0, 0.1), position=(0.5, 0, 0))
    b.add_body("lower", cd.Inertia.sphere(1.0, 0.1), position=(1.5, 0, 0))
    b.add_hinge("upper", None, at=(0, 0, 0), axis=(0, 1, 0), name="shoulder")
    b.add_hinge("lower", "upper", at=(1, 0, 0), axis=(0, 1, 0), name="elbow")
    return b.add_limit("elbow", low=-0.5, stiffness=200.0, damping=1.0).build()


def batch_of(skeleton, count):
    s, f = skeleton.initial, np.linspace(0.5, 1.5, count)[:, None, None]
    return State.checked(s.positions, s.rotations, f * s.velocities, f * s.angular_velocities)


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch):
    """Five records a chunk."""
    monkeypatch.setattr("condyle.skeleton.recording.chunk_length", lambda *size: 5)


def same(kept, plain):
    for x, y in zip(vars(kept.states).values(), vars(plain.states).values(), strict=True):
        np.testing.assert_array_equal(x, y[..., : len(kept.t), :] if y.ndim == x.ndim and y.size != x.size else y)
    np.testing.assert_array_equal(np.broadcast_to(kept.loads, plain.loads.shape), plain.loads)


def files(folder):
    names = [n for n in sorted(os.listdir(folder)) if n.endswith(".npy") or n == "finished.json"]
    return {name: (folder / name).read_bytes() for name in names}


def pushing(t):
    return {"shoulder": 3.0 * np.sin(5.0 * t)}


def braking(t, state):
    return {"motors": {"elbow": -0.5 * state.angular_velocities[..., 1, 1]}}


CASES = {
    "a ring, variational": (ring, None, {}),
    "a batch": (ring, 3, {}),
    "motors over time, rk4": (swinging, None, {"motors": pushing, "integrator": "rk4"}),
    "a control": (swinging, 3, {"control": braking, "motors": pushing}),
    "as printed": (ring, None, {"integrator": "printed"}),
}


@pytest.mark.parametrize("name", slow_but([name for name, (_, members, _) in CASES.items() if not members], CASES))
def test_a_recorded_motion_has_the_numbers_of_one_in_memory(name, tmp_path):
    """Oracle: the run in memory, bit by bit; opened again, and one body alone."""
    make, count, options = CASES[name]
    skeleton = make()
    start = None if count is None else batch_of(skeleton, count)
    kept = skeleton.simulate(start, record_to=tmp_path / "run", **PLAN, **options)
    plain = skeleton.simulate(start, **PLAN, **options)
    assert isinstance(kept, RecordedMotion) and kept.finished and len(kept._chunks.numbers) > 2
    same(kept, plain)
    opened = cd.open_run(tmp_path / "run")
    np.testing.assert_array_equal(opened.t, plain.t)
    same(opened, plain)
    one = opened.body(skeleton.body_names[1])
    np.testing.assert_array_equal(one.positions[..., 0, :], plain.states.positions[..., 1, :])
    np.testing.assert_array_equal(opened.part(3, 9).states.velocities, plain.states.velocities[..., 3:9, :, :])
    for name, drift in plain.report().drifts().items():
        np.testing.assert_allclose(opened.report().drifts()[name], drift, atol=1e-12)


@pytest.mark.parametrize("name", slow_but([name for name, (_, members, _) in CASES.items() if not members], CASES))
def test_a_motion_that_was_cut_off_goes_on_bit_by_bit(name, tmp_path, monkeypatch):
    """Oracle: the files of an undisturbed run; the writer fails at several chunks."""
    make, count, options = CASES[name]
    skeleton = make()
    start = None if count is None else batch_of(skeleton, count)
    skeleton.simulate(start, record_to=tmp_path / "whole", **PLAN, **options)
    write, calls = recording.write_bytes, []

    def failing(path, content):
        calls.append(path)
        if len(calls) in (1, 3):
            raise BadFile("cut off")
        write(path, content)

    monkeypatch.setattr(recording, "write_bytes", failing)
    for _ in range(2):
        with pytest.raises(BadFile, match="cut off"):
            skeleton.simulate(start, record_to=tmp_path / "cut", resume=True, **PLAN, **options)
        assert not cd.open_run(tmp_path / "cut").finished
    found = skeleton.simulate(start, record_to=tmp_path / "cut", resume=True, **PLAN, **options)
    assert files(tmp_path / "whole") == files(tmp_path / "cut")
    same(found, cd.open_run(tmp_path / "whole"))


@pytest.mark.slow
def test_members_that_stop_are_told_as_in_memory(tmp_path):
    """Oracle: the run in memory, with NaN at the same places and the same ends; all stopped ends the records."""
    skeleton = swinging()
    start = batch_of(skeleton, 3)
    for stop in (lambda t, s: np.array([t > 0.1, False, t > 0.3]), lambda t, s: np.full(3, t > 0.25)):
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        kept = skeleton.simulate(start, stop=stop, record_to=tmp_path / "run", **PLAN)
        plain = skeleton.simulate(start, stop=stop, **PLAN)
        np.testing.assert_array_equal(kept.states.positions, plain.states.positions[:, : kept.records])
        assert np.isnan(plain.states.positions[:, kept.records :]).all()
        assert [str(s) for s in kept.stops()] == [str(s) for s in plain.stops()]
        for a, b in zip(kept.stops(), plain.stops(), strict=True):
            assert (a is None) == (b is None)
            if a is not None:
                np.testing.assert_array_equal(a.state.rotations, b.state.rotations)


def test_a_run_that_fails_says_so_when_it_is_opened(tmp_path):
    """Oracle: the warning and the reason of the run in memory: explicit friction far beyond its bound."""
    wheel = SkeletonBuilder(gravity=(0, 0, 0)).add_body(
        "wheel", cd.Inertia.sphere(1.0, 0.1), angular_velocity=(0, 0, 1)
    )
    wheel = wheel.add_hinge("wheel", None, at=(0, 0, 0), axis=(0, 0, 1), friction=100.0).build()
    how = {"duration": 2.0, "step": 0.01, "integrator": "printed", "friction": "explicit"}
    with pytest.warns(StoppedWarning):
        wheel.simulate(record_to=tmp_path / "run", **how)
    with pytest.warns(StoppedWarning):
        plain = wheel.simulate(**how)
    assert str(cd.open_run(tmp_path / "run").stopped) == str(plain.stopped)


def test_another_run_is_refused_by_what_differs(tmp_path):
    """Oracle: the name of what was changed."""
    skeleton = swinging()
    skeleton.simulate(record_to=tmp_path / "run", motors=pushing, **PLAN)
    other = {"loads": {"motors": {"shoulder": 1.0}}, "schedule": {"t0": 1.0}, "control": {"control": braking},
             "method": {"integrator": "printed"}}  # fmt: skip
    for word, options in other.items():
        with pytest.raises(BadFile, match=word):
            skeleton.simulate(record_to=tmp_path / "run", resume=True, **{"motors": pushing, **PLAN, **options})
    with pytest.raises(BadFile, match="resume=True"):
        skeleton.simulate(record_to=tmp_path / "run", motors=pushing, **PLAN)
    with pytest.raises(BadValue, match="record_to"):
        skeleton.simulate(resume=True, **PLAN)


KILLED = """
import sys
import condyle.skeleton.recording
condyle.skeleton.recording.chunk_length = lambda *size: 20
from skeleton.test_recording import swinging, pushing
swinging().simulate(duration=60.0, step=0.01, record=0.02, motors=pushing, record_to=sys.argv[1], resume=True)
"""


@pytest.mark.slow  # processes that are killed
def test_a_killed_run_goes_on_bit_by_bit(tmp_path):
    """Oracle: the files of an undisturbed run; processes are killed after more and more chunks."""
    env = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(__file__))}
    command = [sys.executable, "-c", KILLED]
    subprocess.run([*command, str(tmp_path / "whole")], env=env, check=True)
    folder = tmp_path / "cut"
    for wanted in range(20, 120, 25):
        process = subprocess.Popen([*command, str(folder)], env=env)
        while process.poll() is None and not (folder / f"chunk-{wanted:06d}.npy").exists():
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not (folder / "finished.json").exists()
    subprocess.run([*command, str(folder)], env=env, check=True)
    assert files(tmp_path / "whole") == files(folder)
