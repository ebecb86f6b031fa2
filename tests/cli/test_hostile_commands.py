"""Commands with arguments that make no sense: words and exit code 2, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import condyle, run
from condyle.gallery import leg

LONG = "n" * 5000
DIGITS = "9" * 5000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of many kinds."""
    folder = tmp_path_factory.mktemp("files")
    cd.save(leg(), folder / "leg.toml")
    cd.save(cd.joints.ball(), folder / "joint.toml")
    run = cd.simulate(leg(), [0.1, -0.5, 0], duration=0.01, step=1e-3)
    cd.save(run, folder / "run.npz")
    cd.save(run, folder / "run.csv")
    np.savez(folder / "foreign.npz", a=np.zeros(3))
    (folder / "empty.toml").touch()
    (folder / "empty.npz").touch()
    (folder / "empty.csv").touch()
    (folder / "bytes.toml").write_bytes(bytes(range(256)))
    (folder / "deep.toml").write_text("a." * 3000 + "a = 1")
    (folder / "digits.toml").write_text("condyle = 0x" + "f" * 5000)
    (folder / "null.toml").write_text("condyle = 1\0")
    (folder / "folder.toml").mkdir()
    t = np.linspace(0, 1, 400)
    rows = "\n".join(f"{x},{x},0,0,{0.1 * x},0,0" for x in t)
    (folder / "poses.csv").write_text(f"q,a,b,c,x,y,z\n{rows}\n")
    return folder


