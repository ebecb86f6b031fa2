"""Files that other programs open."""

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose
from PIL import Image
from scipy.spatial.transform import Rotation
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
    parents = {c: n for n, node in enumerate(document["nodes"]) for c in node.get("children", [])}
    assert parents == {1: 0, 2: 1, 3: 2}
    whole = {0: cd.SE3.identity((len(swing.t),))}
    for node in (1, 2, 3):
        whole[node] = whole[parents[node]] @ curves(document, buffer, animation, node, swing.t)
        assert_allclose(whole[node].as_matrix(), swing.poses()[:, node - 1].as_matrix(), atol=2e-6)


def curves(document, buffer, animation, node, times):
    """Poses of a node in its parent over time: its curves, and what stays as the node has it."""
    own = document["nodes"][node]
    found = {
        "rotation": np.tile(own["rotation"], (len(times), 1)),
        "translation": np.tile(own["translation"], (len(times), 1)),
    }
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        if channel["target"]["node"] == node:
            assert_allclose(numbers(document, buffer, sampler["input"])[:, 0], times, atol=1e-6)
            found[channel["target"]["path"]] = numbers(document, buffer, sampler["output"]).astype(float)
    x = found["rotation"]
    assert (np.einsum("ti,ti->t", x[1:], x[:-1]) > 0).all()
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    return cd.SE3(x[:, [3, 0, 1, 2]], found["translation"].astype(float))


def test_an_armature_carries_the_meshes_as_the_bodies_do(swing, tmp_path):  # noqa: F811
    """Oracle: the rule of skins, joint · inverse bind · vertex, against the meshes of the file without an armature."""
    plain, plain_data = opened(export(swing, tmp_path / "plain.glb").read_bytes())
    document, buffer = opened(export(swing, tmp_path / "armed.glb", armature=True).read_bytes())
    (skin,) = document["skins"]
    assert skin["joints"] == [1, 2, 3] and len(document["scenes"][0]["nodes"]) == 4
    inverse = numbers(document, buffer, skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    turn = np.eye(4)
    turn[:3, :3] = Rotation.from_quat(document["nodes"][0]["rotation"]).as_matrix()
    for body, node in enumerate(document["scenes"][0]["nodes"][1:]):
        for k, primitive in enumerate(document["meshes"][document["nodes"][node]["mesh"]]["primitives"]):
            own = plain["meshes"][plain["nodes"][1 + body]["mesh"]]["primitives"][k]
            expected = numbers(plain, plain_data, own["attributes"]["POSITION"])
            bound = numbers(document, buffer, primitive["attributes"]["POSITION"])
            joints = numbers(document, buffer, primitive["attributes"]["JOINTS_0"])
            assert (joints == [body, 0, 0, 0]).all()
            assert_allclose(bound @ inverse[body][:3, :3].T + inverse[body][:3, 3], expected, atol=1e-6)
    first = turn @ swing.poses()[0].as_matrix()
    assert_allclose(np.linalg.inv(inverse), first, atol=1e-6)


def test_the_root_turns_up_to_y(tmp_path):
    """Oracle: scipy's rotation of the model's up."""
    for gravity in ((0, 0, -9.81), (0, -9.81, 0), (0, 9.81, 0), (3, 0, 0)):
        model = leg().with_gravity(gravity)
        root = opened(export(model, tmp_path / "m.glb").read_bytes())[0]["nodes"][0]
        up = -np.array(gravity) / np.linalg.norm(gravity)
        assert_allclose(Rotation.from_quat(root["rotation"]).apply(up), (0, 1, 0), atol=1e-12)


@pytest.mark.slow
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
