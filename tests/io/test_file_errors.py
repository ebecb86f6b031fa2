"""What is wrong with a file is said at once, with its place."""

import os
import zipfile

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.io import json_schema

HEAD = 'condyle = 1\nkind = "model"\n'
BODY = (
    '[[bodies]]\nname = "arm"\njoint = { type = "revolute", axis = "z" }\ninertia = { mass = 1, moment = [1, 1, 1] }\n'
)


def refused(tmp_path, text, words):
    """Loading the text is refused with words (a regular expression)."""
    path = tmp_path / "model.toml"
    path.write_text(text)
    with pytest.raises(BadFile, match=words) as caught:
        cd.load(path)
    return str(caught.value)


def test_all_errors_come_at_once_with_their_places(tmp_path):
    """Oracle: the words."""
    text = HEAD + "gravty = [0, 0, 1]\n" + BODY.replace("revolute", "revolut").replace("mass = 1,", 'mass = "big",')
    said = refused(tmp_path, text, r"model\.toml: 3 errors")
    assert "gravty: unknown key; did you mean 'gravity'?" in said
    assert "bodies[0] 'arm'.joint: unknown type 'revolut'; did you mean 'revolute'?" in said
    assert "bodies[0] 'arm'.inertia.mass: expected a valid number; got 'big'" in said


def test_errors_of_meaning_come_at_once_too(tmp_path):
    """Oracle: the words."""
    second = BODY.replace('"arm"', '"hand"').replace('"z"', "[0, 0, 0]").replace("[1, 1, 1]", "[1, 1, 9]")
    said = refused(tmp_path, HEAD + BODY + second, "2 errors")
    assert "bodies[1] 'hand'.joint: revolute: the axis must not be zero" in said
    assert "bodies[1] 'hand'.inertia: principal moments must satisfy the triangle inequality" in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kind = [\n=", r"not valid TOML: .*line 2"),
        ("kind = 1", r"not a condyle file: its first key must be `condyle = 1`"),
        ('condyle = 2\nkind = "model"', "version 2 is newer than this condyle, which reads up to 1; upgrade it"),
        ('condyle = 1\nkind = "modle"', "no kind named 'modle' in condyle files. Did you mean 'model'"),
        ("condyle = 1\nkind = [[]]", r"no kind named \[\[\]\] in condyle files"),
        (HEAD, "bodies: this key is needed and missing"),
        (HEAD + BODY + BODY, r"bodies\[1\] 'arm': there is already a body named 'arm'"),
        (HEAD + BODY.replace("name =", 'parent = "amr"\nname ='), "no body named 'amr'"),
        (HEAD + BODY + '[[loads]]\ntype = "damping"\ncoordinate = "amr"\ndamping = 1', r"loads\[0\]: no coordinate "),
        (HEAD + BODY.replace("mass = 1", "mass = nan"), "inertia.mass: expected a finite number; got nan"),
        (HEAD + BODY.replace("mass = 1", "mass = -1"), "inertia: a mass must be finite and not negative.*-1"),
        (HEAD + BODY.replace("[1, 1, 1]", "{npz = 'x.npz', key = 'a'}"), r"moment: .*x\.npz: there is no such file"),
        (HEAD + BODY.replace("[1, 1, 1]", "{npz = '../x.npz', key = 'a'}"), "named without a folder"),
        (HEAD + BODY + '[[prescribed]]\ncoordinate = "arm"', "give one of `value`, `times`"),
        ("a = " + "[" * 200 + "]" * 200, "brackets within brackets 200 deep"),
    ],
)
def test_a_bad_file_is_refused_in_words(text, words, tmp_path):
    """Oracle: the words."""
    refused(tmp_path, text, words)


def test_missing_files_folders_and_wrong_names_are_said(tmp_path):
    """Oracle: the words."""
    with pytest.raises(BadFile, match="there is no such file; the working folder is"):
        cd.load(tmp_path / "no.toml")
    with pytest.raises(BadFile, match="this is a folder, expected a file"):
        cd.load(tmp_path)
    with pytest.raises(BadFile, match=r"a joint is saved as \.toml; name the file j\.toml"):
        cd.save(cd.joints.ball(), tmp_path / "j.json")
    path = tmp_path / "subject.xyz"
    path.write_text("<OpenSimDocument/>")
    with pytest.raises(BadFile, match=r"subject\.xyz: condyle does not load \.xyz; it loads \.toml \(models, joints"):
        cd.load(path)
    with pytest.raises(BadFile, match="cannot be written: No such file or directory"):
        cd.save(cd.joints.ball(), tmp_path / "no" / "j.toml")
    with pytest.raises(cd.CondyleError, match="save takes a model, a joint, an arm, a trajectory or torques; got 3"):
        cd.save(3, tmp_path / "x.toml")


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    """Oracle: the bytes of the old file, and no part file beside it."""
    path = cd.save(cd.joints.revolute("x"), tmp_path / "j.toml")
    before = path.read_bytes()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(BadFile, match="No space left on device"):
        cd.save(cd.joints.revolute("y"), path)
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1


def test_pickles_and_bombs_are_not_opened(tmp_path):
    """Oracle: the words; a pickle that would make a file if it were opened."""
    path = tmp_path / "run.npz"
    np.savez(path, kind=np.array([{"a": 1}], dtype=object), t=np.zeros(2))
    with pytest.raises(BadFile, match=r"not an \.npz file that condyle can read: .*allow_pickle"):
        cd.load(path)
    path.write_bytes(b"not a zip")
    with pytest.raises(BadFile, match=r"not an \.npz file"):
        cd.load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.npy", b"\0" * 10**6)
    with pytest.raises(BadFile, match="not a file of condyle"):
        cd.load(path)


def test_shapes_for_drawing_are_checked():
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match="sphere: its size is 1 positive finite lengths"):
        cd.shapes.sphere(-1.0)
    with pytest.raises(cd.CondyleError, match="box: a color is red, green, blue from 0 to 1"):
        cd.shapes.box((1, 1, 1), color=(2, 0, 0))
    with pytest.raises(cd.CondyleError, match=r"shapes must come from cd\.shapes"):
        cd.ModelBuilder().add_body("a", inertia=cd.Inertia.massless(), shapes=["ball"])


def test_the_schema_knows_every_key_and_refuses_others():
    """Oracle: JSON Schema's own words for it."""
    schema = json_schema("model")
    assert schema["required"] == ["condyle", "kind", "bodies"] and schema["additionalProperties"] is False
    assert {"bodies", "loads", "ranges", "prescribed", "gravity"} <= set(schema["properties"])
    with pytest.raises(cd.CondyleError, match="no kind of file named 'modl' in condyle"):
        json_schema("modl")


def test_a_key_in_the_wrong_table_is_not_suggested_for_itself(tmp_path):
    """Oracle: the words; it said "type: unknown key; did you mean 'type'?" of a joint written without its table."""
    (tmp_path / "j.toml").write_text('condyle = 1\nkind = "joint"\ntype = "revolute"\naxis = "z"\n')
    with pytest.raises(BadFile, match=r"type: unknown key here; .*\[joint\]") as refused:
        cd.load(tmp_path / "j.toml")
    assert "did you mean 'type'" not in str(refused.value)
