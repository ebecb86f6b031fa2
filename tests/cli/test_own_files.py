"""The command line opens every file that it writes."""

import json
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import run
from condyle.control import TorqueFunctions
from condyle.gallery import leg, three_bodies
from condyle.workspace import fit_arm, synthetic_subject
from support.thinning import slow_but


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A file of every kind."""
    folder = tmp_path_factory.mktemp("kinds")
    motion = cd.simulate(leg(), [[0.1, -0.5, 0], [0, -1, 0]], duration=0.02, step=1e-3)
    cd.save(leg(), folder / "model.toml")
    cd.save(leg().bodies[1].joint, folder / "joint.toml")
    cd.save(fit_arm(synthetic_subject("female", count=60), smoothing=1e-5), folder / "arm.toml")
    cd.save(motion, folder / "trajectory.npz")
    cd.save(three_bodies().simulate(duration=0.02, step=0.01), folder / "motion.npz")
    q, v = motion.q[0], motion.v[0]
    cd.save(TorqueFunctions(motion.t, np.zeros_like(v), q, v), folder / "torques.npz")
    return folder


FILES = ["model.toml", "joint.toml", "arm.toml", "trajectory.npz", "motion.npz", "torques.npz"]
KINDS = {"model.toml": "model", "motion.npz": "skeleton motion", "joint.toml": "joint"}
MODEL = {"torques.npz": ["--model", "model.toml"]}


@pytest.mark.parametrize("file", FILES)
def test_info_says_what_is_in_it(file, folder, monkeypatch, capsys):
    """Oracle: the kind; for people and for scripts."""
    monkeypatch.chdir(folder)
    assert run(["info", file]) == 0
    assert capsys.readouterr().out.startswith("kind: ")
    assert run(["info", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == KINDS.get(file, Path(file).stem)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_check_finds_it_sound(file, folder, monkeypatch, capsys):
    """Oracle: exit code 0 and at least one finding."""
    monkeypatch.chdir(folder)
    assert run(["check", file, "--samples", "8"]) == 0
    assert capsys.readouterr().out.startswith("ok ")


@pytest.mark.parametrize("file", slow_but([f for f in FILES if f != "arm.toml"], FILES))
def test_view_shows_it(file, folder, monkeypatch, capsys):
    """Oracle: a viewer that opens, of which only the waiting is left out."""
    pytest.importorskip("viser")
    monkeypatch.chdir(folder)
    shown = []

    class Viewer:
        address = "here"

        def __init__(self, thing, **options):
            from condyle.view.show import _viewer

            shown.append(_viewer(thing, 0, options["folder"], None, False))

        def run(self):
            shown[-1].start()

        def stop(self):
            shown[-1].stop()

    monkeypatch.setattr("condyle.cli.commands.view.view", Viewer)
    assert run(["view", file, "--no-browser", *MODEL.get(file, [])]) == 0
    assert len(shown) == 1 and "open here" in capsys.readouterr().out


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("suffix", [".html", ".glb"])
def test_export_draws_it(file, suffix, folder, monkeypatch, capsys):
    """Oracle: the first bytes of the file, which info opens."""
    monkeypatch.chdir(folder)
    out = f"{Path(file).stem}{suffix}"
    assert run(["export", file, out, *MODEL.get(file, [])]) == 0
    assert Path(out).read_bytes()[:4] in (b"<!do", b"<!DO", b"glTF")
    assert run(["info", out]) == 0


@pytest.mark.parametrize("file", FILES)
def test_export_copies_it(file, folder, monkeypatch, capsys):
    """Oracle: info says the same of the copy."""
    monkeypatch.chdir(folder)
    copy = f"copy-{file}"
    assert run(["export", file, copy]) == 0
    capsys.readouterr()
    said = []
    for path in (file, copy):
        assert run(["info", path]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]


@pytest.mark.parametrize("file", ["trajectory.npz", "motion.npz", "torques.npz"])
@pytest.mark.parametrize("suffix", [".csv", ".sto", ".mot"])
def test_motions_become_tables_that_info_opens(file, suffix, folder, monkeypatch, capsys):
    """Oracle: the number of records of the file and of its table."""
    monkeypatch.chdir(folder)
    assert run(["export", file, f"t{suffix}", *MODEL.get(file, [])]) == 0
    capsys.readouterr()
    records = []
    for path in (file, f"t{suffix}"):
        assert run(["info", path, "--json"]) == 0
        records.append(json.loads(capsys.readouterr().out)["records"])
    assert records[0] == records[1]


def test_torques_without_their_model_say_what_is_missing(folder, monkeypatch, capsys):
    """Oracle: exit code 2, the option; and a model of another size."""
    monkeypatch.chdir(folder)
    assert run(["export", "torques.npz", "x.html"]) == 2
    assert "torques do not hold their model; give it: --model" in capsys.readouterr().err
    one = cd.ModelBuilder().add_body("a", joint=cd.joints.revolute("x"), inertia=cd.Inertia.sphere(1, 0.1)).build()
    cd.save(one, "one.toml")
    assert run(["export", "torques.npz", "x.html", "--model", "one.toml"]) == 2
    assert "3 coordinates" in capsys.readouterr().err


@pytest.mark.slow
def test_a_check_of_a_run_that_stopped_fails(folder, monkeypatch, capsys):
    """Oracle: exit code 1, the reason."""
    monkeypatch.chdir(folder)
    stopped = cd.simulate(leg(), [0, -1, 0], duration=0.1, step=1e-3, stop=lambda t, q, v: t > 0.05)
    cd.save(stopped, "stopped.npz")
    assert run(["check", "stopped.npz", "--samples", "8"]) == 1
    assert "FAIL records: stopped at t = 0.051 s" in capsys.readouterr().out


@pytest.mark.parametrize("suffix", [".csv", ".toml"])
def test_samples_of_an_arm_are_opened(suffix, tmp_path, monkeypatch, capsys):
    """Oracle: the kinds, from measurements to the arm."""
    monkeypatch.chdir(tmp_path)
    assert run(["arm", "synthetic", "--count", "60"]) == 0
    if suffix == ".toml":
        assert run(["arm", "fit", "samples.csv", "-o", "arm.toml", "--smooth", "1e-5"]) == 0
    for path in sorted(tmp_path.glob(f"*{suffix}")):
        capsys.readouterr()
        assert run(["info", str(path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["kind"] == {".csv": "table", ".toml": "arm"}[suffix]


@pytest.mark.slow
@pytest.mark.parametrize("demo", ["leg", "skeleton", "humanoid", "three-links", "foot", "arm", "wrist"])
def test_every_file_of_a_demonstration_is_opened(demo, tmp_path, monkeypatch, capsys):
    """Oracle: exit code 0 of info for each file, of check and export for each of condyle's own."""
    monkeypatch.chdir(tmp_path)
    assert run(["demo", demo, "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert len(files) >= 5
    for file in files:
        assert run(["info", file]) == 0, capsys.readouterr()
        if Path(file).suffix in (".npz", ".toml"):
            assert run(["check", file, "--samples", "8"]) in (0, 1)
            assert run(["export", file, f"again{Path(file).suffix}"]) == 0
            assert run(["export", file, "again.glb"]) == 0, capsys.readouterr()
