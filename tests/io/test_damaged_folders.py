"""Damaged folders of runs and ensembles: a named error, or what was computed; resumed, they are whole again."""

import json
import os
import random

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, DamagedRecords
from support.damaged_folders import KINDS, Case, count_outcomes, line, parabola, same, without_checksums

COUNT = int(os.environ.get("CONDYLE_FUZZ", "5000")) // 5  # of each of the blocks
SHARES = {"run": 2, "skeleton run": 3, "ensemble": 5}  # blocks: 5,000 folders of runs and 5,000 of ensembles


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """Sound folders of every kind."""
    return {kind: Case(kind, tmp_path_factory.mktemp("records") / "kept") for kind in KINDS}


@pytest.fixture(params=KINDS)
def case(request, cases):
    yield cases[request.param]
    cases[request.param].restore()


def flipped(data, where, bit=0):
    return data[:where] + bytes([data[where] ^ (1 << bit)]) + data[where + 1 :]


def test_some_damaged_folders_are_refused_left_out_or_the_same(case):
    """Oracle: the numbers of the sound folder, bit by bit, and the class of errors."""
    counts = count_outcomes(case, 60, seed=7, resumed=20)
    assert counts["refused"] > 10 and counts["mended"] == 3


def test_damaged_folders_without_checksums_come_to_named_errors(tmp_path):
    """Oracle: the class of errors; their numbers cannot be told from damaged ones."""
    for kind in KINDS:
        old = Case(kind, tmp_path / kind)
        without_checksums(old.folder)
        old.files = {name: (old.folder / name).read_bytes() for name in old.files if (old.folder / name).exists()}
        counts = count_outcomes(old, 60, seed=8, checked=False, resumed=10**6)
        assert counts["refused"] > 10


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind in KINDS for seed in range(SHARES[kind])])
def test_damaged_folders_are_refused_left_out_or_the_same(kind, seed, cases):
    """Oracle: as above; 10,000 folders in ten blocks."""
    counts = count_outcomes(cases[kind], COUNT, seed, resumed=20)
    assert counts["refused"] > COUNT / 5 and counts["mended"] >= 0.9 * (COUNT // 20)


def test_a_flipped_bit_in_any_number_of_a_chunk_is_named_and_computed_again(cases):
    """Oracle: the numbers before, bit by bit, and the names of the files."""
    for kind in ("run", "skeleton run"):
        case, rng = cases[kind], random.Random(3)
        for name in sorted(n for n in case.files if n.endswith(".npy")):
            where = 128 + rng.randrange(np.load(case.folder / name).nbytes)  # behind the header
            (case.folder / name).write_bytes(flipped(case.files[name], where, rng.randrange(8)))
            with pytest.raises(BadFile, match=name):
                case.numbers(case.open())
            with pytest.warns(DamagedRecords, match=name):
                assert same(case.numbers(case.make()), case.made)
            assert same(case.numbers(case.open()), case.made)
            case.restore()


def test_only_the_damaged_chunk_is_computed_again(cases):
    """Oracle: the times at which files were written; the records before and behind it can be read."""
    case = cases["run"]
    (case.folder / "chunk-000001.npy").write_bytes(flipped(case.files["chunk-000001.npy"], 200))
    np.testing.assert_array_equal(case.open().part(0, 3).q, case.made["q"][:, :3])
    np.testing.assert_array_equal(case.open().part(5).q, case.made["q"][:, 5:])
    before = {p.name: p.stat().st_mtime_ns for p in case.folder.iterdir()}
    with pytest.warns(DamagedRecords):
        case.make()
    after = {p.name: p.stat().st_mtime_ns for p in case.folder.iterdir() if p.name in before}
    changed = {name for name in after if after[name] != before[name] and name.startswith("chunk")}
    assert changed == {"chunk-000001.npy", "chunk-000001.end.npz"}
    assert all((case.folder / name).read_bytes() == data for name, data in case.files.items())
    case.restore()


def test_members_of_a_damaged_file_are_missing_and_not_others(tmp_path):
    """Oracle: 2 + x² of the members that are in whole files, NaN for the rest."""
    cd.ensemble(parabola, line(), record_to=tmp_path / "run")
    path = max((tmp_path / "run").glob("members-*.npz"))
    with np.load(path) as found:
        arrays = dict(found)
    lost = arrays["members"].copy()
    np.savez(path, **{**arrays, "members": 0 * lost})
    expected = 2.0 + np.arange(6.0) ** 2
    with pytest.warns(DamagedRecords, match=path.name):
        opened = cd.ensembles.open_ensemble(tmp_path / "run")
    np.testing.assert_array_equal(opened["y"], np.where(np.isin(np.arange(6), lost), np.nan, expected))
    assert opened.missing == tuple(lost.tolist()) and len(lost) > 1
    with pytest.warns(DamagedRecords, match=path.name):
        found = cd.ensemble(parabola, line(), record_to=tmp_path / "run", resume=True)
    np.testing.assert_array_equal(found["y"], expected)
    np.testing.assert_array_equal(cd.ensembles.open_ensemble(tmp_path / "run")["y"], expected)


def test_a_folder_without_checksums_is_read_and_resumed_with_a_warning(case):
    """Oracle: the numbers before, bit by bit."""
    without_checksums(case.folder)
    with pytest.warns(cd.errors.CondyleWarning, match="without checksums"):
        assert same(case.numbers(case.open()), case.made)
    with pytest.warns(cd.errors.CondyleWarning, match="without checksums"):
        assert same(case.numbers(case.make()), case.made)


def test_a_damaged_manifest_is_named_and_written_again(case):
    """Oracle: the numbers before; a chunk of other inputs is not taken for one of these."""
    path = case.folder / "manifest.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "inputs": {}}))
    with pytest.raises(BadFile, match=r"manifest\.json"):
        case.open()
    with pytest.warns(DamagedRecords, match=r"manifest\.json"):
        assert same(case.numbers(case.make()), case.made)
    assert json.loads(path.read_text()) == content
    path.unlink()
    assert same(case.numbers(case.make()), case.made)


def test_a_manifest_of_another_program_stays(tmp_path):
    """Oracle: its bytes."""
    for text in ('{"name": "an app", "version": 3}', "{not JSON"):
        (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(BadFile, match=r"manifest\.json"):
            cd.ensemble(parabola, line(), record_to=tmp_path, resume=True)
        assert (tmp_path / "manifest.json").read_text() == text


def test_records_of_another_run_do_not_count(tmp_path):
    """Oracle: the function itself, where the folder has results of another one and no manifest."""
    cd.ensemble(lambda p: {"y": -1.0, "curve": np.zeros(3)}, line(), record_to=tmp_path / "run")
    (tmp_path / "run" / "manifest.json").unlink()
    with pytest.warns(DamagedRecords):
        found = cd.ensemble(parabola, line(), record_to=tmp_path / "run", resume=True)
    np.testing.assert_array_equal(found["y"], 2.0 + np.arange(6.0) ** 2)
