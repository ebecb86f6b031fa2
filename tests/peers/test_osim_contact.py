"""Contact of OpenSim's files: accelerations under it in both engines, at random states near touch."""

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd

pytestmark = pytest.mark.peers
osim = pytest.importorskip("opensim", reason="opensim is not installed")

from support.laboratory import PLACES  # noqa: E402
from support.osim_twin import places_in_q, rate_matrix, vector  # noqa: E402  # it imports opensim

FLOOR, TILT = (0.03, -0.02, 0.01), (0.1, 0.2, -np.pi / 2 + 0.1)
SPHERES = (((0.02, -0.04, 0.03), 0.032), ((-0.05, 0.01, 0.02), 0.05))
SMOOTH = {"stiffness": 3067776.0, "dissipation": 2.0, "static_friction": 0.8, "dynamic_friction": 0.7,
          "viscous_friction": 0.5, "transition_velocity": 0.2, "constant_contact_force": 1e-5, "hertz_smoothing": 300.0,
          "hunt_crossley_smoothing": 50.0}  # fmt: skip
SOFT, HARD = (1e6, 1.1, 0.8, 0.6, 0.3), (5e6, 0.7, 0.9, 0.5, 0.2)
TAGS = ("stiffness", "dissipation", "static_friction", "dynamic_friction", "viscous_friction")


def free_bodies(spheres):
    """A model of OpenSim: free bodies without gravity, each with a sphere, and a tilted half space."""
    model = osim.Model()
    model.setGravity(osim.Vec3(0, 0, 0))
    floor = osim.ContactHalfSpace(osim.Vec3(*FLOOR), osim.Vec3(*TILT), model.getGround(), "floor")
    model.addContactGeometry(floor)
    for k, (center, radius) in enumerate(spheres):
        body = osim.Body(f"b{k}", 1.3, osim.Vec3(0.1, 0.2, -0.05), osim.Inertia(0.1, 0.2, 0.25, 0, 0, 0))
        model.addBody(body)
        model.addJoint(osim.FreeJoint(f"j{k}", model.getGround(), body))
        model.addContactGeometry(osim.ContactSphere(radius, osim.Vec3(*center), body, f"s{k}"))
    return model


def smooth(k):
    inside = "".join(f"<{tag}>{x!r}</{tag}>" for tag, x in SMOOTH.items())
    sockets = f"<socket_sphere>/contactgeometryset/s{k}</socket_sphere>"
    sockets += "<socket_half_space>/contactgeometryset/floor</socket_half_space>"
    return f'<SmoothSphereHalfSpaceForce name="smooth{k}">{sockets}{inside}</SmoothSphereHalfSpaceForce>'


def hunt_crossley(*materials):
    sets = ""
    for names, numbers in materials:
        inside = "".join(f"<{tag}>{x!r}</{tag}>" for tag, x in zip(TAGS, numbers, strict=True))
        kind = "HuntCrossleyForce::ContactParameters"
        sets += f"<{kind}><geometry>{names}</geometry>{inside}</{kind}>"
    kind = "HuntCrossleyForce::ContactParametersSet"
    parts = f'<{kind} name="contact_parameters"><objects>{sets}</objects><groups/></{kind}>'
    return f'<HuntCrossleyForce name="hc">{parts}<transition_velocity>0.13</transition_velocity></HuntCrossleyForce>'


def written(model, forces, path):
    """The file of a model with forces in it."""
    model.finalizeConnections()
    model.printToXML(str(path))
    text = re.sub(r"<ForceSet[^>]*/>|<ForceSet.*?</ForceSet>", "", path.read_text(), flags=re.DOTALL)
    forces = f'<ForceSet name="forceset"><objects>{forces}</objects><groups/></ForceSet></Model>'
    path.write_text(text.replace("</Model>", forces))
    return path


def compare(path, states, near=None):
    """Accelerations of both engines at random states; how many of them differ from those without the forces."""
    ours = cd.load(path)
    theirs = osim.Model(str(path))
    state = theirs.initSystem()
    known, rng, touching = sorted(places_in_q(theirs, state)), np.random.default_rng(1), 0
    places, order = [k for k, _ in known], [ours.q_index(name) for _, name in known]
    for _ in range(states):
        q, v = ours.neutral() + 0.3 * rng.normal(size=ours.nq), rng.normal(size=ours.nv)
        q = q if near is None else near(ours, q, rng)
        there, here = accelerations(theirs, state, places, q[order], v[order]), cd.forward_dynamics(ours, q, v)[order]
        assert_allclose(here, there, rtol=1e-9, atol=1e-10 * np.abs(there).max())
        loose = cd.forward_dynamics(replace(ours, forces=()), q, v)[order]
        touching += not np.allclose(here, loose, rtol=1e-6)
    return touching


