"""The registry of laws, the file that is written from it, and every law in every type of number."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from condyle.forces.kernels import dispatch
from condyle.forces.kernels.declaration import COORDINATE, GAP, LINE
from condyle.forces.kernels.dispatch import coordinate_force, coordinate_slopes, gap_force, line_force, line_slopes
from condyle.forces.registry import CODES, LAWS, laws_on
from condyle.numeric import DUALS, LANE_WIDTH, LANES, entry, load, pack, release, scratch, store, unpack, width

ROOT = Path(__file__).parents[2]
WRITTEN = {"coordinate_spring": 0, "limit": 1, "damper": 2, "constant_force": 3, "soft_limit": 4, "gradual_limit": 5,
           "spring": 6, "bushing": 7, "hertz": 8, "smooth": 9, "hunt_crossley": 10,
           "exponential_limit": 11, "dry_friction": 12}  # fmt: skip
COUNT = 3 * LANE_WIDTH
CONSTANTS = {"low": -0.5, "high": 0.7, "transition": 0.3, "damping_depth": 0.2, "rest": 0.1, "slowest": 0.3,
             "transition_velocity": 0.3, "margin": 0.01, "depth_steepness": 30.0, "rate_steepness": 5.0}  # fmt: skip


@entry
def on_coordinate(z, law, n, X, OUT):
    x, out = scratch(z, 2), scratch(z, 3)
    for first in range(0, len(X), width(z)):
        pack(z, X, first, len(X), x)
        a, b = load(z, x, 0), load(z, x, 1)
        by_x, by_rate = coordinate_slopes(z, law, n, 0, a, b)
        store(z, out, 0, coordinate_force(z, law, n, 0, a, b))
        store(z, out, 1, by_x)
        store(z, out, 2, by_rate)
        unpack(z, out, OUT, first, len(X))
    release(z, x)
    release(z, out)


@entry
def on_line(z, law, n, X, OUT):
    x, out = scratch(z, 2), scratch(z, 3)
    for first in range(0, len(X), width(z)):
        pack(z, X, first, len(X), x)
        a, b = load(z, x, 0), load(z, x, 1)
        by_x, by_rate = line_slopes(z, law, n, 0, a, b)
        store(z, out, 0, line_force(z, law, n, 0, a, b))
        store(z, out, 1, by_x)
        store(z, out, 2, by_rate)
        unpack(z, out, OUT, first, len(X))
    release(z, x)
    release(z, out)


@entry
def on_gap(z, law, n, X, OUT):
    x, out = scratch(z, 3), scratch(z, 2)
    for first in range(0, len(X), width(z)):
        pack(z, X, first, len(X), x)
        push, drag = gap_force(z, law, n, 0, z + 0.1, load(z, x, 0), load(z, x, 1), load(z, x, 2))
        store(z, out, 0, push)
        store(z, out, 1, drag)
        unpack(z, out, OUT, first, len(X))
    release(z, x)
    release(z, out)


RUNS = {COORDINATE: on_coordinate, LINE: on_line, GAP: on_gap}


def numbers_of(law):
    """Constants in the middle of their ranges."""
    return np.array([CONSTANTS.get(name, 0.6 + 0.1 * k) for k, name in enumerate(law.constants)])


def run(z, law, *columns):
    """What the law gives at many readings; of gaps normal force and drag, else force and slopes."""
    typ = complex if z is DUALS or isinstance(z, complex) else float
    X = np.ascontiguousarray(np.stack(columns, axis=1), dtype=typ)
    out = np.zeros((len(X), 2 if law.reading == GAP else 3), dtype=typ)
    RUNS[law.reading](z, CODES[law.name], numbers_of(law), X, out)
    return out.T


def readings(law):
    """Numbers away from kinks: of limits inside, in the transition and beyond; of gaps apart and in each other."""
    x = np.resize([-0.93, -0.61, -0.2, 0.13, 0.4, 0.79, 1.3], COUNT) if law.reading == COORDINATE else None
    x = np.linspace(-0.031, 0.047, COUNT) if law.reading == GAP else np.linspace(0.3, 2.1, COUNT) if x is None else x
    rate = np.linspace(-0.13, 0.17, COUNT)
    return [x, rate, np.linspace(0.01, 0.05, COUNT)] if law.reading == GAP else [x, rate]


def test_the_written_dispatcher_is_what_the_script_writes():
    """Oracle: the script."""
    path = ROOT / "packaging" / "write_force_dispatch.py"
    spec = importlib.util.spec_from_file_location("write_force_dispatch", path)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert Path(dispatch.__file__).read_text() == script.text()


def test_codes_of_laws_stay():
    """Oracle: the stored list; a new law goes to its end, and here."""
    assert CODES == WRITTEN


def test_what_a_law_declares_can_be_given():
    """Oracle: defaults are in their ranges, ends of limits are named, and the first law of a name is the only one."""
    for name, law in LAWS.items():
        assert name == law.name and law.words
        assert not law.limit or {"low", "high"} <= law.constants.keys()
        for constant in law.constants.values():
            x = constant.default
            assert x is None or (x >= constant.least and (x > constant.above or constant.above == -np.inf))


def row(law):
    """The row of a law in the table of docs/forces.md."""
    place = {COORDINATE: "a coordinate", LINE: "two points", GAP: "two surfaces"}.get(law.reading, "two frames")
    words = []
    for name, c in law.constants.items():
        least = f"above {c.above:g}" if c.above > -np.inf else f"at least {c.least:g}" if c.least > -np.inf else ""
        default = "" if c.default is None else f"default {c.default:g}"
        parts = (f"[{c.unit}]", least or ("may be infinite" if c.infinite else ""), default)
        words.append(f"`{name}` " + ", ".join(filter(None, parts)))
    return f"| `{law.name}` | {place} | {'; '.join(words)} |"


@pytest.mark.parametrize("name", list(LAWS))
def test_the_page_has_a_row_for_every_law(name):
    """Oracle: what the law declares."""
    assert row(LAWS[name]) in (ROOT / "docs" / "forces.md").read_text().splitlines()


LISTED = [law for reading in RUNS for law in laws_on(reading)]


@pytest.mark.slow  # three entries for each of four types of number
@pytest.mark.parametrize("law", LISTED, ids=lambda law: law.name)
def test_every_type_of_number_gives_the_same_force_and_its_slopes(law):
    """Oracle: single floats; slopes are the derivatives that complex numbers and duals carry."""
    x = readings(law)
    expected = run(0.0, law, *x)
    assert np.ptp(expected[0]) > 0.0 or law.name == "constant_force"
    for found, one in zip(run(LANES, law, *x), expected, strict=True):
        assert_allclose(found, one, rtol=1e-14, atol=1e-15)
    for k in range(len(x)):
        step = [y + 1e-30j * (i == k) for i, y in enumerate(x)]
        dual = [y + 1j * (i == k) for i, y in enumerate(x)]
        complex_step, duals = run(0j, law, *step), run(DUALS, law, *dual)
        for found, other, one in zip(complex_step, duals, expected, strict=True):
            assert_allclose(found.real, one, rtol=1e-13, atol=1e-15)
            assert_allclose(other.real, one, rtol=1e-13, atol=1e-15)
            size = max(1.0, float(np.abs(other.imag).max()))
            assert_allclose(found.imag / 1e-30, other.imag, rtol=1e-12, atol=1e-12 * size)
        if law.reading != GAP:
            assert_allclose(expected[1 + k], complex_step[0].imag / 1e-30, rtol=1e-12, atol=1e-12)


@pytest.mark.slow  # as above
@pytest.mark.parametrize("law", LISTED, ids=lambda law: law.name)
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300, -1e300])
def test_a_number_that_is_none_stays_in_its_lane(law, bad):
    """Oracle: the neighbours without it; what is no number is seen in the force."""
    x = readings(law)
    good, lane = run(LANES, law, *x), min(5, len(x[0]) - 1)
    for k in range(len(x)):
        given = [y.copy() for y in x]
        given[k][lane] = bad
        found = run(LANES, law, *given)
        for one, other in zip(found, good, strict=True):
            np.testing.assert_array_equal(np.delete(one, lane), np.delete(other, lane))
