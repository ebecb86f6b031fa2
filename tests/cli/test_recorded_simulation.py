"""`condyle simulate --record-to`: records in a folder, and runs that go on."""

import json
import os
import signal

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import run
from condyle.gallery import leg
from condyle.simulation.driver import Run
from condyle.simulation.recordings import recording_run as recording

ARGUMENTS = ["simulate", "leg.toml", "--duration", "0.2", "--record", "0.01", "--set", "knee=-1", "--record-to", "run"]


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cd.save(leg(), "leg.toml")
    return cd.load("leg.toml")


def test_a_run_that_was_killed_goes_on_where_it_stopped(model, monkeypatch, capsys):
    """Oracle: the same run in Python, undisturbed and in memory; the exit code of a process that SIGTERM ended."""
    monkeypatch.setattr(recording, "SECONDS", 1e-4)  # chunks of a few records
    advance, calls = Run._advance, []

    def struck(self, *arguments):
        calls.append(1)
        advance(self, *arguments)
        if len(calls) == 5:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(Run, "_advance", struck)
    assert run([*ARGUMENTS, "--json"]) == 128 + signal.SIGTERM
    told = json.loads(capsys.readouterr().out)
    assert told["interrupted"] and not told["finished"] and 0 < told["records"] < 21
    assert len(cd.open_run("run").t) == told["records"]
    assert run([*ARGUMENTS]) == 2 and "resume" in capsys.readouterr().err
    assert run([*ARGUMENTS, "--resume"]) == 0
    assert "21 records to t = 0.2 s in run" in capsys.readouterr().out
    expected = cd.simulate(model, [0, -1, 0], duration=0.2, step=1e-3, record=1e-2)
    np.testing.assert_array_equal(cd.open_run("run").q, expected.q)


def test_options_that_do_not_go_together_are_named(model, capsys):
    """Oracle: the exit code of wrong usage, with the option."""
    assert run(["simulate", "leg.toml", "--resume"]) == 2 and "--record-to" in capsys.readouterr().err
    assert run([*ARGUMENTS, "--out", "x.npz"]) == 2 and "--out" in capsys.readouterr().err
