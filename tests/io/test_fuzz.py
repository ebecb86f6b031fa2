"""Damaged files of every kind: a named error or a valid object; never a traceback, damage or the network."""

import os
import socket

import pytest

import condyle as cd
from support.damage import count_outcomes, sound
from support.seeds import LIMIT

COUNT = int(os.environ.get("CONDYLE_FUZZ", "10000"))  # of each of the ten blocks
SUFFIXES = {".toml", ".urdf", ".sdf", ".xml", ".osim", ".npz", ".csv", ".sto", ".mot", ".trc", ".bvh", ".gltf", ".glb"}


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Sound files; what must be compiled to load them is."""
    return sound(tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def known():
    """Outcomes of all blocks."""
    return {}


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a file opened a socket")

    monkeypatch.setattr(socket, "socket", refuse)


def test_there_are_sound_files_of_every_kind(sources):
    """Oracle: the suffixes; small, so that damage hits what matters."""
    assert all(len(data) < LIMIT for _, data, _ in sources)
    assert {suffix for suffix, _, _ in sources} == SUFFIXES and len(sources) >= 48


def test_some_damaged_files_are_refused_in_words_or_valid(sources, tmp_path):
    """Oracle: the kind of what comes out; the folder's other files; a socket that cannot be opened."""
    outcomes = count_outcomes(tmp_path, sources, 300, seed=1000)
    assert min(outcomes.values()) > 15, outcomes


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_damaged_files_are_refused_in_words_or_valid(seed, sources, known, tmp_path):
    """Oracle: as above; 100,000 files in ten blocks, those with the same bytes loaded once."""
    outcomes = count_outcomes(tmp_path, sources, COUNT, seed, known=known)
    assert min(outcomes.values()) > COUNT / 20, outcomes


def test_xml_bombs_are_refused(tmp_path):
    """Oracle: the words, and no time to expand a billion laughs."""
    entities = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10 if k else "ha"}">' for k in range(10))
    path = tmp_path / "bomb.urdf"
    path.write_text(f'<!DOCTYPE r [{entities}]><robot name="&a9;"/>')
    with pytest.raises(cd.CondyleError, match="a document type or entity is refused"):
        cd.load(path)
    path.write_text('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><robot name="&x;"/>')
    with pytest.raises(cd.CondyleError, match="a document type or entity is refused"):
        cd.load(path)
