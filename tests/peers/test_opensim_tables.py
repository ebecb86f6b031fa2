"""Tables as OpenSim reads and writes them."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import condyle as cd
from support.laboratory import FILES, needs_files
from support.storage_headers import BODY, DEGREES, SILENT

opensim = pytest.importorskip("opensim")
pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")]


@pytest.fixture(autouse=True, scope="module")
def quiet():
    opensim.Logger.setLevelString("Off")


@pytest.mark.parametrize(("name", "head", "degrees"), [*DEGREES, *SILENT])
def test_degrees_are_what_opensim_takes_them_for(name, head, degrees, tmp_path):
    """Oracle: `Storage.isInDegrees`."""
    (tmp_path / name).write_text(f"{head}endheader\n{BODY}")
    assert opensim.Storage(str(tmp_path / name)).isInDegrees() == bool(degrees)


@needs_files
@pytest.mark.parametrize("path", [p for p in FILES if p.suffix in (".sto", ".mot")], ids=lambda p: p.name)
def test_storage_files_are_those_of_opensim(path):
    """Oracle: `Storage`: names, times, numbers, degrees. Body kinematics are in degrees against their own header."""
    theirs, ours = opensim.Storage(str(path)), cd.read_table(path)
    labels = theirs.getColumnLabels()
    assert ours.names == tuple(labels.get(k) for k in range(labels.getSize()))
    for row in range(theirs.getSize()):
        state = theirs.getStateVector(row)
        data = state.getData()
        assert_array_equal(ours.values[row], [state.getTime(), *(data.get(k) for k in range(data.getSize()))])
    assert bool(ours.in_degrees) == theirs.isInDegrees() or "body_kinematics" in path.name


@needs_files
@pytest.mark.parametrize("path", [p for p in FILES if p.suffix == ".trc"], ids=lambda p: p.name)
def test_markers_are_those_of_opensim(path):
    """Oracle: `TimeSeriesTableVec3`."""
    theirs, ours = opensim.TimeSeriesTableVec3(str(path)), cd.read_table(path)
    assert ours.names[1:] == tuple(theirs.getColumnLabels())
    assert_array_equal(ours.times, theirs.getIndependentColumn())
    for row in range(theirs.getNumRows()):
        mine = ours.values[row, 1:].reshape(-1, 3)
        found = theirs.getRowAtIndex(row)
        assert_array_equal(mine, [[found[k][i] for i in range(3)] for k in range(len(mine))])


def test_what_opensim_writes_is_read(tmp_path):
    """Oracle: the table that was given to OpenSim, written as TRC and as STO of vectors."""
    values = np.random.default_rng(0).normal(size=(3, 2, 3))
    table = opensim.TimeSeriesTableVec3()
    table.setColumnLabels(["A", "B"])
    for row, t in zip(values, (0.0, 0.5, 1.0), strict=True):
        table.appendRow(t, opensim.RowVectorVec3([opensim.Vec3(*map(float, point)) for point in row]))
    table.addTableMetaDataString("DataRate", "2")
    table.addTableMetaDataString("Units", "m")
    opensim.TRCFileAdapter.write(table, str(tmp_path / "x.trc"))
    opensim.STOFileAdapterVec3.write(table, str(tmp_path / "x.sto"))
    for name in ("x.trc", "x.sto"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = cd.read_table(tmp_path / name)
        assert found.vectors == ("A", "B") and found.units == "m"
        assert_array_equal(found.times, [0, 0.5, 1])
        assert np.abs(found.columns(["A", "B"]).reshape(3, 2, 3) - values).max() < 1e-13
