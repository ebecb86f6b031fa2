"""Runs are not lost: outputs are checked first, signals save what was computed, a full disk saves elsewhere."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import run
from condyle.errors import BadFile, Interrupted
from condyle.gallery import leg
from support.thinning import slow_but

ENDLESS = ["simulate", "leg.toml", "--duration", "1e4", "--record", "0.01", "--set", "knee=-1", "--json"]


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cd.save(leg(), "leg.toml")
    return "leg.toml"


NEVER = "the simulation must not be started"


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("run.txt", r"run\.txt: a trajectory is saved as \.npz \(or \.csv, \.sto, \.mot"),
        ("run.mat", r"run\.mat: a trajectory is saved as \.npz"),
        ("run", r"run: a trajectory is saved as \.npz"),
        (".", "a trajectory is saved as"),
        ("folder.npz", r"folder\.npz: cannot be written: this is a folder"),
        ("frozen.npz", r"frozen\.npz: cannot be written: it is read-only"),
        ("nowhere/run.npz", r"cannot be written: No such file or directory"),
        ("leg.toml/run.npz", r"cannot be written: Not a directory"),
        ("n" * 300 + ".npz", "cannot be written: File name too long"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_the_work(out, words, model, monkeypatch, capsys):
    """Oracle: a simulation that fails the test if it is started."""
    Path("folder.npz").mkdir()
    Path("frozen.npz").touch()
    Path("frozen.npz").chmod(0o444)
    monkeypatch.setattr("condyle.cli.commands.simulate.run", lambda *_, **__: pytest.fail(NEVER))
    assert run(["simulate", model, "--out", out]) == 2
    assert re.search(words, capsys.readouterr().err)


def test_a_run_that_cannot_be_saved_is_saved_elsewhere(model, monkeypatch, tmp_path, capsys):
    """Oracle: the same run in Python, in the file that is named; the disk is full for one folder alone."""
    spare = tmp_path / "spare"
    spare.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spare))
    replace = os.replace

    def full(source, target):
        if Path(target).parent == tmp_path:
            raise OSError(28, "No space left on device")
        return replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    assert run(["simulate", model, "--duration", "0.01", "--set", "knee=-1", "--out", "run.csv"]) == 2
    said = capsys.readouterr().err
    assert "run.csv: cannot be written: No space left on device" in said
    kept = Path(re.search(r"what was computed is in (\S+)", said).group(1))
    assert kept.name == "run.npz" and kept.is_relative_to(spare)
    expected = cd.simulate(leg(), [0, -1, 0], duration=0.01, step=1e-3, record=1e-4)
    np.testing.assert_array_equal(cd.load(kept).q, expected.q)
    assert not Path("run.csv").exists() and not list(Path().glob(".*part"))


def test_a_run_that_can_be_saved_nowhere_says_so(model, monkeypatch, capsys):
    """Oracle: the words; no empty folders are left."""
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    monkeypatch.setattr(Path, "home", lambda: Path("/nowhere"))
    monkeypatch.setattr(tempfile, "tempdir", str(Path.cwd()))
    assert run(["simulate", model, "--duration", "0.01"]) == 2
    assert "it could not be saved elsewhere either" in capsys.readouterr().err
    assert os.listdir() == ["leg.toml"]


# The command with a stop function that sends the signals at a certain record: no test waits for a clock.
STRUCK = """
import os, signal, sys
from condyle.cli import rescue
from condyle.cli.commands import simulate
from condyle.cli.main import main
from condyle.simulation import simulate as simulate_

at, *numbers = map(int, sys.argv[1].split(","))
calls = []

def struck(model, q, v, *, stop, **options):
    def stop_and_strike(t, q, v):
        calls.append(t)
        if len(calls) == at:
            for number in numbers:
                os.kill(os.getpid(), number)
        return stop(t, q, v)
    return simulate_(model, q, v, stop=stop_and_strike, **options)

def save(thing, path, saved=rescue.save):
    for number in numbers:  # more while it is saved
        os.kill(os.getpid(), number)
    return saved(thing, path)

