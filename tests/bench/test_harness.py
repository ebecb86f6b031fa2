"""The benchmark's own arithmetic: ratios, verdicts and what is stored."""

import json

import numpy as np
import pytest
from benchmarks import table, timing
from benchmarks.engines import arm
from benchmarks.rows import inverse_kinematics
from benchmarks.table import Row

import condyle as cd


def test_a_ratio_is_the_median_of_interleaved_repeats(monkeypatch):
    """Oracle: a clock that only the timed programs move; one repeat is disturbed and must not count."""
    now, calls = [0.0], []
    monkeypatch.setattr(timing.time, "process_time", lambda: now[0])

    def spend(name, seconds):
        def run():
            calls.append(name)
            now[0] += seconds * (50 if len(calls) == 8 else 1)

        return run

    pace = timing.compare(timing.Timed(spend("ours", 1.0), 10), timing.Timed(spend("theirs", 3.0), 5), repeats=7)
    assert pace.ratio == pytest.approx(6.0)
    assert (pace.first, pace.second) == (pytest.approx(0.1), pytest.approx(0.6))
    assert calls[:4] == ["ours", "theirs", "ours", "theirs"]


def test_the_state_is_put_back_before_each_repeat_and_not_timed(monkeypatch):
    """Oracle: a clock moved by hand."""
    now, resets = [0.0], []
    monkeypatch.setattr(timing.time, "process_time", lambda: now[0])

    def move(seconds):
        now[0] += seconds

    def reset():
        resets.append(1)
        move(100.0)

    assert timing.seconds(timing.Timed(lambda: move(2.0), 4, reset)) == pytest.approx(0.5)
    assert resets == [1]


@pytest.mark.parametrize(
    ("value", "target", "at_most", "passed"),
    [(6.1, 6.0, False, True), (5.9, 6.0, False, False), (1.1, 1.2, True, True), (1.3, 1.2, True, False)],
)
def test_a_row_passes_on_the_right_side_of_its_target(value, target, at_most, passed):
    """Oracle: the table of cases above."""
    assert Row("a", "ratio", value, "x", target, at_most).passed is passed


def test_a_void_run_never_passes():
    """Oracle: NaN is on no side of a target."""
    assert Row("d", "steps", float("nan"), "x", 4.0).passed is False
    assert Row("g", "bytes", 100.0, "B").passed is None


def test_results_are_stored_with_the_machine(tmp_path):
    """Oracle: reading the file back."""
    path = tmp_path / "results" / "bench.json"
    table.store(
        [Row("a", "ratio", np.float64(7.0), "x", 6.0), Row("d", "void", float("nan"), "x", 4.0)], table.machine(), path
    )
    stored = json.loads(path.read_text())
    assert stored["rows"][0]["passed"] is True
    assert stored["rows"][1]["value"] is None
    assert stored["machine"]["versions"]["numpy"]


def test_the_arm_of_the_benchmark_is_its_urdf(tmp_path):
    """Oracle: poses by hand from the lengths and axes."""
    (tmp_path / "arm.urdf").write_text(arm.URDF)
    model, q = cd.load(tmp_path / "arm.urdf"), arm.random_postures(5)
    poses = cd.forward_kinematics(model, q).as_matrix()[:, model.body_index(arm.HAND)]
    assert np.abs(poses - arm.hand_poses(q)).max() < 1e-14


def test_inverse_kinematics_is_timed_against_peers_on_the_same_targets():
    """Oracle: solvers that say what they were asked; both see every target, ours also as one batch."""
    asked = []

    def solve(T):
        asked.append(np.shape(T))
        return np.ones(np.shape(T)[:-2], bool)

    found = list(inverse_kinematics.rows(solve, solve, {"peer": solve}, np.zeros((3, 4, 4))))
    assert [row.what.split(", ")[1] for row in found] == ["one by one", "as a batch"]
    assert "100.0 % and 100.0 % reached" in found[0].note and asked.count((3, 4, 4)) == asked.count((4, 4)) // 9
