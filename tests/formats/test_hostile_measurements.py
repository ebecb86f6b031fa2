"""Small files that claim to be large, nested or endless: refused before anything is made of the claim."""

import struct
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.formats.bvh import read_bvh
from condyle.formats.safe_files import read_bytes, read_text
from condyle.formats.tables.c3d import check_claims
from condyle.formats.xml import parse_xml

BVH = """HIERARCHY
ROOT a
{ OFFSET 0 0 0 CHANNELS 1 Xposition }
MOTION
Frames: 1
Frame Time: 0.1
0
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("CHANNELS 1", "CHANNELS -1", "CHANNELS must be a count"),
        ("CHANNELS 1", "CHANNELS -9", "CHANNELS must be a count"),
        ("CHANNELS 1", "CHANNELS 400000000", "CHANNELS must be at most 6; got 400000000"),
        ("Frames: 1", "Frames: 400000000", "400000000 frames of 1 channels need 400000000 numbers"),
        ("Frames: 1", f"Frames: {'9' * 5000}", "Frames must be a count"),
        ("Frames: 1", "Frames: -1", "Frames must be a count"),
        ("CHANNELS 1 Xposition }\nMOTION\nFrames: 1", "}\nMOTION\nFrames: 400000000", "no joint has a channel"),
        (" }", " JOINT b { OFFSET 0 0 0 }" * 200 + " }", "201 joints are too many for its 1 channels"),
        ("Frame Time: 0.1", "Frame Time: 0", "frame time must be positive"),
        ("Frame Time: 0.1", "Frame Time: nan", "frame time must be positive"),
        ("\n0\n", "\nnan\n", "not finite"),
        ("OFFSET 0", "OFFSET inf", "OFFSET is not finite"),
    ],
)
def test_a_bvh_file_holds_what_it_claims(old, new, words, tmp_path):
    """Oracle: the class, the key and the number."""
    (tmp_path / "x.bvh").write_text(BVH.replace(old, new))
    with pytest.raises(BadFile, match=words):
        read_bvh(tmp_path / "x.bvh")


def c3d(changes=()):
    """A C3D file by hand: a header, one parameter POINT:RATE, and one frame of one point; then other bytes put in."""
    header = struct.pack("<BBHHHHHfH", 2, 0x50, 1, 0, 1, 1, 10, -1.0, 3).ljust(512, b"\0")
    group = struct.pack("<bb5sHB", 5, -1, b"POINT", 3, 0)
    rate = struct.pack("<bb4sHbBfB", 4, 1, b"RATE", 9, 4, 0, 100.0, 0)
    parameters = (struct.pack("<BBBB", 1, 0x50, 1, 84) + group + rate).ljust(512, b"\0")
    data = bytearray(header + parameters + struct.pack("<4f", 1, 2, 3, 0).ljust(512, b"\0"))
    for at, value in changes:
        data[at : at + len(value)] = value
    return bytes(data)


RATE = c3d().index(b"RATE") + 4  # where the distance to the next parameter stands, then type, dimensions


def test_a_sound_c3d_file_passes():
    """Oracle: a file made by hand after the format's description."""
    check_claims(c3d(), "x.c3d")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([(1, b"\0")], "does not begin like one"),
        ([(0, b"\xff")], "its parameters begin at byte 130048 of 1536"),
        ([(515, b"\x07")], "unknown kind of processor; got 7"),
        ([(2, b"\xff\xff"), (8, b"\xff\xff")], "claims 65535 frames of 65535 points"),
        ([(4, b"\xff\xff"), (8, b"\xff\xff")], "claims 65535 frames of 1 points"),
        ([(16, b"\xff\xff")], "claims 1 frames"),
        ([(RATE + 3, b"\x07" + b"\xff" * 7)], f"'RATE' claims {4 * 255**7} bytes"),
        ([(RATE + 3, b"\xff")], "'RATE' has an unknown type or too many dimensions"),
        ([(RATE + 2, b"\x63")], "'RATE' has an unknown type"),
    ],
)
def test_a_c3d_file_holds_what_it_claims(changes, words):
    """Oracle: the class and the numbers that stand in the bytes."""
    with pytest.raises(BadFile, match=words):
        check_claims(c3d(changes), "x.c3d")


