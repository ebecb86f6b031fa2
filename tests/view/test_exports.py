"""Files that other programs open."""

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose
from PIL import Image
from test_gltf import numbers, opened
from test_player import swing  # noqa: F401

import condyle as cd
from condyle.errors import CondyleWarning, UnknownName
from condyle.gallery import leg
from condyle.view import export


def test_gltf_moves_as_the_bodies_do(swing, tmp_path):  # noqa: F811
    """Oracle: the glTF 2.0 layout read by hand; forward kinematics by the trajectory."""
    document, buffer = opened(export(swing, tmp_path / "swing.glb").read_bytes())
    assert [n["name"] for n in document["nodes"]] == ["world", "thigh", "shank", "foot"]
    (animation,) = document["animations"]
    assert len(animation["channels"]) == 6
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        t, x = numbers(document, buffer, sampler["input"]), numbers(document, buffer, sampler["output"])
        assert_allclose(t[:, 0], swing.t, atol=1e-6)
        body = channel["target"]["node"] - 1
        if channel["target"]["path"] == "translation":
            assert_allclose(x, swing.poses()[:, body].xyz, atol=1e-6)
        else:
            assert (np.einsum("ti,ti->t", x[1:], x[:-1]) > 0).all()
            assert_allclose(np.abs(np.sum(x[:, [3, 0, 1, 2]] * swing.poses()[:, body].wxyz, axis=1)), 1, atol=1e-6)


def test_the_root_turns_up_to_y(tmp_path):
    """Oracle: scipy's rotation of the model's up."""
    from scipy.spatial.transform import Rotation

    for gravity in ((0, 0, -9.81), (0, -9.81, 0), (0, 9.81, 0), (3, 0, 0)):
        model = leg().with_gravity(gravity)
        root = opened(export(model, tmp_path / "m.glb").read_bytes())[0]["nodes"][0]
        up = -np.array(gravity) / np.linalg.norm(gravity)
        assert_allclose(Rotation.from_quat(root["rotation"]).apply(up), (0, 1, 0), atol=1e-12)


def test_pictures_show_something_that_moves(swing, tmp_path):  # noqa: F811
    """Oracle: pillow opens them; the frames differ; they are not one colour."""
    still = Image.open(io.BytesIO(export(swing, tmp_path / "a.png", time=0.0).read_bytes())).convert("RGB")
    later = Image.open(io.BytesIO(export(swing, tmp_path / "b.png", time=0.5).read_bytes())).convert("RGB")
    assert len(still.getcolors(2**24)) > 50 and still.tobytes() != later.tobytes()
    short = cd.Trajectory(swing.model, swing.t[:13], swing.q[:13], swing.v[:13])
    film = Image.open(export(short, tmp_path / "a.gif"))
    assert film.n_frames == 5


def test_wrong_exports_are_said_in_words(swing, tmp_path):  # noqa: F811
    """Oracle: the words."""
    with pytest.raises(UnknownName, match=r"no export named '\.htm' in condyle\. Did you mean '\.html'"):
        export(swing, tmp_path / "a.htm")
    with pytest.raises(cd.CondyleError, match="the trajectory has members 0 … 0; got member = 3"):
        export(swing, tmp_path / "a.html", member=3)
    with pytest.raises(cd.CondyleError, match="only a model or a trajectory can be drawn; got 'int'"):
        export(3, tmp_path / "a.html")
    b = cd.ModelBuilder()
    b.add_body("a", inertia=cd.Inertia.box(1, (1, 1, 1)), shapes=[cd.shapes.mesh("no.stl")])
    with pytest.warns(CondyleWarning, match=r"no\.stl"):
        export(b.build(), tmp_path / "a.html")
