"""Ligaments and springs along paths in inverse dynamics of condyle and of OpenSim, on a leg of two links."""

import numpy as np
import pytest

import condyle as cd
from support.opensim_trials import scaled_by_wheel

osim = pytest.importorskip("opensim")

pytestmark = pytest.mark.peers

NAMES = ("spring", "ligament", "cruciate", "off")
MOTION = "leg.mot"


def link(model, name, parent, at):
    """A body on a pin about z, 0.4 m long."""
    body = osim.Body(name, 3.0, osim.Vec3(0, -0.18, 0), osim.Inertia(0.05, 0.01, 0.05, 0, 0, 0))
    joint = osim.PinJoint(f"{name}_joint", parent, osim.Vec3(*at), osim.Vec3(0), body, osim.Vec3(0), osim.Vec3(0))
    joint.updCoordinate().setName(f"{name}_angle")
    model.addBody(body)
    model.addJoint(joint)
    return body


def along(force, name, ends):
    """A force along a path through points of bodies."""
    force.setName(name)
    for k, (body, at) in enumerate(ends):
        force.updGeometryPath().appendNewPathPoint(f"{name}_{k}", body, osim.Vec3(*at))
    return force


def write_leg(path):
    """Two links, four bands of which one is turned off and one runs over both joints through a point between."""
    osim.Logger.setLevelString("off")
    model = osim.Model()
    model.setName("leg")
    ground = model.getGround()
    thigh = link(model, "thigh", ground, (0, 1, 0))
    shank = link(model, "shank", thigh, (0, -0.4, 0))
    spring = osim.PathSpring("spring", 0.25, 900.0, 0.3)
    ligament = osim.Ligament()
    ligament.setRestingLength(0.11)
    ligament.setMaxIsometricForce(150.0)
    cruciate = osim.Blankevoort1991Ligament()
    cruciate.set_linear_stiffness(2500.0)
    cruciate.set_slack_length(0.12)
    cruciate.set_damping_coefficient(0.003)
    off = osim.PathSpring("off", 0.1, 5000.0, 0.0)
    off.set_appliesForce(False)
    model.addForce(
        along(spring, "spring", [(ground, (0.1, 0.95, 0)), (thigh, (0.06, -0.3, 0)), (shank, (0.04, -0.1, 0))])
    )
    model.addForce(along(ligament, "ligament", [(thigh, (0.05, -0.35, 0.02)), (shank, (0.05, -0.06, 0))]))
    model.addForce(along(cruciate, "cruciate", [(thigh, (-0.04, -0.34, 0)), (shank, (-0.04, -0.06, 0.01))]))
    model.addForce(along(off, "off", [(thigh, (0.1, -0.2, 0)), (shank, (0.1, -0.2, 0))]))
    model.finalizeConnections()
    model.printToXML(str(path))


def write_motion(folder):
    t = np.linspace(0.0, 1.0, 201)
    q = np.column_stack([t, 0.3 + 0.4 * np.sin(5 * t), -0.5 + 0.6 * np.sin(7 * t + 1)])
    cd.write_table(cd.Table(("time", "thigh_angle", "shank_angle"), q, in_degrees=False), folder / MOTION)


def by_opensim(folder, excluded):
    """A setup, written and run by OpenSim: its table of moments."""
    tool = osim.InverseDynamicsTool()
    tool.setName("leg")
    tool.setModelFileName(str(folder / "leg.osim"))
    tool.setCoordinatesFileName(str(folder / MOTION))
    tool.setStartTime(0.0)
    tool.setEndTime(1.0)
    tool.setLowpassCutoffFrequency(-1)
    tool.setResultsDir(str(folder))
    tool.setOutputGenForceFileName("leg_id.sto")
    words = osim.ArrayStr()
    for word in excluded.split():
        words.append(word)
    tool.setExcludedForces(words)
    tool.printToXML(str(folder / "setup.xml"))
    osim.InverseDynamicsTool(str(folder / "setup.xml")).run()
    return cd.read_table(folder / "leg_id.sto")


def by_condyle(folder):
    (trial,) = cd.trial.run(folder / "setup.xml", folder / "out", report=False).trials
    return trial.dynamics.table()


def apart(found, reference):
    """The largest difference of a moment, in parts of the largest."""
    x, y = (np.stack([t[f"{name}_angle_moment"] for name in ("thigh", "shank")]) for t in (found, reference))
    return np.abs(x - y).max() / np.abs(y).max()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("ligaments")
    write_leg(place / "leg.osim")
    write_motion(place)
    return place


@pytest.mark.parametrize("excluded", ["", "Muscles", "actuators", *NAMES, "ligament cruciate", "ALL", "all"])
def test_moments_are_those_of_opensims_tool(folder, excluded):
    """Oracle: InverseDynamicsTool of OpenSim, with the same setup."""
    reference = by_opensim(folder, excluded)
    assert apart(by_condyle(folder), reference) < 1e-6


@pytest.mark.parametrize("excluded", ["Ligament", "nobody"])
def test_classes_are_no_names_and_told(folder, excluded):
    """Oracle: OpenSim, which excludes by names, groups and three keywords only; a name that is none is warned of."""
    reference = by_opensim(folder, excluded)
    with pytest.warns(cd.CondyleWarning, match=excluded):
        found = by_condyle(folder)
    assert apart(found, reference) < 1e-6


@pytest.mark.parametrize("name", NAMES[:3])
def test_each_band_matters(folder, name):
    """Oracle: OpenSim with and without each; else the comparison above would say nothing."""
    assert apart(by_opensim(folder, ""), by_opensim(folder, name)) > 1e-2


@pytest.mark.filterwarnings("ignore::condyle.errors.NotInModel")
def test_lengths_at_rest_follow_scaled_paths(folder):
    """Oracle: OpenSim's model, scaled by the same factors."""
    factors = {"thigh": (1.1, 1.2, 1.0), "shank": (0.9, 1.05, 1.3)}
    assert scaled_by_wheel(osim, folder / "leg.osim", factors, 6.0, folder / "scaled.osim")
    ours, theirs = cd.trial.scale(folder / "leg.osim", mass=6.0, factors=factors).model, cd.load(folder / "scaled.osim")
    for a, b in zip(ours.muscles, theirs.muscles, strict=True):
        assert dict(a.constants) == pytest.approx(dict(b.constants), rel=1e-12)
