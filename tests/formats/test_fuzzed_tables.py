"""Damaged tables of every kind: a named error or a table whose parts agree; never a traceback."""

import random

import numpy as np
import pytest

import condyle as cd
from support.damage import mutated
from support.storage_headers import BODY, COUNTS, SIMM

COUNT = 1500
SEEDS = [
    (".sto", f"n\nversion=1\n{COUNTS}inDegrees=yes\nendheader\n{BODY}"),
    (".sto", "DataType=Quaternion\nversion=3\nendheader\ntime\tp\tq\n0\t1,0,0,0\t0,1,0,0\n1\t1,0,0,0\t0,0,1,0\n"),
    (".mot", f"{SIMM}Angles are in degrees.\nendheader\n{BODY}"),
    (".csv", "time;a;b\n0,5;1,25;3\n1;2;4\n"),
    (".csv", "# by hand\ntime,a,a\n0.5,1.25,3\n1,2,4\n"),
    (".trc", "PathFileType\t4\nDataRate\tNumFrames\tNumMarkers\tUnits\n10\t2\t2\tmm\n"
             "Frame#\tTime\tA\t\t\tB\n\t\tX1\tY1\tZ1\n1\t0\t1\t2\t3\t4\t5\t6\n2\t0.1\t1\t2\t3\n"),
    (".bvh", "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 2 Xposition Zrotation End Site { OFFSET 1 0 0 } }\n"
             "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2\n3 4\n"),
]  # fmt: skip


def read(path):
    """The table, or the words of the error."""
    try:
        return cd.read_table(path)
    except cd.CondyleError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
def test_damaged_tables_are_refused_in_words_or_tables(tmp_path):
    """Oracle: the class of the error, which names the file; the shape of what comes out."""
    rng, outcomes = random.Random(0), {"refused": 0, "table": 0}
    for k in range(COUNT):
        suffix, text = SEEDS[k % len(SEEDS)]
        path = tmp_path / f"x{suffix}"
        path.write_bytes(mutated(text.encode(), rng))
        table = read(path)
        outcomes["table" if isinstance(table, cd.Table) else "refused"] += 1
        if not isinstance(table, cd.Table):
            assert path.name in table
            continue
        assert len(set(table.names)) == len(table.names) == len(table.widths)
        assert table.values.shape == (len(table), sum(table.widths)) and table.values.dtype == np.float64
        assert str(path) in repr(table)
    assert min(outcomes.values()) > COUNT / 20, outcomes
