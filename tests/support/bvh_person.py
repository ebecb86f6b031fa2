"""A person of a few joints in a BVH file."""

PERSON = {
    "Hips": (None, (0, 0, 0)), "Spine": ("Hips", (0, 20, 0)), "Neck": ("Spine", (0, 30, 0)),
    "Head": ("Neck", (0, 10, 0)),
    **{f"{side}{part}": (parent.format(side), offset) for side in ("Left", "Right") for part, parent, offset in (
        ("Shoulder", "Spine", (0, 25, 0)), ("Arm", "{}Shoulder", (15, 0, 0)), ("ForeArm", "{}Arm", (30, 0, 0)),
        ("Hand", "{}ForeArm", (25, 0, 0)), ("UpLeg", "Hips", (10, 0, 0)), ("Leg", "{}UpLeg", (0, -40, 0)),
        ("Foot", "{}Leg", (0, -40, 0)))},
}  # fmt: skip
ENDS = {"Head": (0, 25, 0), "Hand": (18, 0, 0), "Foot": (0, 0, 25)}


def person():
    """A person of a few joints, standing."""

    def block(name):
        inner = "".join(block(child) for child, (parent, _) in PERSON.items() if parent == name)
        end = next((offset for part, offset in ENDS.items() if name.endswith(part)), None)
        inner += f"End Site {{ OFFSET {end[0]} {end[1]} {end[2]} }} " if end else ""
        offset = " ".join(map(str, PERSON[name][1]))
        title = "ROOT" if name == "Hips" else "JOINT"
        return f"{title} {name} {{ OFFSET {offset} CHANNELS 3 Zrotation Xrotation Yrotation {inner}}} "

    return f"HIERARCHY {block('Hips')} MOTION Frames: 1 Frame Time: 0.1 {'0 ' * 3 * len(PERSON)}\n"
