"""One word for one thing in all public functions, and what was called otherwise before still works."""

import itertools
import warnings

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadValue, NotFinite
from condyle.progress import counted, reporting
from public_names import parameters, public_functions

FORMER = {"errors": "on_failure", "watch": "progress", "every": "record"}


def pendulum():
    """One hinge, a point of 1 kg at 1 m."""
    bob = cd.Inertia.point(1.0, (0, 0, -1))
    return cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()


def test_no_public_function_uses_a_former_word():
    """Oracle: the signatures."""
    used = [(str(f), p.name) for f in public_functions() for p in parameters(f) if p.name in FORMER]
    assert set(used) <= {("condyle.skeleton.Skeleton.simulate", "every")}  # deprecated: it counts steps


def test_words_that_functions_share_have_the_same_default():
    """Oracle: the signatures: what is left out means the same everywhere."""
    defaults = {"on_failure": "raise", "progress": False, "record": None, "threads": None, "loss": "squares", "seed": 0}
    found = {(p.name, str(f)): p.default for f in public_functions() for p in parameters(f) if p.name in defaults}
    others = {at: default for at, default in found.items() if default != defaults[at[0]]}
    assert others.keys() <= {("loss", "condyle.workspace.fit_arm")}  # a person's arm has outliers: robust by default


@pytest.mark.parametrize("name", ["forward_dynamics", "inverse_dynamics", "bias_forces", "mass_matrix", "energy"])
def test_errors_is_called_on_failure_now(name):
    """Oracle: the call with the new word; a state that overflows, beside one that does not."""
    model, q, v = pendulum(), np.array([[0.3], [1e300]]), np.array([[1e200], [0.1]])
    states = {"mass_matrix": (q,), "inverse_dynamics": (q, v, v)}.get(name, (q, v))
    with pytest.warns(DeprecationWarning, match="on_failure") as caught:
        old = getattr(cd, name)(model, *states, errors="nan")
    assert caught[0].filename == __file__  # the line of the caller
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        new = getattr(cd, name)(model, *states, on_failure="nan")
    np.testing.assert_array_equal(np.stack(old), np.stack(new))


def test_both_words_at_once_are_refused():
    """Oracle: the class of the error."""
    with pytest.raises(BadValue, match="on_failure"):
        cd.forward_dynamics(pendulum(), [0.1], [0.0], errors="nan", on_failure="nan")
    with pytest.raises(NotFinite):
        cd.energy(pendulum(), [0.3], [1e200])


def test_watch_is_called_progress_now():
    """Oracle: what a function was told under the old word and is told under the new one."""
    angles = np.linspace(0.0, 1.0, 20)
    poses, heard = cd.joints.revolute("z").pose(angles[:, None]), {"watch": [], "progress": []}
    cd.design.fit_curve(poses, angles, frames=6, progress=lambda *told: heard["progress"].append(told))
    with pytest.warns(DeprecationWarning, match="progress"):
        cd.design.fit_curve(poses, angles, frames=6, watch=lambda *told: heard["watch"].append(told))
    assert heard["watch"] == heard["progress"]
    assert all(isinstance(stage, str) and 0 <= done <= total for stage, done, total in heard["progress"])


@pytest.mark.slow
def test_a_film_reports_its_pictures(tmp_path):
    """Oracle: the number of pictures of half a second at 20 a second, first and last among them."""
    run, told = cd.simulate(pendulum(), [0.5], duration=0.5, record=0.01), []
    cd.view.export(run, tmp_path / "pendulum.gif", progress=lambda *x: told.append(x))
    assert told == [("drawing", k, 11) for k in range(1, 12)]


def test_a_simulation_reports_its_steps():
    """Oracle: the number of steps of the run; the last report is that all are done."""
    told = []
    cd.simulate(pendulum(), [0.5], duration=0.1, step=1e-3, integrator="rk4", progress=lambda *x: told.append(x))
    assert told[-1] == ("simulating", 100, 100)
    assert all(a[1] < b[1] for a, b in itertools.pairwise(told))


def test_progress_of_one_number_still_works():
    """Oracle: what such a function was called with before."""
    told = []
    with pytest.warns(DeprecationWarning, match="stage, done, total"), reporting(told.append) as report:
        assert list(counted("ab", "drawing", 2, report)) == ["a", "b"]
    assert told == [1, 2]


def test_progress_that_is_neither_is_refused():
    """Oracle: the class of the error."""
    with pytest.raises(BadValue, match="progress"), reporting("yes"):
        pass


def test_true_shows_nothing_where_there_is_no_terminal(capsys):
    """Oracle: the captured streams, which are no terminal."""
    with reporting(True) as report:
        report("stage", 1, 2)
    assert capsys.readouterr() == ("", "")
