"""Scenes by their names: what each leaves, and what becomes of names that were public once."""

import doctest
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import condyle as cd
from condyle import gallery
from condyle.errors import BadShape, NotSupported, UnknownName
from condyle.gallery import SCENES, show
from condyle.gallery.scene import Scene
from support.thinning import slow_but

MAX_PLAYER = 5_000_000  # bytes


@pytest.mark.parametrize("name", slow_but(("elliptic",), SCENES))
def test_a_scene_leaves_a_player_small_enough_to_send(name, tmp_path):
    """Oracle: the files themselves."""
    outcome = show(name, tmp_path / "new folder")
    assert outcome.summary
    assert all(path.stat().st_size > 100 for path in outcome.files)
    assert outcome.files[0] == tmp_path / "new folder" / f"{name}.html"
    for page in (path for path in outcome.files if path.suffix == ".html"):
        assert page.stat().st_size < MAX_PLAYER


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_has_a_sentence_a_builder_and_a_check(name):
    """Oracle: the module that the catalogue names."""
    listed = SCENES[name]
    home = import_module(f"condyle.gallery.{listed.module}")
    assert listed.about.endswith(".")
    assert callable(getattr(home, listed.build)) and home.check.__doc__


def test_the_examples_of_docstrings_run():
    """Oracle: what the docstrings of public builders say they give."""
    homes = {f"condyle.gallery.{home}" for home in gallery._HOMES}
    results = [doctest.testmod(import_module(home)) for home in homes]
    assert sum(r.attempted for r in results) >= 10 and not any(r.failed for r in results)


def test_a_wrong_name_is_told_with_the_nearest():
    """Words."""
    with pytest.raises(UnknownName, match="Did you mean 'beads'"):
        show("bead", "nowhere")


@pytest.mark.parametrize(
    ("build", "name"),
    [(lambda: gallery.beads(masses=(1,) * 4), "beads"), (lambda: gallery.planar_chain((1, 1), (1,)), "planar_chain")],
)
def test_a_wrong_number_of_masses_is_refused(build, name):
    """Words."""
    with pytest.raises(BadShape, match=f"{name}: .*masses"):
        build()


@pytest.mark.slow
def test_a_scene_with_one_motion_takes_no_duration():
    """Oracle: the words; a shorter motion than asked for would be a wrong answer."""
    with pytest.raises(NotSupported, match=r"scene 'three-links' .* duration, record"):
        SCENES["three-links"]().run(0.1, record=0.01)


def test_the_list_of_scenes_is_read_without_building_one():
    """Oracle: the modules that a fresh process has loaded."""
    code = (
        "import sys; from condyle.gallery import SCENES; print(len(SCENES), 'numba' in sys.modules,"
        " any(name.startswith('condyle.skeleton') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "42 False False\n"


@pytest.mark.parametrize("name", sorted(gallery._NOW_IN))
def test_names_that_were_public_still_work_and_say_where_they_are(name):
    """Oracle: the object at its new place."""
    with pytest.warns(DeprecationWarning, match=rf"gallery\.{name} will go; it is condyle\."):
        thing = getattr(cd.gallery, name)
    assert thing is getattr(import_module(gallery._NOW_IN[name]), name)
    assert name not in gallery.__all__


def test_demonstrations_are_the_scenes():
    """Oracle: the same objects under their former names."""
    sys.modules.pop("condyle.demos", None)
    with pytest.warns(DeprecationWarning, match="condyle.demos will go"):
        demos = import_module("condyle.demos")
    assert demos.DEMOS is SCENES and demos.run is show


@pytest.mark.parametrize(
    ("force", "damping", "words"),
    [
        (2.0, 0.0, "constant forces gave +"),
        (2.0, 1.0, "constant forces and damping gave +"),
        (0.0, 0.0, "energy kept"),
        (0.0, 1.0, "damping took"),
    ],
)
def test_the_work_of_constant_forces_is_not_told_as_damping(force, damping, words):
    """Oracle: a mass that is pushed along a rail gains energy; F and c by hand, and for F alone F²t²/2m."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    if force:
        b.add_constant_force("cart", force)
    if damping:
        b.add_damping("cart", damping)
    scene = Scene("cart", b.build(), np.zeros(1), np.array([0.5 * (not force)]), duration=1.0, step=0.01)
    told = scene.told(run := scene.run())
    assert words in told and (damping or not force or "gave +2 J" in told)
    assert run.stopped is None
