"""Fits that keep their descents in a folder: what is there is not computed again, and the answer is the same."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadValue
from condyle.formats import journal as journals
from condyle.formats.record_folder import RecordFolder

RNG = np.random.default_rng(4)
ANGLES = np.linspace(0.0, 1.5, 60)


def noisy(angles=ANGLES, outliers=4):
    """Poses on a circle with errors of a millimetre, some of them gross."""
    rng = np.random.default_rng(4)
    poses = cd.joints.revolute("z", point=(0.4, 0, 0)).pose(angles[:, None])
    errors = rng.normal(scale=1e-3, size=(len(angles), 6))
    errors[rng.choice(len(angles), outliers, replace=False)] *= 100.0
    return (poses @ cd.SE3.exp(errors)).as_matrix()


def surface():
    rng = np.random.default_rng(5)
    q = rng.uniform(-0.5, 0.5, (80, 2))
    return (cd.joints.universal("x", "y").pose(q) @ cd.SE3.exp(rng.normal(scale=1e-3, size=(80, 6)))).as_matrix(), q


def robust(**how):
    return cd.design.fit_curve(noisy(), ANGLES, 8, loss="cauchy", smoothing="auto", **how)


def estimated(**how):
    return cd.design.fit_curve(noisy(outliers=0), None, 8, **how)


def of_a_surface(**how):
    poses, q = surface()
    return cd.design.fit_surface(poses, q, (4, 4), smoothing="auto", loss="huber", **how)


def as_printed(**how):
    return cd.design.fit_curve(noisy(outliers=0), ANGLES, 8, method="paper", **how)


FITS = {
    "a robust curve": robust,
    "estimated coordinates": estimated,
    "the printed iteration": as_printed,
    "a surface": of_a_surface,
}
LONG = {"a robust curve", "a surface"}


@pytest.fixture(autouse=True)
def every_iterate(monkeypatch):
    monkeypatch.setattr(journals, "SECONDS", 0.0)


def same(a, b):
    np.testing.assert_array_equal(a.x, b.x)
    np.testing.assert_array_equal(a.coordinates, b.coordinates)
    assert a.costs == b.costs and a.smoothing == b.smoothing and a.converged == b.converged


@pytest.mark.parametrize("name", [pytest.param(x, marks=[pytest.mark.slow] if x in LONG else []) for x in FITS])
def test_a_fit_that_is_cut_off_anywhere_goes_on_bit_by_bit(name, tmp_path, monkeypatch):
    """Oracle: the undisturbed fit without a folder; the writer fails again and again, a few files later each time."""
    whole, add, written, cuts = FITS[name](), RecordFolder.add_arrays, [], [1, 2, 5, 9]

    def failing(self, file, arrays):
        if cuts and len(written) == cuts[0]:
            raise BadFile("cut off")
        written.append(file)
        add(self, file, arrays)

    monkeypatch.setattr(RecordFolder, "add_arrays", failing)
    while cuts:
        with pytest.raises(BadFile, match="cut off"):
            FITS[name](record_to=tmp_path / "fit", resume=True)
        cuts.pop(0)
    same(FITS[name](record_to=tmp_path / "fit", resume=True), whole)
    assert len(set(written)) == len(written)  # nothing was written, thus computed, twice


@pytest.mark.slow
def test_a_finished_fit_is_taken_from_its_folder(tmp_path, monkeypatch):
    """Oracle: the first answer; no step is taken."""
    first = robust(record_to=tmp_path / "fit")
    monkeypatch.setattr("condyle.design.solve.levenberg_marquardt.accepted_step", None)
    same(robust(record_to=tmp_path / "fit", resume=True), first)


def test_another_fit_is_refused_by_what_differs(tmp_path):
    """Oracle: the name of what was changed."""
    fit = cd.design.fit_curve
    fit(noisy(), ANGLES, 8, record_to=tmp_path / "fit")
    changed = [("poses", (noisy(outliers=0), ANGLES, 8)), ("coordinates", (noisy(), 2 * ANGLES, 8)),
               ("options", (noisy(), ANGLES, 9))]  # fmt: skip
    for word, given in changed:
        with pytest.raises(BadFile, match=f"another {word}"):
            fit(*given, record_to=tmp_path / "fit", resume=True)
    with pytest.raises(BadFile, match="resume=True"):
        fit(noisy(), ANGLES, 8, record_to=tmp_path / "fit")
    with pytest.raises(BadValue, match="record_to"):
        fit(noisy(), ANGLES, 8, resume=True)


KILLED = """
import sys
import numpy as np
from condyle.formats import journal
journal.SECONDS = 0.0
from design.test_recorded_fits import robust
np.save(sys.argv[2], robust(record_to=sys.argv[1], resume=True).x)
"""


@pytest.mark.slow  # processes that are killed
def test_a_killed_fit_goes_on_bit_by_bit(tmp_path):
    """Oracle: the undisturbed fit; processes are killed after more and more iterates."""
    env = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(__file__))}
    folder, answer = tmp_path / "fit", tmp_path / "x.npy"
    command = [sys.executable, "-c", KILLED, str(folder), str(answer)]
    for wanted in (3, 20, 50, 90):
        process = subprocess.Popen(command, env=env)
        while process.poll() is None and not (folder / f"iterate-{wanted:06d}.npz").exists():
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not answer.exists()
    subprocess.run(command, env=env, check=True)
    np.testing.assert_array_equal(np.load(answer), robust().x)
