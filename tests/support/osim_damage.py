"""Hostile .osim files: what is well-formed, or nearly so, and says something impossible."""

import copy
import time
import warnings
import xml.etree.ElementTree as ET

import numpy as np

import condyle as cd
from support.damage import Bad, mutated

SECONDS, MEGABYTES = 5.0, 300.0  # of processor time and of memory, for one file
VALUES = (
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e308",
    "-1e49",
    "1e49",
    "1e-320",
    "0",
    "-3",
    "9" * 400,
    "0,5",
    "",
    "x",
    "1 2",
)
PATHS = ("/bodyset/nobody", "..", "/", "", "/ground", "ground", "/bodyset/", "../..", "/jointset/base/p_offset", "a b")
WORDS = ("ground", "", "a b", "a/b", "..", "é", "0", "None", "x" * 5000)
BOMB = "<!DOCTYPE r [<!ENTITY a 'ha'>" + "".join(f"<!ENTITY a{k} '&a{k - 1};&a{k - 1};'>" for k in range(1, 30)) + "]>"


def deleted(root, rng):
    """Without one element."""
    parent, child = rng.choice(_pairs(root))
    parent.remove(child)


def repeated(root, rng):
    """An element and all in it once more: names twice, bodies on two joints."""
    parent, child = rng.choice(_pairs(root))
    parent.insert(rng.randrange(len(parent) + 1), copy.deepcopy(child))


def misplaced(root, rng):
    """A copy of an element inside of another."""
    (_, child), (parent, _) = rng.choice(_pairs(root)), rng.choice(_pairs(root))
    parent.append(copy.deepcopy(child))


def retagged(root, rng):
    """An element by the name of another."""
    elements = list(root.iter())
    rng.choice(elements).tag = rng.choice(elements).tag


def renamed(root, rng):
    """An object by the name of another, of ground, or by a name that is none."""
    named = [e for e in root.iter() if "name" in e.attrib]
    if named:
        rng.choice(named).set("name", rng.choice([*WORDS, *(e.get("name") for e in named)]))


def renumbered(root, rng):
    """One number of the file, or all of one element, impossible: huge, negative, not a number, with a comma."""
    numeric = [e for e in root.iter() if (e.text or "").strip()[:1] in tuple("-.0123456789")]
    if numeric:
        chosen = rng.choice(numeric)
        fields = chosen.text.split()
        places = range(len(fields)) if rng.random() < 0.3 else [rng.randrange(len(fields))]
        value = rng.choice(VALUES)
        chosen.text = " ".join(value if k in places else field for k, field in enumerate(fields))


def reconnected(root, rng):
    """A socket, parent or coordinate to another thing of the file: rings, loops, and what does not exist."""
    holders = [
        e for e in root.iter() if e.tag.startswith("socket") or e.tag.startswith("parent") or "coordinate" in e.tag
    ]
    texts = [(e.text or "") for e in holders]
    if holders:
        rng.choice(holders).text = rng.choice([*PATHS, *texts])


def emptied(root, rng):
    """An element with nothing in it."""
    chosen = rng.choice(list(root.iter()))
    chosen.clear()


STRUCTURAL = (deleted, repeated, misplaced, retagged, renamed, renumbered, reconnected, emptied)


def _pairs(root):
    return [(parent, child) for parent in root.iter() for child in parent] or [(root, ET.SubElement(root, "a"))]


def restructured(data, rng):
    """One to three damages that leave a file well-formed; one that is not gets others."""
    try:
        root = ET.fromstring(data)
    except ET.ParseError:
        return mutated(data, rng)
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(STRUCTURAL)(root, rng)
    return ET.tostring(root)


def cut(data, rng):
    """The file up to a place."""
    return data[: rng.randrange(len(data))]


def deepened(data, rng):
    """A thousand elements, each within the last, somewhere between two others."""
    depth = rng.choice((100, 1000, 20_000))
    at = data.index(b">", rng.randrange(len(data) // 2)) + 1
    return data[:at] + b"<a>" * depth + b"</a>" * depth + data[at:]


def recoded(data, rng):
    """In another encoding than it says."""
    return data.decode("latin-1").encode(rng.choice(("utf-16", "utf-8-sig", "utf-32-le", "utf-7")))


def bombed(data, rng):
    """With entities that stand for others."""
    body = data[data.index(b"?>") + 2 :] if data.startswith(b"<?xml") else data
    return BOMB.encode() + body.replace(b"<gravity>", b"<gravity>&a29;", 1)


def decimal_commas(data, rng):
    """As a program in another language would write it."""
    return data.replace(b"0.", b"0,")


def of_other_root(data, rng):
    """In a document of something else."""
    return data.replace(b"OpenSimDocument", rng.choice((b"robot", b"Model", b"html", b"OpenSimdocument", b"A::B")))


RARE = (deepened, recoded, bombed, decimal_commas, of_other_root)


def hostile(data, rng):
    """A file that is like a sound one."""
    kind = rng.random()
    if kind < 0.6:
        return restructured(data, rng)
    if kind < 0.75:
        return mutated(data, rng)
    return cut(data, rng) if kind < 0.87 else rng.choice(RARE)(data, rng)


def outcome(path, **options):
    """ "valid" with a finite neutral pose, or "refused" in words that name the file; anything else is `Bad`."""
    begin, before = time.process_time(), memory()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            warnings.simplefilter("error", RuntimeWarning)
            model = cd.load(path, **options)
        found = "valid"
    except cd.CondyleError as error:
        found = "refused"
        if path.name not in str(error):
            raise Bad(f"the file is not named: {error}") from error
    except Exception as error:
        raise Bad(f"{type(error).__name__}: {error}") from error
    spent, grown = time.process_time() - begin, memory() - before
    if spent > SECONDS or grown > MEGABYTES:
        raise Bad(f"{found} after {spent:.1f} s and {grown:.0f} MB")
    if found == "valid":
        check_neutral(model)
    return found


def check_neutral(model):
    """The poses of the neutral q are rigid and finite."""
    q = model.neutral()
    poses = cd.forward_kinematics(model, q).as_matrix()
    if not (np.isfinite(q).all() and np.isfinite(poses).all()):
        raise Bad(f"the neutral pose is not finite: {q}")
    R = poses[:, :3, :3]
    if np.abs(R @ R.transpose(0, 2, 1) - np.eye(3)).max(initial=0.0) > 1e-6:
        raise Bad("a body is not rigid in the neutral pose")


def memory():
    """The most memory that this process had [MB]."""
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
