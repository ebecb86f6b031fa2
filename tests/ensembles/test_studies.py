"""Studies in files, pages and figures about ensembles."""

from __future__ import annotations

import json

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import run
from condyle.ensembles import FailedMembers, grid, run_study, samples, sensitivity
from condyle.ensembles.ensemble_figures import bands, panels_of
from condyle.errors import BadFile, BadShape, BadValue, UnknownName
from support.ensemble_functions import sometimes
from support.thinning import slow_but
from support.varied_leg import built

STUDY = """
model = "leg.toml"
design = "latin hypercube"
members = 6
outputs = ["knee"]
[vary]
"{first}" = [2.0, 5.0]
knee = [0.8, 1.4]
[simulate]
duration = 0.04
step = 0.01
start = {{ thigh = 0.2 }}
"""


@pytest.fixture
def first():
    """What the study varies first: a start, or a number of the model."""
    return "velocity of thigh"


@pytest.fixture
def study(tmp_path, first):
    cd.save(built(), tmp_path / "leg.toml")
    path = tmp_path / "legs.toml"
    path.write_text(STUDY.format(first=first))
    return path


@pytest.mark.slow  # an entry for lane tables
def test_the_example_is_a_study_that_runs(tmp_path, capsys):
    """Oracle: the words of the help; what it varies; a second time nothing is overwritten."""
    path = tmp_path / "legs.toml"
    assert run(["ensemble", str(path), "--example"]) == 0
    shorter = path.read_text().replace("members = 64", "members = 4").replace("duration = 1.0", "duration = 0.02")
    capsys.readouterr()
    assert run(["ensemble", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(line in told for line in path.read_text().splitlines())
    assert run(["ensemble", str(path), "--example"]) == 2 and path.read_text() != shorter
    path.write_text(shorter)
    assert run(["ensemble", str(path)]) == 0
    found = cd.ensembles.open_ensemble(path.with_suffix(""))
    assert found.design.names == ("shank.mass", "knee") and found["knee"].shape == (4, 3)
    np.testing.assert_allclose(found.t, [0.0, 0.01, 0.02])


@pytest.mark.parametrize("first", slow_but(["velocity of thigh"], ["velocity of thigh", "shank.mass"]))
def test_a_study_is_the_ensemble_that_it_describes(study, first, capsys):
    """Oracle: the same with cd.ensemble, bit by bit; the command's folder, page and exit code."""
    design = cd.ensembles.latin_hypercube({first: [2.0, 5.0], "knee": [0.8, 1.4]}, 6)
    expected = cd.ensemble(built(), design, outputs=["knee"], q=[0.2, 1.5], duration=0.04, step=0.01)
    np.testing.assert_array_equal(run_study(study)["knee"], expected["knee"])
    assert run(["ensemble", str(study), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(said["means"]["knee"], expected["knee"].mean(axis=0))
    folder = study.with_suffix("")
    assert "5 to 95" not in (page := (folder / "report.html").read_text()) and "data:image/png" in page
    np.testing.assert_array_equal(cd.ensembles.open_ensemble(folder)["knee"], expected["knee"])
    assert run(["ensemble", str(study)]) == 2 and "resume" in capsys.readouterr().err
    assert run(["ensemble", str(study), "--resume"]) == 0 and "6 members, 0 failed" in capsys.readouterr().out


def test_a_study_of_a_function_finds_it_beside_the_file(tmp_path, capsys):
    """Oracle: the function; a member that fails gives exit code 1."""
    (tmp_path / "cubes_of_study.py").write_text("def cube(p):\n    return 1 / p['x'] ** 3\n")
    path = tmp_path / "study.toml"
    path.write_text('function = "cubes_of_study:cube"\ndesign = "samples"\n[vary]\nx = [1.0, 2.0, 0.0]\n')
    assert run(["ensemble", str(path)]) == 1
    assert cd.ensembles.open_ensemble(tmp_path / "study")["value"][1] == 0.125
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_studies_that_make_no_sense_are_named(study):
    """Oracle: classes of errors and words in each."""
    sound = study.read_text()
    for change, error, words in [
        (("model =", "modell ="), BadFile, "modell"),
        (("members = 6", ""), BadFile, "members"),
        (("latin hypercube", "latin cube"), BadFile, "design"),
        (('"velocity of thigh"', '"shank.mas"'), UnknownName, "shank.mass"),
        (('model = "leg.toml"', 'function = "nothing_here:f"'), BadFile, "simulate"),
        (("[simulate]", "[simulates]"), BadFile, "simulates"),
        (("members = 6", "members = 4_000_000_000_000_000"), BadValue, "GB of memory"),
        (("members = 6", f"members = {10**18}"), BadValue, "GB of memory"),
        (("members = 6", "members = -3"), BadValue, "-3"),
    ]:
        study.write_text(sound.replace(*change))
        with pytest.raises(error, match=words) as caught:
            run_study(study)
        assert str(study) in str(caught.value)


def test_bands_are_quantiles_over_the_members(tmp_path):
    """Oracle: numpy's quantiles of known curves; the picture is written."""
    found = cd.ensemble(lambda p: p["x"] * np.arange(3.0), samples({"x": np.arange(101.0)}))
    panel = bands(found, "value", [0.0, 0.1, 0.2], "y [m]")
    np.testing.assert_allclose(panel.curves[0].y, 50.0 * np.arange(3.0))
    np.testing.assert_allclose([panel.bands[0].low, panel.bands[0].high], np.outer([5.0, 95.0], np.arange(3.0)))
    found.plot("value", tmp_path / "bands.png")
    assert (tmp_path / "bands.png").read_bytes()[:4] == b"\x89PNG"
    with pytest.raises(BadShape, match="3 records"):
        found.plot("value", t=[0.0, 1.0])


def test_a_tornado_has_the_largest_effect_first():
    """Oracle: means over the ends of a full grid of 10 a + b."""
    found = cd.ensemble(lambda p: 10 * p["a"] + p["b"], grid({"b": np.arange(5.0), "a": np.arange(5.0)}))
    effects = found.tornado("value")
    assert [e.name for e in effects] == ["a", "b"]
    assert (effects[0].low, effects[0].high) == (2.0, 42.0) and (effects[1].low, effects[1].high) == (20.0, 24.0)
    s = cd.ensemble(lambda p: p["a"], sensitivity({"a": (0, 1), "b": (0, 1)}, 64))
    bars = panels_of(s, "value", None, "")[2].bars
    ends = {(b.name, b.label): round(b.end, 1) for b in bars}
    assert ends == {(n, kind): x for n, x in (("a", 1.0), ("b", 0.0)) for kind in ("with others", "by itself")}
    low, high = panels_of(found, "value", None, "")[1].bars[:2]
    assert (low.start, low.end, high.start, high.end) == (22.0, 2.0, 22.0, 42.0)


@pytest.mark.slow
def test_a_page_tells_who_failed(tmp_path):
    """Oracle: the member and its reason, escaped."""
    with pytest.warns(FailedMembers):
        found = cd.ensemble(sometimes, samples({"<x>": [1.0, 1.0], "x": [7.0, 8.0]}))
    page = found.report(tmp_path / "page.html")
    assert "default-src 'none'" in page and "script-src" not in page
    assert "ZeroDivisionError" in page and "&lt;x&gt;" in page and (tmp_path / "page.html").read_text() == page
    assert np.isnan(found.to_xarray()["value"]).values.tolist() == [True, False]


def test_a_study_of_which_all_members_fail_is_an_error_with_a_page(tmp_path, capsys):
    """Oracle: the reasons of the function; the exit code, and the page in the folder."""
    (tmp_path / "nothing_of_study.py").write_text("def cube(p):\n    return 1.0 / (p['x'] - p['x'])\n")
    path = tmp_path / "study.toml"
    path.write_text('function = "nothing_of_study:cube"\ndesign = "samples"\n[vary]\nx = [1.0, 2.0]\n')
    assert run(["ensemble", str(path)]) != 0
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said and "2 of 2" in said and str(path) in said
    assert "ZeroDivisionError" in (tmp_path / "study" / "report.html").read_text()
