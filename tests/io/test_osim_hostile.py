"""Hostile .osim files: a named error or a model, quickly."""

import pytest

import condyle as cd
from support.damage import count_outcomes
from support.osim_files import body, chain, coordinate, everything, in_set, joint, model, old_file, two_pins


def test_two_hundred_damaged_models_are_refused_in_words_or_valid(tmp_path):
    """Oracle: the class of what comes out, and that every error names the file."""
    texts = (everything(), old_file(), chain("TwoOfOneAxis"), chain("ScapulothoracicJoint"))
    outcomes = count_outcomes(tmp_path, [(".osim", text.encode(), None) for text in texts], 200, seed=20)
    assert min(outcomes.values()) > 20, outcomes


def long_chain(count):
    names = [f"b{k}" for k in range(count)]
    pairs = zip(["ground", *(f"bodyset/{name}" for name in names[:-1])], names, strict=True)
    joints = [joint("PinJoint", f"j{n}", f"/{p}", f"/bodyset/{n}", [coordinate(f"q{n}")]) for p, n in pairs]
    return model([body(name) for name in names], joints)


def frames_in_a_row(count):
    """Frames of which each hangs on the next."""
    frames = "".join(
        f'<PhysicalOffsetFrame name="f{k}"><socket_parent>/f{k + 1}</socket_parent></PhysicalOffsetFrame>'
        for k in range(count)
    )
    return two_pins(
        extra=f"<components>{frames}</components>" + in_set("MarkerSet", "<Marker name='m'><body>/f0</body></Marker>")
    )


def nested(count):
    deep = "<MultiplierFunction><function>" * count + "<Constant/>" + "</function></MultiplierFunction>" * count
    return chain("CustomJoint").replace("<Constant><value>0.11</value></Constant>", deep)


HOSTILE = {
    "bomb": '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><OpenSimDocument Version="40000">&b;</OpenSimDocument>',
    "foreign entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><OpenSimDocument>&x;</OpenSimDocument>',
    "deep": "<OpenSimDocument>" + "<a>" * 100_000,
    "cut off": everything()[:4000],
    "not text": "\0\1\2" * 100,
    "empty": "",
    "frames in a row": frames_in_a_row(5000),
    "functions in functions": nested(60),
    "huge polynomial": chain("TwoOfOneAxis").replace("<order>2</order>", "<order>999999999</order>"),
    "version of many digits": two_pins().replace("40000", "4" * 5000),
    "no bodies": model([], []),
    "body of the same name": model([body("a"), body("a")], []),
    "name with a dot": model([body("a.b")], []),
    "many comments": two_pins() + "<!--" * 200_000,
}


@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_in_words(kind, tmp_path):
    """Oracle: CondyleError with the name of the file."""
    path = tmp_path / "hostile.osim"
    path.write_text(HOSTILE[kind])
    with pytest.raises(cd.CondyleError, match=r"hostile\.osim"):
        cd.load(path)


def test_a_chain_of_hundreds_of_bodies_opens(tmp_path):
    """Oracle: the count."""
    path = tmp_path / "chain.osim"
    path.write_text(long_chain(400))
    assert cd.load(path).nq == 400
