"""Motions that end where a joint loses its rank say so."""

import re

import numpy as np
import pytest

import condyle as cd
from condyle.gallery.scenes.letters import curvature, letters


def squared(power=2):
    """A body on x = q², or another even power: at q = 0 the coordinate moves nothing."""
    shape = cd.functions.polynomial([*[0] * power, 1])
    joint = cd.joints.product([[0, 0, 0, 1, 0, 0]], [shape], coordinates="q")
    return cd.ModelBuilder(gravity=(0, 0, 0)).add_body("sled", joint=joint, inertia=cd.Inertia.point(1.0)).build()


@pytest.mark.parametrize("integrator", ["euler", "rk4", "adaptive"])
def test_a_coordinate_that_stops_moving_its_body_is_named(integrator):
    """Oracle: x = q² falls at 2 m/s from 1 m, so that q reaches 0 with infinite speed at 0.5 s."""
    run = cd.simulate(squared(), [1.0], [-1.0], duration=1.0, integrator=integrator)
    assert run.stopped.time == pytest.approx(0.5, abs=0.02)
    words = (
        "joint 'sled' came to q = .*, where its Jacobian loses rank and its speeds have no bound: coordinate 'q' moves"
    )
    assert re.match(words, run.stopped.reason)
    assert abs(float(re.search("q = ([-+.e0-9]+),", run.stopped.reason)[1])) < 1e-6


@pytest.mark.parametrize("integrator", ["rk4", "adaptive"])
def test_a_start_where_the_coordinate_moves_nothing_is_an_end(integrator):
    """Oracle: x = q² has no slope at q = 0, so that no force can accelerate q there, whatever the step."""
    run = cd.simulate(squared(), [0.0], [1.0], duration=1.0, step=0.5, integrator=integrator)
    assert run.stopped.time == 0.0
    assert "'sled'" in run.stopped.reason and "lost rank" in run.stopped.reason


@pytest.mark.parametrize(
    ("integrator", "speed", "step"), [("rk4", -3.0, 0.05), ("rk4", -0.3, 0.05), ("semi-implicit", -1.0, 1e-3)]
)
def test_a_place_that_is_a_few_steps_ahead_is_named(integrator, speed, step):
    """Oracle: x = q⁴ loses rank at q = 0 only, where the coordinate moves nothing."""
    run = cd.simulate(squared(4), [1.0], [speed], duration=1.5, step=step, integrator=integrator)
    found = re.match("joint 'sled' came to q = ([-+.e0-9]+), where its Jacobian loses rank", run.stopped.reason)
    assert abs(float(found[1])) < 1e-3  # bisection ends where 4 q³ is below 1e-9 of its scale


def test_a_fixed_step_may_jump_over_the_place_with_a_leap_of_energy():
    """Oracle: x = q² has no motion beyond t = 0.5 s; a run that goes on there has gained or lost energy."""
    run = cd.simulate(squared(), [1.0], [-1.0], duration=1.0, step=0.5)
    assert run.stopped is None
    assert np.ptp(run.energy().total) > 0.1 * run.energy().total[0]


@pytest.fixture(scope="module")
def ends():
    """Three ways to the same end of letters(2): the stop of each."""
    ways = [{"tolerance": 1e-8}, {"tolerance": 1e-10}, {"tolerance": 1e-9, "land_on_knots": False}]
    return [letters(2, 2.5).run(1.3, record=0.02, integrator="adaptive", **way).stopped for way in ways]


@pytest.mark.slow
def test_letters_that_come_to_equal_curvature_are_told_with_their_places(ends):
    """Oracle: the curvatures of both outlines by scipy, of opposite sign there; three ways agree on the place."""
    places = []
    for stopped in ends:
        found = re.match("joint '7H' came to on_parent = ([-.0-9]+), on_child = ([-.0-9]+), where", stopped.reason)
        places.append([float(x) for x in found.groups()])
        assert abs(curvature("P", places[-1][0]) + curvature("H", places[-1][1])) < 0.01  # 1/m, from six digits
        assert "both curves have equal curvature at the contact, so one motion undoes the other" in stopped.reason
        assert "start so that it stays away from there" in stopped.reason
    assert np.ptp(places, axis=0).max() < 0.02
    assert np.ptp([s.time for s in ends]) < 2e-3
    assert abs(curvature("P", places[0][0])) > 1.0  # not two straight strokes


def test_fixed_steps_find_the_same_reason():
    """Oracle: the curvatures of both outlines by scipy; here two straight strokes come to lie on each other."""
    stopped = letters(2, 3.0).run(0.6, step=5e-4, record=0.02).stopped
    found = re.match("joint '5A' came to on_parent = ([-.0-9]+), on_child = ([-.0-9]+), where", stopped.reason)
    assert abs(curvature("R", float(found[1])) + curvature("A", float(found[2]))) < 0.01


def test_a_blow_up_for_another_reason_keeps_its_words():
    """Oracle: a spring too stiff for the step, on a joint that never loses rank; the words."""
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    run = cd.simulate(b.add_stiffness("block", 1e9).build(), [1.0], duration=1.0, integrator="euler")
    assert "diverged" in run.stopped.reason and "'block'" in run.stopped.reason


def test_looking_for_a_reason_never_raises(monkeypatch):
    """Oracle: the run ends with its own words though looking for more of them meets a place that is refused."""

    def refuse(*_):
        raise cd.CondyleError("outside")

    monkeypatch.setattr("condyle.simulation.failure_diagnosis.lost_rank", refuse)
    run = cd.simulate(squared(), [1.0], [-1.0], duration=1.0)
    assert "diverged" in run.stopped.reason or "no longer a finite number" in run.stopped.reason


def test_steps_that_land_on_knots_do_not_get_stuck_there():
    """Oracle: the same motion without landing. Fast coordinates miss a knot by less than the shortest step's way."""
    scene = letters(2, 1.4)
    landed, free = (
        scene.run(0.8, record=0.1, integrator="adaptive", land_on_knots=land, tolerance=1e-9) for land in (True, False)
    )
    assert landed.stopped is None
    assert np.ptp(landed.energy().total) < 1e-6
    assert landed.q[4] == pytest.approx(free.q[4], abs=1e-3)
