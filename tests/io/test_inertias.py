"""Inertias of model files: what rounding did is mended aloud, what it did not is refused."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, CondyleWarning

BODY = 'condyle = 1\nkind = "model"\n[[bodies]]\nname = "foot"\ninertia = {{ mass = {}, moment = {} }}\n'


def load(tmp_path, mass, moment, **options):
    path = tmp_path / "model.toml"
    path.write_text(BODY.format(mass, moment))
    return cd.load(path, **options).bodies[0].inertia


def test_rounded_digits_are_mended_with_a_warning(tmp_path):
    """Oracle: half a unit of the last digit: (0.33, 0.33, 0.67) is nearest to (0.335, 0.335, 0.67)."""
    with pytest.warns(CondyleWarning, match=r"body 'foot'.*0\.33, 0\.33, 0\.67.*0\.005 kg m²"):
        found = load(tmp_path, 1, [0.33, 0.33, 0.67])
    assert np.allclose(np.diag(found.moment), [0.335, 0.335, 0.67], rtol=1e-12)


@pytest.mark.parametrize(("mass", "moment"), [(1, [1, 1, 3]), (1, [-1, 1, 1]), (-0.5, [1, 1, 1])])
def test_what_no_rounding_explains_is_refused_or_repaired(tmp_path, mass, moment):
    """Oracle: cd.Inertia.nearest."""
    with pytest.raises(BadFile, match=r"bodies\[0\] 'foot'.inertia.*inertias=\"repair\""):
        load(tmp_path, mass, moment)
    with pytest.warns(CondyleWarning, match="body 'foot'"):
        found = load(tmp_path, mass, moment, inertias="repair")
    expected = cd.Inertia.nearest(mass, moment=moment)
    assert found.mass == expected.mass and np.array_equal(found.moment, expected.moment)


@pytest.mark.parametrize(
    ("mass", "moment"), [(1, [0, 1, 1]), (1, [0, 0, 0]), (0, [0, 0, 0]), (0, [1, 1, 1]), (1e-9, [1e-20, 1e-20, 2e-20])]
)
def test_rods_points_and_less_are_bodies(tmp_path, mass, moment, recwarn):
    """Oracle: the numbers."""
    found = load(tmp_path, mass, moment)
    assert found.mass == mass and np.array_equal(np.diag(found.moment), moment) and not recwarn.list


def test_a_body_without_mass_needs_no_moment_and_one_with_mass_does(tmp_path):
    """Oracle: the words."""
    path = tmp_path / "model.toml"
    path.write_text(BODY.format(0, "[0, 0, 0]").replace(", moment = [0, 0, 0]", ""))
    assert not cd.load(path).bodies[0].inertia.spatial().any()
    path.write_text(BODY.format(2, "[0, 0, 0]").replace(", moment = [0, 0, 0]", ""))
    with pytest.raises(BadFile, match=r"'foot'.inertia: a body with a mass needs `moment`"):
        cd.load(path)