simulate.run, rescue.save = struck, save
main(sys.argv[2:])
"""


@pytest.mark.parametrize("name", slow_but(["SIGTERM"], ["SIGINT", "SIGTERM", "SIGHUP"]))
@pytest.mark.parametrize("times", slow_but([2], [1, 2]))
def test_a_signal_saves_what_was_computed(name, times, model):
    """Oracle: the same run in Python, up to the record at which signals came, once or twice and again while saving."""
    number = signal.Signals[name]
    numbers = ",".join(["7", *[str(int(number))] * times])
    process = subprocess.run(
        [sys.executable, "-c", STRUCK, numbers, *ENDLESS], capture_output=True, text=True,
        preexec_fn=lambda: [signal.signal(n, signal.SIG_DFL) for n in (signal.SIGINT, signal.SIGHUP)],
    )  # fmt: skip
    assert process.returncode == 128 + number, process.stderr
    assert "Traceback" not in process.stderr and '"interrupted": true' in process.stdout
    kept = cd.load("leg.npz")
    expected = cd.simulate(leg(), [0, -1, 0], duration=0.1, step=1e-3, record=1e-2)
    assert 7 <= len(kept.t) <= 8  # the record at which it came is there or not
    np.testing.assert_array_equal(kept.q, expected.q[: len(kept.t)])
    assert "interrupted" in str(kept.stopped)


@pytest.mark.slow
def test_a_signal_between_records_is_answered_soon(model):
    """Oracle: a run whose next record is years away ends and saves its start."""
    code = """
import os, signal, sys, threading
from condyle.cli.commands import simulate
from condyle.cli.main import main
from condyle.simulation.driver import Run

advance, calls = Run._advance, []

def struck(self, *arguments):
    calls.append(1)
    advance(self, *arguments)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGTERM)

Run._advance = struck
main(sys.argv[1:])
"""
    endless = ["simulate", model, "--duration", "1e9", "--record", "1e9", "--set", "knee=-1"]
    process = subprocess.run([sys.executable, "-c", code, *endless], capture_output=True, text=True)
    assert process.returncode == 143, process.stderr
    assert len(cd.load("leg.npz").t) == 1 and "interrupted: what was finished is saved" in process.stdout


@pytest.mark.slow
def test_a_run_without_a_terminal_goes_on_after_it_hung_up(model):
    """Oracle: nohup's own way: a hang-up that is ignored when the command starts stays ignored."""
    arguments = ["simulate", model, "--duration", "0.5", "--record", "0.01", "--set", "knee=-1", "--json"]
    process = subprocess.run(
        [sys.executable, "-c", STRUCK, f"7,{int(signal.SIGHUP)}", *arguments], capture_output=True, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert len(cd.load("leg.npz").t) == 51


def test_an_interrupted_run_can_be_saved_in_python(model):
    """Oracle: the records that the interrupt carries come back from their file."""
    with pytest.raises(Interrupted) as caught:
        cd.simulate(leg(), [0, -1, 0], duration=1e4, step=1e-3, record=1e-2, stop=lambda t, q, v: struck(t))
    again = cd.load(cd.save(caught.value.trajectory, "run.npz"))
    np.testing.assert_array_equal(again.q, caught.value.trajectory.q)


def struck(t):
    if t > 0.05:
        raise KeyboardInterrupt
    return False


@pytest.mark.parametrize(
    "arguments", [["arm", "fit", "x.csv", "-o", "arm.npz"], ["arm", "fit", "x.csv", "-o", "no/arm.toml"]]
)
def test_a_fitted_arm_has_a_place_before_it_is_fitted(arguments, model, monkeypatch, capsys):
    """Oracle: a fit that fails the test if it is started."""
    Path("x.csv").touch()
    monkeypatch.setattr("condyle.workspace.fit_arm", lambda *_, **__: pytest.fail(NEVER))
    assert run(arguments) == 2
    assert "BadFile" in capsys.readouterr().err


def test_the_words_of_a_result_kept_elsewhere_name_both_places(tmp_path, monkeypatch):
    """Oracle: the class, the file that was wanted and the one that was written."""
    from condyle.cli.rescue import save_somewhere

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(BadFile, match=r"no/j\.toml: .*what was computed is in .*/j\.toml"):
        save_somewhere(cd.joints.ball(), tmp_path / "no" / "j.toml", ".toml")
