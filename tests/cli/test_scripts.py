"""The command line among other programs: pipes, JSON, completion, no screen, a full disk, Ctrl-C."""

import json
import os
import signal
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

import condyle as cd
from condyle.cli.main import COMMANDS, run
from condyle.gallery import leg

HEADLESS = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "MPLBACKEND")}


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cd.save(leg(), "leg.toml")
    return "leg.toml"


def started(*arguments, **more):
    """The command in a process of its own, without a screen; it hears Ctrl-C even if these tests were told not to."""
    return subprocess.Popen(
        [sys.executable, "-m", "condyle", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=HEADLESS | more,
        bufsize=1,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def commands():
    """(name, command) of all, those of groups too."""
    for name in COMMANDS:
        found = import_module(f"condyle.cli.commands.{name}").command
        yield from found.commands.items() if isinstance(found, click.Group) else [(name, found)]


def test_every_command_speaks_json():
    """Oracle: the list of commands; writing samples and viewing an arm excepted."""
    silent = {name for name, command in commands() if "as_json" not in {p.name for p in command.params}}
    assert silent <= {"synthetic", "view"}
    assert "as_json" in {p.name for p in import_module("condyle.cli.commands.view").command.params}


@pytest.mark.parametrize("name", ["simulate", "ik", "check", "bench"])
def test_what_is_random_takes_a_seed(name):
    """Oracle: the options."""
    assert "seed" in {p.name for p in import_module(f"condyle.cli.commands.{name}").command.params}


@pytest.mark.parametrize(
    ("shell", "words"),
    [("bash", "complete -o nosort -F"), ("zsh", "#compdef condyle"), ("fish", "complete --no-files --command condyle")],
)
def test_completion_is_written_for_each_shell(shell, words):
    """Oracle: words of that shell's own language."""
    out, err = started(_CONDYLE_COMPLETE=f"{shell}_source").communicate()
    assert words in out, err


@pytest.mark.parametrize(
    ("words", "expected"),
    [("condyle si", "plain,simulate"), ("condyle simulate le", "file,le"), ("condyle ik --res", "plain,--restarts")],
)
def test_words_are_completed(words, expected):
    """Oracle: the command, a file, an option."""
    count = str(len(words.split()) - 1)
    more = {"_CONDYLE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": count}
    assert expected in started(**more).communicate()[0].splitlines()


@pytest.mark.parametrize(
    ("arguments", "more"),
    [(["--help"], {}), ([], {"_CONDYLE_COMPLETE": "bash_complete", "COMP_WORDS": "condyle ", "COMP_CWORD": "1"})],
    ids=["help", "completion"],
)
def test_commands_are_named_without_loading_them(arguments, more):
    """Oracle: the list of commands; the interpreter's own list of what it imported holds nothing large."""
    out, imports = started(*arguments, **more, PYTHONPROFILEIMPORTTIME="1").communicate()
    assert all(name in out for name in COMMANDS)
    loaded = {line.split("|")[-1].strip().split(".")[0] for line in imports.splitlines()}
    assert "click" in loaded and not loaded & {"numpy", "scipy", "numba", "viser", "matplotlib"}


@pytest.mark.slow
def test_a_run_in_a_pipe_shows_no_progress_bar(model):
    """Oracle: what is printed."""
    out, err = started("simulate", model, "--duration", "0.1", "--set", "knee=-1").communicate()
    assert "101 records to t = 0.1 s in leg.npz" in out and "simulating" not in out + err


@pytest.mark.slow
def test_pictures_need_no_display(model):
    """Oracle: a PNG file's first bytes, made without DISPLAY."""
    process = started("export", model, "leg.png")
    _, err = process.communicate()
    assert process.returncode == 0, err
    assert Path("leg.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.slow
def test_the_viewer_without_a_display_says_its_address_and_ends_with_ctrl_c(model):
    """Oracle: the line, exit code, no traceback."""
    pytest.importorskip("viser")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = started("view", model, "--port", str(port))
    lines = iter(process.stdout.readline, "")
    assert any(f"http://127.0.0.1:{port}" in line for line in lines), process.stderr.read()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode in (0, 130) and "Traceback" not in err


def test_a_closed_pipe_is_no_error(model):
    """Oracle: nothing on standard error."""
    process = started("schema", "model")
    process.stdout.read(10)
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    process.wait()


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "leg.toml", "--duration", "1e9", "--out", "leg.toml/run.npz"],
        ["export", "leg.toml", "leg.toml/leg.html"],
        ["export", "leg.toml", "leg.toml/copy.toml"],
        ["fit", "poses.csv", "-o", "leg.toml/joint.toml"],
    ],
    ids=lambda a: a[0],
)
def test_a_folder_that_cannot_be_written_is_told_before_the_work(arguments, model, capsys):
    """Oracle: the words; a simulation of thirty years is not begun."""
    assert run(arguments) == 2
    assert "cannot be written: Not a directory" in capsys.readouterr().err


def test_a_full_disk_is_told_and_keeps_the_old_file(model, monkeypatch, capsys):
    """Oracle: the words and the bytes."""
    before = Path("leg.toml").read_bytes()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert run(["export", model, "leg.toml"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert Path("leg.toml").read_bytes() == before


@pytest.mark.parametrize("broken", [KeyboardInterrupt(), OSError(5, "Input/output error")], ids=["ctrl-c", "disk"])
def test_an_interrupted_command_leaves_no_traceback(broken, model, monkeypatch, capsys):
    """Oracle: exit codes and words."""

    def solve(*_, **__):
        raise broken

    monkeypatch.setattr(cd.ik, "solve", solve)
    code = run(["ik", model, "--target", "foot=0,0,0", "--json"])
    said = capsys.readouterr()
    if isinstance(broken, OSError):
        assert code == 2 and json.loads(said.out)["error"] == "OSError" and "Input/output error" in said.err
    else:
        assert code == 130 and said.err.strip() == "interrupted"


def test_wrong_use_speaks_json_too(model, capsys):
    """Oracle: JSON that parses."""
    assert run(["simulate", model, "--duration", "long", "--json"]) == 2
    assert "'long' is not a valid float" in json.loads(capsys.readouterr().out)["message"]


def test_a_member_of_a_batch_becomes_a_table(model, capsys):
    """Oracle: the batch; a member that is not there is told."""
    run(["simulate", model, "--duration", "0.01", "--members", "3", "--set", "knee=-1", "--json"])
    assert run(["export", "leg.npz", "leg.csv", "--member", "1"]) == 0
    assert (cd.load("leg.csv", model=leg()).q == cd.load("leg.npz").q[1]).all()
    assert run(["export", "leg.npz", "leg.csv", "--member", "3"]) == 2
    assert run(["simulate", model, "--members", "3", "--out", "run.csv"]) == 2
    said = capsys.readouterr().err
    assert "--member is 0 … 2; got member = 3" in said and "only an .npz file holds several members" in said
