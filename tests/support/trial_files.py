"""A trial of our own making: a pelvis that moves freely, a thigh and a shank, their markers, loads and setup files.

Lengths, masses and motions are known, so that angles and forces can be compared with closed forms.
"""

from pathlib import Path

import numpy as np

import condyle as cd
from support.osim_files import coordinate, in_set, marker, model, numbers

THIGH, SHANK = 0.4, 0.42  # [m] from joint to joint
MASSES = {"pelvis": 11.0, "thigh_r": 9.0, "shank_r": 3.5}
COMS = {"pelvis": (-0.05, 0.0, 0.0), "thigh_r": (0.0, -0.17, 0.0), "shank_r": (0.0, -0.19, 0.0)}
MOMENTS = {"pelvis": (0.1, 0.09, 0.06), "thigh_r": (0.13, 0.03, 0.14), "shank_r": (0.05, 0.005, 0.051)}
MARKERS = {
    "ASIS": ("pelvis", (0.02, 0.03, 0.12)),
    "PSIS": ("pelvis", (-0.16, 0.04, 0.04)),
    "SACR": ("pelvis", (-0.14, 0.05, -0.05)),
    "LASI": ("pelvis", (0.02, 0.03, -0.12)),
    "TH1": ("thigh_r", (0.05, -0.15, 0.02)),
    "KNEE": ("thigh_r", (0.0, -0.4, 0.05)),
    "TH2": ("thigh_r", (0.02, -0.25, 0.07)),
    "SH1": ("shank_r", (0.03, -0.1, 0.02)),
    "ANK": ("shank_r", (0.0, -0.4, 0.04)),
    "SH2": ("shank_r", (0.02, -0.25, 0.05)),
}
FREE = ("pelvis_tilt", "pelvis_list", "pelvis_rotation", "pelvis_tx", "pelvis_ty", "pelvis_tz")
HIP_PLACE = (-0.07, -0.066, 0.08)


def body(name, extra=""):
    """A body of the leg."""
    return (
        f'<Body name="{name}"><mass>{MASSES[name]!r}</mass><mass_center>{numbers(COMS[name])}</mass_center>'
        f"<inertia>{numbers((*MOMENTS[name], 0, 0, 0))}</inertia>{extra}</Body>"
    )


def pin(name, parent, at, child, extra="", ends=(-2.5, 2.5)):
    """A hinge about z."""
    return (
        f'<PinJoint name="{name}"><socket_parent_frame>p</socket_parent_frame>'
        f"<socket_child_frame>/bodyset/{child}</socket_child_frame>"
        f"<coordinates>{coordinate(f'{name}_angle_r', 0.0, ends, extra)}</coordinates>"
        f'<frames><PhysicalOffsetFrame name="p"><socket_parent>/bodyset/{parent}</socket_parent>'
        f"<translation>{numbers(at)}</translation></PhysicalOffsetFrame></frames></PinJoint>"
    )


def free(child="pelvis"):
    """Three turns and three shifts in ground."""
    axes = zip(FREE, ("1 0 0", "0 1 0", "0 0 1") * 2, strict=True)
    slots = ("rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3")
    inside = "".join(
        f'<TransformAxis name="{slot}"><coordinates>{c}</coordinates><axis>{axis}</axis>'
        '<LinearFunction name="function"><coefficients>1 0</coefficients></LinearFunction></TransformAxis>'
        for slot, (c, axis) in zip(slots, axes, strict=True)
    )
    coordinates = "".join(coordinate(c, 0.0, (-10, 10)) for c in FREE)
    return (
        f'<CustomJoint name="root"><socket_parent_frame>/ground</socket_parent_frame>'
        f"<socket_child_frame>/bodyset/{child}</socket_child_frame><coordinates>{coordinates}</coordinates>"
        f"<SpatialTransform>{inside}</SpatialTransform></CustomJoint>"
    )


def leg_osim(knee="", hip="", extra="", ends=(-2.5, 2.5)):
    """The file of the leg; `knee` and `hip` go into their coordinates, `extra` into the model."""
    joints = [free(), pin("hip", "pelvis", HIP_PLACE, "thigh_r", hip),
              pin("knee", "thigh_r", (0, -THIGH, 0), "shank_r", knee, ends)]  # fmt: skip
    markers = in_set("MarkerSet", *(marker(n, f"/bodyset/{b}", numbers(at)) for n, (b, at) in MARKERS.items()))
    return model([body(b) for b in MASSES], joints, markers + extra, gravity="0 -9.81 0")


def write_leg(folder, **options):
    """The file on disk, and the model."""
    path = Path(folder) / "leg.osim"
    path.write_text(leg_osim(**options))
    return path, cd.load(path)


def motion(times):
    """q, v and a (T, 8) of a smooth motion, each with its exact derivatives."""
    t = np.asarray(times)[:, None]
    size = np.array([0.1, 0.05, 0.2, 0.3, 0.03, 0.02, 0.4, 0.5])
    rate = np.array([3.0, 2.5, 2.0, 1.0, 6.0, 3.0, 5.0, 4.5])
    phase, middle = np.arange(8) * 0.7, np.array([0.1, 0.0, 0.1, 0.5, 1.0, 0.0, 0.2, -0.7])
    angle = rate * t + phase
    return middle + size * np.sin(angle), size * rate * np.cos(angle), -size * rate**2 * np.sin(angle)


