"""Muscles in files: condyle's own and OpenSim's."""

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import run as condyle
from condyle.errors import BadFile
from support.muscle_models import every_path, limb, states


@pytest.mark.slow
def test_a_model_file_keeps_muscles_bit_by_bit(tmp_path):
    """Oracle: the lengths and moment arms before."""
    model, path, Q = every_path(), tmp_path / "arm.toml", states()
    cd.save(model, path)
    again = cd.load(path)
    assert cd.muscles.names(again) == cd.muscles.names(model)
    np.testing.assert_array_equal(cd.muscles.lengths(again, Q), cd.muscles.lengths(model, Q))
    np.testing.assert_array_equal(cd.muscles.moment_arms(again, Q), cd.muscles.moment_arms(model, Q))


def test_an_osim_file_says_what_its_paths_lose(tmp_path):
    """Oracle: the number of paths without a force, which OpenSim has no class for."""
    model = every_path()
    with pytest.warns(cd.CondyleWarning, match=f"{len(model.muscles)} paths without a force"):
        cd.save(model, tmp_path / "arm.osim")


def driven(model, rng):
    """A motion under muscles of five records, of numbers that nobody computed."""
    q, v = (rng.normal(size=(5, k)) for k in (model.nq, model.nv))
    own = (rng.uniform(size=(5, len(model.muscles))) for _ in range(4))
    return cd.muscles.MuscleTrajectory(model, np.linspace(0, 1, 5), q, v, None, (), None, *own)


def test_a_motion_under_muscles_is_kept_with_their_states(tmp_path):
    """Oracle: the arrays before; a table that has no room for them says so."""
    run = driven(every_path(), np.random.default_rng(0))
    cd.save(run, tmp_path / "run.npz")
    again = cd.load(tmp_path / "run.npz")
    assert isinstance(again, cd.muscles.MuscleTrajectory)
    for name in ("t", "q", "v", "activation", "fiber_length", "excitation", "work"):
        np.testing.assert_array_equal(getattr(again, name), getattr(run, name))
    with pytest.warns(cd.errors.NotInModel, match="npz"):
        cd.save(run, tmp_path / "run.csv")


def test_a_motion_whose_muscles_do_not_fit_is_refused(tmp_path):
    """Oracle: a named error for an array of another shape, and for one that is missing."""
    cd.save(driven(every_path(), np.random.default_rng(0)), tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as file:
        arrays = dict(file)
    np.savez(tmp_path / "thin.npz", **{**arrays, "work": arrays["work"][:, 1:]})
    with pytest.raises(BadFile, match="work must have shape"):
        cd.load(tmp_path / "thin.npz")
    arrays.pop("work")
    np.savez(tmp_path / "less.npz", **arrays)
    with pytest.raises(BadFile, match=r"missing.*work"):
        cd.load(tmp_path / "less.npz")


@pytest.mark.slow
def test_the_command_simulates_under_excitations(tmp_path, capsys):
    """Oracle: `cd.simulate` under the same excitations; a muscle that there is not is named."""
    model, path = limb(), tmp_path / "limb.toml"
    cd.save(model, path)
    options = ["--duration", "0.002", "--step", "1e-4", "--out", str(tmp_path / "run.npz")]
    assert condyle(["simulate", str(path), *options, "--excitation", "0.1", "--excitation", "flexor=0.4"]) == 0
    run = cd.load(tmp_path / "run.npz")
    excited = np.array([0.4, 0.1, 0.1, 0.1, 0.1, 0.1])
    expected = cd.simulate(model, model.neutral(), excitations=excited, duration=0.002, step=1e-4)
    np.testing.assert_array_equal(run.activation, expected.activation)
    assert condyle(["simulate", str(path), *options, "--excitation", "flexer=0.4"]) != 0
    assert "flexor" in capsys.readouterr().err


def test_the_command_names_its_option_where_muscles_do_not_act(tmp_path, capsys):
    """Oracle: the option's own name, how many muscles there are, and no word of Python's arguments."""
    cd.save(limb(), tmp_path / "limb.toml")
    options = ["--duration", "0.002", "--out", str(tmp_path / "run.npz")]
    assert condyle(["simulate", str(tmp_path / "limb.toml"), *options]) == 0
    said = capsys.readouterr().err
    assert "'flexor' and 4 more" in said and "--excitation" in said
    assert "excitations=" not in said and "without_muscles" not in said