POSES = ["fit", "poses.csv", "-o", "j.toml", "--force", "--angles", "a,b,c", "--sequence", "xyz", "--position", "x,y,z"]
HOSTILE = [
    *(["info", name] for name in (
        "empty.toml", "empty.npz", "empty.csv", "bytes.toml", "deep.toml", "digits.toml", "null.toml", "folder.toml",
        "foreign.npz", "no.npz", LONG, f"{LONG}.toml", "", "leg.xyz", "no.png", "/dev/null",
    )),
    *(["check", name] for name in ("foreign.npz", "run.csv", "empty.toml")),
    *(["view", name, "--no-browser"] for name in ("foreign.npz", "run.csv", "empty.npz")),
    ["view", "leg.toml", "--port", "0"],
    ["view", "leg.toml", "--port", "99999"],
    ["view", "leg.toml", "--port", DIGITS],
    ["export", "leg.toml", LONG + ".html"],
    ["export", "leg.toml", "folder.toml"],
    ["export", "leg.toml", "leg.toml/x.html"],
    ["export", "leg.toml", "run2.npz"],
    ["export", "run.npz", "x.toml"],
    ["export", "run.npz", "x.html", "--member", "7"],
    ["export", "run.npz", "x.csv", "--member", "-1"],
    ["export", "run.npz", "x.html", "--member", DIGITS],
    ["export", "run.npz", "x.png", "--time", "nan"],
    ["export", "run.csv", "x.html", "--model", "joint.toml"],
    ["export", "joint.toml", "x.csv"],
    ["simulate", "joint.toml"],
    ["simulate", "run.npz"],
    ["simulate", "leg.toml", "--seed", "-1", "--members", "2"],
    ["simulate", "leg.toml", "--seed", "x"],
    ["simulate", "leg.toml", "--members", "0"],
    ["simulate", "leg.toml", "--members", "1000000000000"],
    ["simulate", "leg.toml", "--members", "2", "--spread", "-1"],
    ["simulate", "leg.toml", "--members", "2", "--spread", "nan"],
    ["simulate", "leg.toml", "--duration", "nan"],
    ["simulate", "leg.toml", "--duration", "-1"],
    ["simulate", "leg.toml", "--duration", "0"],
    ["simulate", "leg.toml", "--duration", "inf"],
    ["simulate", "leg.toml", "--step", "0"],
    ["simulate", "leg.toml", "--step", "nan"],
    ["simulate", "leg.toml", "--step", "1e-300"],
    ["simulate", "leg.toml", "--step", "-1e-3"],
    ["simulate", "leg.toml", "--step", "1e-9", "--duration", "1e9"],
    ["simulate", "leg.toml", "--record", "0"],
    ["simulate", "leg.toml", "--record", "-1"],
    ["simulate", "leg.toml", "--record", "nan"],
    ["simulate", "leg.toml", "--set", "knee=nan"],
    ["simulate", "leg.toml", "--set", "knee=1e999"],
    ["simulate", "leg.toml", "--set", f"knee={DIGITS}"],
    ["simulate", "leg.toml", "--set", "knee=1,2"],
    ["simulate", "leg.toml", "--set", "=1"],
    ["simulate", "leg.toml", "--set", f"{LONG}=1"],
    ["simulate", "leg.toml", "--velocity", "knee=x"],
    ["simulate", "leg.toml", "--velocity", "knee=nan"],
    ["simulate", "leg.toml", "--velocity", "elbow=1"],
    ["simulate", "leg.toml", "--members", "2", "--out", "run.csv"],
    ["simulate", "leg.toml", "--integrator", LONG],
    ["simulate", "leg.toml", "--out", "folder.toml"],
    ["simulate", "leg.toml", "--out", "."],
    ["simulate", "leg.toml", "--out", ""],
    ["simulate", "leg.toml", "--out", f"{LONG}.npz"],
    ["simulate", "leg.toml", "--out", "run.mat"],
    ["ik", "leg.toml", "--target", "foot=0,0,nan"],
    ["ik", "leg.toml", "--target", "foot=0,0,0,0,0,0,0"],
    ["ik", "leg.toml", "--target", "foot=" + ",".join("1" * 100)],
    ["ik", "leg.toml", "--target", "foot=0,0,0", "--seed", "-1"],
    ["ik", "leg.toml", "--target", "foot=0,0,0", "--restarts", "-1"],
    ["ik", "leg.toml", "--target", "foot=0,0,0", "--restarts", "1000000000"],
    ["ik", "leg.toml", "--target", "foot=0,0,0", "--method", "magic"],
    ["check", "leg.toml", "--samples", "1"],
    ["check", "leg.toml", "--samples", "1000000000"],
    ["check", "leg.toml", "--seed", "-5"],
    ["bench", "leg.toml", "--states", "0"],
    ["bench", "leg.toml", "--states", "1000000000000"],
    ["bench", "leg.toml", "--seed", "-1"],
    ["demo", "leg", "--out", f"{LONG}/x"],
    ["demo", ""],
    ["demo", "\0"],
    ["schema", ""],
    [*POSES[:5], "--frames", "-1"],
    [*POSES, "--frames", "x"],
    [*POSES, "--frames", "1e300"],
    [*POSES, "--order", "-1"],
    [*POSES, "--smooth", "nan"],
    [*POSES, "--metric", "nan"],
    [*POSES, "--surface", "-1", "5", "--coordinate", "q", "--coordinate", "a"],
    [*POSES, "--coordinate", LONG],
    [*POSES, "--loss", "x"],
    ["fit", "run.npz", "-o", "j.toml", "--force"],
    ["fit", "poses.csv", "-o", "folder.toml", "--force"],
    ["fit", "poses.csv", "-o", "j.npz"],
    ["arm", "synthetic", "nobody"],
    ["arm", "synthetic", "--count", "0"],
    ["arm", "synthetic", "--count", "1000000000"],
    ["arm", "synthetic", "--noise", "nan", "--force"],
    ["arm", "synthetic", "--noise", "-1", "--force"],
    ["arm", "synthetic", "--seed", "-1"],
    ["arm", "synthetic", "-o", f"{LONG}.csv"],
    ["arm", "fit", "poses.csv", "-o", "arm.npz"],
    ["arm", "fit", "poses.csv", "-o", "folder.toml", "--force"],
    ["arm", "solve", "leg.toml", "--goal", "0", "0", "0"],
    ["arm", "view", "run.npz"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", HOSTILE, ids=lambda a: " ".join(a)[:70].encode("ascii", "replace").decode())
def test_a_hostile_command_is_refused_in_words(arguments, folder, monkeypatch, capsys):
    """Oracle: exit code 2 and one message; what is there before is there after."""
    monkeypatch.chdir(folder)
    before = {p: p.stat().st_mtime_ns for p in Path().rglob("*")}
    assert run(arguments) == 2, capsys.readouterr()
    said = capsys.readouterr().err
    assert said.strip() and "Traceback" not in said and "mistake in condyle" not in said and len(said) < 10_000
    after = {p: p.stat().st_mtime_ns for p in Path().rglob("*")}
    assert {p: after.get(p) for p in before} == before


def test_a_mistake_in_condyle_is_one_line_and_the_way_to_its_traceback(monkeypatch, capsys):
    """Oracle: an error that nobody foresaw; the variable shows it."""

    def broken(*_, **__):
        raise KeyError("unforeseen")

    monkeypatch.delenv("CONDYLE_DEBUG", raising=False)
    monkeypatch.setattr(condyle, "main", broken)
    assert run(["info", "x"]) == 70
    said = capsys.readouterr().err
    assert "KeyError: 'unforeseen'" in said and "CONDYLE_DEBUG=1" in said and "Traceback" not in said
    monkeypatch.setenv("CONDYLE_DEBUG", "1")
    with pytest.raises(KeyError):
        run(["info", "x"])


def test_help_names_the_exit_codes(capsys):
    """Oracle: the numbers."""
    assert run(["--help"]) == 0
    said = capsys.readouterr().out
    assert "Exit codes" in said and all(f"\n  {code} " in said for code in (0, 1, 2, 70, 130))


def test_no_memory_is_said(folder, monkeypatch, capsys):
    """Oracle: exit code 2 and words, for a simulation that numpy has no room for."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("condyle.cli.commands.simulate.run", lambda *_, **__: np.empty(2**57))
    assert run(["simulate", "leg.toml"]) == 2
    assert "OutOfMemory" in capsys.readouterr().err


def test_a_closed_terminal_is_no_error(folder):
    """Oracle: the exit code of a process whose standard error is closed."""
    command = f"{sys.executable} -m condyle info no.toml 2>&-"
    assert subprocess.run(["sh", "-c", command], cwd=folder, env=os.environ).returncode == 2