def measured(leg, times, q, missing=()):
    """Markers of a motion as cameras see them; `missing` has (frame, name) of those that are hidden."""
    X = cd.forward_kinematics(leg, q).as_matrix()
    names = tuple(MARKERS)
    points = np.stack([
        np.einsum("nij,j->ni", X[:, leg.body_index(b), :3, :3], np.array(at)) + X[:, leg.body_index(b), :3, 3]
        for b, at in MARKERS.values()
    ], axis=1)  # fmt: skip
    for frame, name in missing:
        points[frame, names.index(name)] = np.nan
    return cd.trial.Markers(names, np.asarray(times, dtype=float), points)


def reaction(times):
    """Force, point in ground and torque (T, 3) under the foot."""
    t = np.asarray(times)
    force = np.stack([30 * np.sin(2 * t), 400 + 50 * np.cos(3 * t), 10 * np.sin(t)], axis=1)
    point = np.stack([0.3 + 0.1 * t, 0 * t, 0.1 + 0 * t], axis=1)
    return force, point, np.stack([0 * t, 5 * np.sin(t), 0 * t], axis=1)


def write_reaction(path, times):
    """The table of the reaction, as laboratories name its columns."""
    names = [f"ground_force_{kind}{axis}" for kind in "vp" for axis in "xyz"]
    names += [f"ground_torque_{axis}" for axis in "xyz"]
    cd.write_table(cd.Table(("time", *names), np.column_stack([times, *reaction(times)]), in_degrees=False), path)


LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="right">
<applied_to_body>{body}</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>ground</point_expressed_in_body><force_identifier>ground_force_v</force_identifier>
<point_identifier>ground_force_p</point_identifier><torque_identifier>ground_torque_</torque_identifier>
</ExternalForce></objects><datafile>{data}</datafile></ExternalLoads></OpenSimDocument>"""

SCALE = """<OpenSimDocument Version="40000"><ScaleTool name="person"><mass>30</mass><GenericModelMaker>
<model_file>leg.osim</model_file></GenericModelMaker><ModelScaler>
<scaling_order>measurements manualScale</scaling_order><MeasurementSet><objects>
<Measurement name="thigh"><MarkerPairSet><objects><MarkerPair><markers>TH1 KNEE</markers>
</MarkerPair></objects></MarkerPairSet><BodyScaleSet><objects><BodyScale name="thigh_r"><axes>X Y Z</axes></BodyScale>
</objects></BodyScaleSet></Measurement></objects></MeasurementSet><ScaleSet><objects><Scale><scales>1.2 1.1 1</scales>
<segment>shank_r</segment></Scale></objects></ScaleSet><marker_file>static.trc</marker_file>
<time_range>0 1</time_range><preserve_mass_distribution>true</preserve_mass_distribution>
<output_model_file>person_scaled.osim</output_model_file></ModelScaler><MarkerPlacer><IKTaskSet><objects>{tasks}
</objects></IKTaskSet><marker_file>static.trc</marker_file><time_range>0 1</time_range>
<output_model_file>person.osim</output_model_file></MarkerPlacer></ScaleTool></OpenSimDocument>"""

KINEMATICS = """<OpenSimDocument Version="40000"><InverseKinematicsTool name="walk"><model_file>{model}</model_file>
<IKTaskSet><objects>{tasks}</objects></IKTaskSet><marker_file>walk.trc</marker_file><time_range>0 1</time_range>
<output_motion_file>walk_ik.mot</output_motion_file></InverseKinematicsTool></OpenSimDocument>"""

DYNAMICS = """<OpenSimDocument Version="40000"><InverseDynamicsTool name="walk"><model_file>{model}</model_file>
<forces_to_exclude>Muscles</forces_to_exclude><external_loads_file>loads.xml</external_loads_file>
<coordinates_file>walk_ik.mot</coordinates_file>
<lowpass_cutoff_frequency_for_coordinates>{cutoff}</lowpass_cutoff_frequency_for_coordinates>
<output_gen_force_file>walk_id.sto</output_gen_force_file></InverseDynamicsTool></OpenSimDocument>"""


def marker_tasks(weight=1.0, names=MARKERS):
    """Tasks of a tool."""
    return "".join(
        f'<IKMarkerTask name="{n}"><apply>true</apply><weight>{weight}</weight></IKMarkerTask>' for n in names
    )


def write_trial(folder, cutoff=-1, model="leg.osim", count=41):
    """Model, markers, loads and setups of inverse kinematics and dynamics in a folder; the times and the model."""
    folder = Path(folder)
    _, leg = write_leg(folder)
    times = np.linspace(0.0, 1.0, count)
    cd.trial.write_markers(measured(leg, times, motion(times)[0]), folder / "walk.trc")
    write_reaction(folder / "grf.mot", np.linspace(-0.1, 1.1, 241))
    (folder / "loads.xml").write_text(LOADS.format(body="shank_r", data="grf.mot"))
    (folder / "Setup_IK.xml").write_text(KINEMATICS.format(model=model, tasks=marker_tasks()))
    (folder / "Setup_ID.xml").write_text(DYNAMICS.format(model=model, cutoff=cutoff))
    return times, leg
