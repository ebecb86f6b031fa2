"""Sweeps of coordinates in up to 10,000 steps: lengths and moment arms jump only where a path's definition says so."""

import warnings
from collections import Counter

import pytest
from benchmarks.muscle_smoothness import jumps

import condyle as cd
from support.laboratory import FOLDER
from support.muscle_models import every_path

STEPS = 10_000
SWEPT = [
    ("models/arm26", 1000),
    ("models/wrist", STEPS),
    ("models/gait10dof18musc", STEPS),
    ("small/BothLegs22", STEPS),
]


@pytest.mark.slow
def test_paths_of_every_kind_jump_only_where_a_point_begins_to_count():
    """Oracle: the ends of ranges of points, which are known; lengths against the integral of their slopes."""
    model = every_path()
    found = [j for c in model.coordinates for j in jumps(model, c, STEPS)]
    assert {j.why.partition(" ")[0] for j in found if j.muscle in ("held", "moving")} == {"conditional", "moving"}
    assert not [j for j in found if j.why == "unexplained"], found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "steps"), SWEPT)
def test_models_of_opensim_jump_only_where_something_demands_it(name, steps):
    """Oracle: as above; wraps, conditional points and places where ends meet are the known reasons."""
    path = FOLDER / "opensim" / f"{name}.osim"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        model = cd.load(path)
        found = [j for c in model.coordinates for j in jumps(model, c, steps)]
    reasons = Counter(j.why.partition(" ")[0] for j in found)
    assert found
    assert not reasons["unexplained"], [j for j in found if j.why == "unexplained"]
    assert name == "models/arm26" or set(reasons) == {"conditional"}
