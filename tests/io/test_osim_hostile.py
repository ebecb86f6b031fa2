"""Hostile .osim files: a named error or a model, quickly."""

import random
from collections import Counter

import pytest

import condyle as cd
from support.damage import Bad, count_outcomes
from support.opensim_trials import DATA, needs_trials
from support.osim_damage import hostile, outcome
from support.osim_files import (
    JOINTS,
    LINE,
    body,
    chain,
    coordinate,
    coupler,
    custom,
    everything,
    in_set,
    joint,
    model,
    old_file,
    two_pins,
)

LIMIT = 1_000_000  # bytes of a laboratory's model that is damaged


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


@pytest.mark.slow
def test_a_chain_of_hundreds_of_bodies_opens(tmp_path):
    """Oracle: the count."""
    path = tmp_path / "chain.osim"
    path.write_text(long_chain(400))
    assert cd.load(path).nq == 400


def outcomes(texts, count, seed, folder):
    """How many hostile files are models and how many are refused; what is neither fails, with its number."""
    rng, counts, path = random.Random(seed), Counter(), folder / "hostile.osim"
    for k in range(count):
        path.write_bytes(hostile(texts[k % len(texts)], rng))
        try:
            counts[outcome(path)] += 1
        except Bad as error:
            pytest.fail(f"seed {seed}, file {k}: {error}; it is {path}")
    return counts


def ours():
    """Files of every joint, old and new."""
    return [text.encode() for text in (everything(), old_file(), two_pins(), *map(chain, JOINTS))]


def test_sixty_hostile_files_are_refused_in_words_or_have_a_finite_neutral_pose(tmp_path):
    """Oracle: the class of the error, the file's name in it, finite and rigid poses, processor time and memory."""
    assert min(outcomes(ours(), 60, 1, tmp_path).values()) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_hostile_files_are_refused_in_words_or_have_a_finite_neutral_pose(seed, tmp_path):
    """Oracle: as above; 3000 files in ten blocks."""
    assert min(outcomes(ours(), 300, seed, tmp_path).values()) > 60


@pytest.mark.slow
@needs_trials
def test_hostile_files_made_from_models_of_laboratories_are_refused_or_open(tmp_path):
    """Oracle: as above; 200 files, from all models up to a size."""
    found = sorted(path for path in DATA.rglob("*.osim") if path.stat().st_size < LIMIT)
    assert min(outcomes([path.read_bytes() for path in found], 200, 20, tmp_path).values()) > 20


def ring():
    """Two bodies of which each carries the other."""
    ends = ("/bodyset/one", "/bodyset/two")
    pins = [joint("PinJoint", n, *e, [coordinate(f"q{n}")]) for n, e in (("a", ends), ("b", ends[::-1]))]
    return model([body("one"), body("two")], pins)


def to(parent):
    return model([body("one")], [joint("PinJoint", "hinge", parent, "/bodyset/one", [coordinate("turn")])])


def moved_by(function):
    inside = custom({"rotation1": ("0 0 1", "turn", LINE), "translation1": ("1 0 0", "turn", function)})
    return model(
        [body("one")], [joint("CustomJoint", "hinge", "/ground", "/bodyset/one", [coordinate("turn")], inside)]
    )


def mass(text):
    return to("/ground").replace("<mass>", f"<mass>{text}</mass><was>").replace("</mass><mass_", "</was><mass_")


NAMED = {  # what is wrong: the file, and the element that the error names
    "a ring of bodies": (ring(), "'b'"),
    "a parent that does not exist": (to("/bodyset/nobody"), "nobody"),
    "a body on itself": (to("/bodyset/one"), "itself"),
    "a negative mass": (mass("-3"), "'one'"),
    "a mass that is no number": (mass("nan"), "'one'"),
    "an infinite mass": (mass("inf"), "'one'"),
    "a huge mass": (mass("1e300"), "'one'"),
    "a mass with a comma": (mass("3,5"), "comma"),
    "a function without points": (moved_by("<SimmSpline/>"), "SimmSpline"),
    "a function of one point": (moved_by("<SimmSpline><x>0</x><y>0</y></SimmSpline>"), "SimmSpline"),
    "points that go back": (moved_by("<SimmSpline><x>0 1 0.5</x><y>0 1 2</y></SimmSpline>"), "SimmSpline"),
    "a function that nobody knows": (moved_by("<Wavelet/>"), "Wavelet"),
    "a range that is upside down": (to("/ground").replace("<range>-2.0 2.0", "<range>2 -2"), "turn"),
    "gravity of two numbers": (model([body("one")], [], gravity="0 -9.81"), "gravity"),
    "a joint of no kind": (to("/ground").replace("PinJoint", "MagicJoint"), "MagicJoint"),
}


@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
@pytest.mark.parametrize("what", NAMED)
def test_what_no_model_can_be_is_refused_with_the_element(what, tmp_path):
    """Oracle: CondyleError that names the file and the element."""
    path = tmp_path / "hostile.osim"
    text, element = NAMED[what]
    path.write_text(text)
    with pytest.raises(cd.CondyleError, match=r"hostile\.osim") as raised:
        cd.load(path)
    assert element in str(raised.value)


def test_a_coupler_of_unknown_coordinates_and_missing_bones_are_told_and_the_model_opens(tmp_path):
    """Oracle: the names in the warnings."""
    text = two_pins(extra=in_set("ConstraintSet", coupler(LINE, others="ghost")))
    bone = "<attached_geometry><Mesh><mesh_file>nowhere.vtp</mesh_file></Mesh></attached_geometry></Body>"
    path = tmp_path / "hostile.osim"
    path.write_text(text.replace("</Body>", bone, 1))
    with pytest.warns(cd.errors.NotInModel, match=r"(?s)ghost.*nowhere|nowhere.*ghost"):
        assert cd.load(path).nq == 2


@pytest.mark.parametrize("tag", ["mass", "BodySet", "JointSet", "coordinates", "Model"])
def test_what_is_said_twice_is_told(tag, tmp_path):
    """Oracle: the first of the two is read, as by the file without the second; the warning names what was not."""
    text, path = two_pins(), tmp_path / "hostile.osim"
    end = text.index(f"</{tag}>") + len(f"</{tag}>")
    path.write_text(f"{text[:end]}<{tag}/>{text[end:]}")
    with pytest.warns(cd.errors.NotInModel, match=f"<{tag}>|models"):
        assert cd.load(path).coordinates == ("hip", "knee")
