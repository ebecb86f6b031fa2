"""A line of units below the names of a CSV file; compressed tables; paths that begin with ~."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.design import read_poses
from condyle.errors import BadFile, BadShape

ROWS = "0,90,1000\n500,-45,-250\n"


@pytest.mark.parametrize("line", ["ms,deg,mm", '"ms","deg","mm"', "[ms],[deg],[mm]", "(ms), (Deg), (mm)"])
def test_units_are_read_and_numbers_stay(tmp_path, line):
    """Oracle: the numbers of the text; π/2, 1 m and half a second by hand."""
    (tmp_path / "a.csv").write_text(f"time,knee,tx\n{line}\n{ROWS}")
    table = cd.read_table(tmp_path / "a.csv")
    assert table.names == ("time", "knee", "tx") and table.column_units == ("ms", "deg", "mm")
    assert table.in_degrees is True and table.units == "mm" and table.unit_of("knee") == "deg"
    np.testing.assert_array_equal(table["knee"], [90.0, -45.0])
    np.testing.assert_allclose(table.times, [0.0, 0.5])
    base = table.in_base_units()
    np.testing.assert_allclose(base["knee"], [np.pi / 2, -np.pi / 4])
    np.testing.assert_allclose(base["tx"], [1.0, -0.25])
    assert base.in_degrees is False and not any(base.column_units) and base.in_base_units() is base


def test_units_may_be_left_out_or_mixed_and_stand_between_semicolons(tmp_path):
    (tmp_path / "b.csv").write_text("time;a;b;c\ns;deg;rad;\n0,5;180;1,5;7\n")
    table = cd.read_table(tmp_path / "b.csv")
    assert table.column_units == ("s", "deg", "rad", "") and table.in_degrees is None and table.units is None
    np.testing.assert_allclose(table.in_base_units().values, [[0.5, np.pi, 1.5, 7.0]])


@pytest.mark.parametrize("line", ["deg,two", "1,deg", "left,right"])
def test_another_line_of_words_is_no_line_of_units(tmp_path, line):
    (tmp_path / "c.csv").write_text(f"a,b\n{line}\n1,2\n")
    with pytest.raises(BadFile, match=r"c\.csv, line 2, column '[ab]': expected a number"):
        cd.read_table(tmp_path / "c.csv")


def test_units_without_numbers_are_refused(tmp_path):
    (tmp_path / "d.csv").write_text("a,b\nm,s\n")
    with pytest.raises(BadFile, match="at least one line of numbers after that of units"):
        cd.read_table(tmp_path / "d.csv")
    with pytest.raises(BadShape, match="a unit for each column"):
        cd.Table(("a", "b"), np.zeros((1, 2)), column_units=("m",))


def test_a_motion_of_a_model_is_in_radians_and_metres(tmp_path):
    """Oracle: the same motion saved by condyle itself, in radians and metres."""
    b = cd.ModelBuilder().add_body("a", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1, (0, 0, 1)))
    b.add_body("b", "a", joint=cd.joints.prismatic("z"), inertia=cd.Inertia.point(1, (0, 0, 1)))
    (tmp_path / "m.csv").write_text("time,a,b\ns,deg,mm\n0,90,1000\n0.5,-45,-250\n")
    found = cd.load(tmp_path / "m.csv", model=b.build())
    np.testing.assert_allclose(found.q, [[np.pi / 2, 1.0], [-np.pi / 4, -0.25]])


def test_poses_take_units_of_the_line_and_of_names(tmp_path):
    """Oracle: a quarter turn about z at (1, 2, 3) m."""
    numbers = "0,0,90,1000,2000,3000\n"
    (tmp_path / "row.csv").write_text(f"rx,ry,rz,x,y,z\ndeg,deg,deg,mm,mm,mm\n{numbers}")
    (tmp_path / "names.csv").write_text(f"rx,ry,rz,x [mm],y [mm],z [mm]\n{numbers}")
    for name, said in (("row.csv", {}), ("names.csv", {"units": "deg"})):
        found = read_poses(tmp_path / name, angles=["rx", "ry", "rz"], sequence="XYZ", **said).poses[0]
        np.testing.assert_allclose(found, [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], atol=1e-12)
    q = read_poses(tmp_path / "row.csv", angles=["rx", "ry", "rz"], sequence="XYZ", coordinates="rz").coordinates
    np.testing.assert_allclose(q, [np.pi / 2])


def test_positions_in_two_units_are_refused(tmp_path):
    (tmp_path / "e.csv").write_text("qw,qx,qy,qz,x,y,z\n,,,,mm,mm,m\n1,0,0,0,1,2,3\n")
    with pytest.raises(BadFile, match=r"different units.*'x': 'mm'.*'z': 'm'"):
        read_poses(tmp_path / "e.csv")


@pytest.mark.parametrize("suffix", [".csv", ".sto"])
def test_a_compressed_table_is_opened(tmp_path, suffix):
    """Oracle: the same file as it is."""
    table = cd.Table(("time", "knee"), [[0.0, 10.0], [0.1, 12.0]], in_degrees=False)
    plain = cd.write_table(table, tmp_path / f"w{suffix}")
    packed = tmp_path / f"w{suffix}.GZ"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    np.testing.assert_array_equal(cd.read_table(packed).values, cd.read_table(plain).values)
    assert cd.read_table(packed).in_degrees == cd.read_table(plain).in_degrees


def test_what_a_compressed_file_unpacks_to_is_bounded(tmp_path, monkeypatch):
    """Oracle: a megabyte of zeros in a kilobyte, with a bound of ten kilobytes for both."""
    from condyle.formats import safe_files

    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"0" * 10**6))
    with pytest.raises(BadFile, match=r"bomb\.csv\.gz: it unpacks to more bytes than condyle reads \(10000\)"):
        safe_files.read_bytes(tmp_path / "bomb.csv.gz", 10_000)


def test_broken_and_other_compressed_files_are_refused_in_words(tmp_path):
    whole = gzip.compress(b"time,a\n0,1\n" * 50)
    for name, data in (("cut.csv.gz", whole[:-12]), ("text.csv.gz", b"time,a\n0,1\n")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BadFile, match=rf"{name}: not a whole \.gz file"):
            cd.read_table(tmp_path / name)
    (tmp_path / "leg.toml.gz").write_bytes(whole)
    with pytest.raises(BadFile, match=r"not read compressed; unpack it first: gunzip -k leg\.toml\.gz"):
        cd.load(tmp_path / "leg.toml.gz")


def test_a_path_from_home_is_found(tmp_path, monkeypatch):
    """Oracle: the environment says where home is; a file that is called ~x stays what it is."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    table = cd.Table(("time", "knee"), [[0.0, 10.0]])
    assert cd.write_table(table, "~/w.csv") == tmp_path / "w.csv"
    assert cd.read_table(Path("~/w.csv"))["knee"].tolist() == [10.0]
    cd.write_table(table, "~x.csv")
    assert (tmp_path / "~x.csv").is_file() and cd.read_table("~x.csv")["knee"].tolist() == [10.0]