def accelerations(theirs, state, places, q, v):
    """OpenSim's, of coordinates; its speeds are not always their rates."""
    slots = np.zeros(state.getNQ())
    slots[places] = q
    state.setQ(vector(slots))
    theirs.realizePosition(state)
    state.setU(vector(np.linalg.solve(rate_matrix(theirs, state, places), v)))
    theirs.realizeAcceleration(state)
    return state.getQDotDot().to_numpy()[places]


def near_floor(model, q, rng):
    """The bodies shifted so that their spheres are from 1 cm above to 2 cm in the floor, or in each other."""
    q = np.array(q)
    for force in model.pair_forces:
        at = force.at
        if at.surface_a.kind != "half_space":
            continue
        T = cd.forward_kinematics(model, q).as_matrix()
        normal, centre = at.frame_a[:3, 2], T[at.b, :3, :3] @ at.frame_b[:3, 3] + T[at.b, :3, 3]
        depth = at.surface_b.radius - normal @ (centre - at.frame_a[:3, 3])
        shift = (depth - rng.uniform(-0.01, 0.02)) * normal
        q[[model.q_index(f"{model.bodies[at.b].joint_name}.{c}") for c in shifts(model, at.b)]] += shift
    return q


def shifts(model, body):
    return model.bodies[body].joint.coordinates[-3:]


def test_smooth_contact_accelerates_a_body_as_in_opensim(tmp_path):
    """Oracle: OpenSim's SmoothSphereHalfSpaceForce, over a tilted plane and with a sphere off the centre of mass."""
    path = written(free_bodies(SPHERES[:1]), smooth(0), tmp_path / "smooth.osim")
    assert compare(path, 60, near_floor) > 20


def test_hunt_crossley_contact_accelerates_a_body_as_in_opensim(tmp_path):
    """Oracle: OpenSim's HuntCrossleyForce of two different materials."""
    path = written(free_bodies(SPHERES[:1]), hunt_crossley(("s0", SOFT), ("floor", HARD)), tmp_path / "hc.osim")
    assert compare(path, 60, near_floor) > 15


def test_two_spheres_touch_as_in_opensim(tmp_path):
    """Oracle: the same of two spheres of different radii and materials on two bodies."""
    path = written(free_bodies(SPHERES), hunt_crossley(("s0", SOFT), ("s1", HARD)), tmp_path / "two.osim")

    def near(model, q, rng):
        q = np.array(q)
        at = model.pair_forces[0].at
        T = cd.forward_kinematics(model, q).as_matrix()
        a, b = (T[i, :3, :3] @ F[:3, 3] + T[i, :3, 3] for i, F in ((at.a, at.frame_a), (at.b, at.frame_b)))
        apart = np.linalg.norm(b - a)
        wanted = at.surface_a.radius + at.surface_b.radius - rng.uniform(-0.005, 0.02)
        places = [model.q_index(f"{model.bodies[at.b].joint_name}.{c}") for c in shifts(model, at.b)]
        q[places] += (wanted - apart) * (b - a) / apart
        return q

    assert compare(path, 60, near) > 20


FILES = [p for folder in {q.parent for q in PLACES} for p in sorted(folder.glob("data*/opensim/**/*.osim"))
         if p.stem.startswith(("BouncingBall", "bouncing_block", "2D_gait"))]  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
@pytest.mark.filterwarnings("ignore")
def test_a_file_with_contact_accelerates_as_in_opensim(path, tmp_path):
    """Oracle: OpenSim's accelerations with its springs and contacts, muscles off, near the default pose."""
    ours, theirs = cd.load(path, couplers="constraint"), osim.Model(str(path))
    state = theirs.initSystem()
    muscles = {m.name for m in ours.muscles}
    for force in filter(None, map(osim.Force.safeDownCast, theirs.getComponentsList())):
        if force.getName() in muscles or "Actuator" in force.getConcreteClassName():
            force.setAppliesForce(state, False)
    known, rng = sorted(places_in_q(theirs, state)), np.random.default_rng(1)
    places, order = [k for k, _ in known], [ours.q_index(name) for _, name in known]
    ours = ours.without_muscles()
    for _ in range(20):
        q, v = ours.neutral() + 0.02 * rng.normal(size=ours.nq), 0.3 * rng.normal(size=ours.nv)
        if ours.constraints:
            q, v = cd.project(ours, q, v)
        there = accelerations(theirs, state, places, q[order], v[order])
        assert_allclose(cd.forward_dynamics(ours, q, v)[order], there, rtol=1e-6, atol=1e-8 * np.abs(there).max())