def test_the_reader_of_c3d_files_has_limits_of_memory_and_time():
    """Oracle: the system, asked in a process of its own after the limits were set for a file of 1 MB."""
    resource = pytest.importorskip("resource")
    code = """
        import resource
        from condyle.formats.tables.c3d_process import limit_resources
        limit_resources(10**6)
        print(resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_CPU)[0])
        try:
            bytearray(4 * 2**30)
        except MemoryError:
            print("refused")
    """
    said = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True).stdout.split()
    assert int(said[0]) < 2**31 and 0 < int(said[1]) < 60 and said[2] == "refused"
    assert resource.getrlimit(resource.RLIMIT_AS)[0] != int(said[0])


@pytest.mark.parametrize("suffix", [".csv", ".sto", ".trc"])
@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
@pytest.mark.parametrize("name", ["c{}", "c"])
def test_many_columns_cost_no_more_than_their_number(suffix, name, tmp_path):
    """Oracle: 60,000 columns, of different names or of one; every comparison of all pairs would take minutes."""
    count, path = 60_000, tmp_path / f"x{suffix}"
    names = [name.format(k) for k in range(count)]
    if suffix == ".csv":
        path.write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    elif suffix == ".sto":
        path.write_text("n\nendheader\n" + "\t".join(names) + "\n" + "\t".join("1" for _ in names) + "\n")
    else:
        row = "1\t0\t" + "\t".join("1" for _ in range(3 * count))
        path.write_text("PathFileType\t4\nDataRate\tUnits\n60\tmm\nFrame#\tTime\t" + "\t".join(names) + f"\n{row}\n")
    table = cd.read_table(path)
    assert len(set(table.names)) == count + (suffix == ".trc") and (table.values[:, 1:] == 1).all()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<a>" * 300 + b"</a>" * 300, "more than 200 deep"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "document type or entity is refused"),
        (b"<a>" + b"<b/>" * 500_001 + b"</a>", "more than 500000 elements"),
        (b" " * (2**27 + 1), "more than condyle reads"),
        (b"<a></b>", "not valid XML"),
    ],
)
def test_xml_is_bounded_in_depth_number_and_size(data, words):
    """Oracle: the class and the bound."""
    with pytest.raises(BadFile, match=words):
        parse_xml(data, "x.xml")


def test_a_file_is_measured_before_it_is_read(tmp_path):
    """Oracle: the bound in the message; a file with a hole of 1 TB takes no place on the disk."""
    path = tmp_path / "x.csv"
    path.write_text("0123456789")
    assert read_bytes(path, 10) == b"0123456789"
    with pytest.raises(BadFile, match=r"10 bytes are more than condyle reads \(9\)"):
        read_bytes(path, 9)
    with path.open("wb") as file:
        file.truncate(2**40)
    for read in (read_text, cd.read_table):
        with pytest.raises(BadFile, match=r"1099511627776 bytes are more than condyle reads"):
            read(path)


@pytest.mark.parametrize("suffix", [".sto", ".mot", ".csv", ".trc", ".bvh", ".c3d"])
@pytest.mark.parametrize(
    "content", [b"", b"\n", b" \t\r\n", b"\0" * 99, b"\xff" * 99, b"endheader", b"HIERARCHY MOTION"]
)
@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
def test_next_to_nothing_is_refused_in_words(suffix, content, tmp_path):
    """Oracle: the class, and the path in the message."""
    path = tmp_path / f"x{suffix}"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=f"x\\{suffix}"):
        cd.read_table(path)


def test_a_number_of_many_digits_is_a_number_or_refused(tmp_path):
    """Oracle: Python's float, which has no limit of digits as its int has."""
    path = tmp_path / "x.csv"
    path.write_text(f"a,b\n{'1' * 300},{'9' * 5000}\n")
    assert cd.read_table(path).values.tolist() == [[float("1" * 300), np.inf]]
