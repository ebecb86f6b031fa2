"""Files that were cut off anywhere: refused, warned of, or read as if they were whole because nothing is missing."""

import json
import warnings

import numpy as np
import pytest
from click.testing import CliRunner

import condyle as cd
from condyle.cli.commands.info import command as info
from condyle.errors import BadFile, CondyleWarning

RNG = np.random.default_rng(0)
ROWS = np.column_stack([np.arange(6) / 50, RNG.normal(size=(6, 3))])


def fixed(row):
    return "\t".join(f"{x:.6f}" for x in row)


def shortest(row):
    return "\t".join(repr(float(x)) for x in row)


def storage(write):
    head = "n\nversion=1\nnRows=6\nnColumns=4\ninDegrees=no\nendheader\ntime\ta\tb\tc\n"
    return head + "".join(write(row) + "\n" for row in ROWS)


def markers(write):
    head = (
        "PathFileType\t4\nDataRate\tNumFrames\tNumMarkers\tUnits\n50\t6\t1\tmm\nFrame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n\n"
    )
    return head + "".join(f"{k + 1}\t{write(row)}\n" for k, row in enumerate(ROWS))


def capture(write):
    head = "HIERARCHY\nROOT a\n{ OFFSET 0 0 0 CHANNELS 4 Xposition Yposition Zposition Zrotation }\nMOTION\n"
    return f"{head}Frames: 6\nFrame Time: 0.02\n" + "".join(write(row).replace("\t", " ") + "\n" for row in ROWS)


def simm(write):
    head = "name n\ndatacolumns 4\ndatarows 6\nrange 0 1\nendheader\ntime\ta\tb\tc\n"
    return head + "".join(write(row) + "\n" for row in ROWS)


def table(write):
    return "time,a,b,c\n" + "".join(write(row).replace("\t", ",") + "\n" for row in ROWS)


FILES = {
    f"{kind.__name__}, {write.__name__} digits": (suffix, kind(write))
    for suffix, kind in ((".sto", storage), (".mot", simm), (".trc", markers), (".bvh", capture), (".csv", table))
    for write in (fixed, shortest)
}


def outcome(path, whole):
    """One of refused, warned, whole and other content."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = cd.read_table(path)
        except BadFile:
            return "refused"
    if found.names == whole.names and np.array_equal(found.values, whole.values):
        return "whole"
    return "warned" if any("cut off" in str(w.message) for w in caught) else "other content"


@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
@pytest.mark.parametrize(("suffix", "text"), FILES.values(), ids=FILES)
def test_no_cut_is_read_as_other_content_without_a_word(suffix, text, tmp_path):
    """Oracle: the whole file; every place is cut.

    A CSV that ends with a line (or the sixteenth digit of its last number) has nothing that tells how long it was.
    """
    path = tmp_path / f"x{suffix}"
    path.write_text(text)
    whole = cd.read_table(path)
    for end in range(len(text)):
        path.write_text(text[:end])
        found = outcome(path, whole)
        line_end = text[:end].endswith("\n") or len(text[end:].partition("\n")[0]) <= 1
        assert found != "other content" or (suffix == ".csv" and line_end), repr(text[:end][-60:])


@pytest.mark.parametrize(("suffix", "text"), [f for name, f in FILES.items() if "fixed" in name])
def test_what_is_whole_of_a_cut_file_can_be_read(suffix, text, tmp_path):
    """Oracle: the rows before the cut."""
    path = tmp_path / f"x{suffix}"
    path.write_text(text[: text.rindex("\n", 0, -1) + 15])
    with pytest.raises(BadFile, match=r"cut off.*truncated='warn'"):
        cd.read_table(path)
    with pytest.warns(CondyleWarning, match="cut off"):
        found = cd.read_table(path, truncated="warn")
    np.testing.assert_allclose(found.values[:, -3:], ROWS[:5, 1:], atol=1e-6)


def test_a_last_number_written_like_the_others_is_whole(tmp_path):
    """Oracle: no warning for a file whose last line has no end and all its digits."""
    (tmp_path / "x.sto").write_text(storage(fixed)[:-1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(cd.read_table(tmp_path / "x.sto")) == 6


@pytest.mark.parametrize(
    ("suffix", "text"), [f for name, f in FILES.items() if "fixed" in name and f[0] in (".sto", ".mot", ".trc")]
)
def test_one_row_less_than_the_header_says_is_read_with_a_warning(suffix, text, tmp_path):
    """Oracle: the five rows that are there; two less are refused, and so is one if asked strictly."""
    path = tmp_path / f"x{suffix}"
    path.write_text(text[: text.rindex("\n", 0, -1) + 1])
    with pytest.warns(CondyleWarning, match=r"6.*5 rows"):
        found = cd.read_table(path)
    np.testing.assert_allclose(found.values, ROWS[:5], atol=1e-6)
    with pytest.raises(BadFile, match="strict"):
        cd.read_table(path, strict=True)
    path.write_text(text[: text.rindex("\n", 0, text.rindex("\n", 0, -1)) + 1])
    with pytest.raises(BadFile, match="cut off"):
        cd.read_table(path)


def test_the_command_line_reads_what_is_whole_if_asked(tmp_path):
    """Oracle: the four rows that are there."""
    lines = storage(fixed).splitlines(keepends=True)
    (tmp_path / "x.sto").write_text("".join(lines[:-2]))
    said = CliRunner().invoke(info, [str(tmp_path / "x.sto"), "--truncated", "warn", "--json"])
    assert json.loads(said.stdout)["records"] == 4
    with pytest.raises(BadFile, match="cut off"):
        cd.read_table(tmp_path / "x.sto")
