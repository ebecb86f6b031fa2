"""Files that would take hours or all memory are refused before they are read, with the bound in the words."""

import zipfile

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.formats import archive, bounds
from condyle.gallery import leg
from condyle.io import toml_text
from condyle.io.toml_text import parse_toml

JOINT = 'condyle = 1\nkind = "joint"\n[joint]\n'


def zeros_npz(path, **sizes):
    """An .npz of compressed zeros."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for name, size in sizes.items():
            with out.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array_header_1_0(file, {"descr": "|u1", "fortran_order": False, "shape": (size,)})
                for _ in range(size // 2**24):
                    file.write(bytes(2**24))


def test_an_npz_whose_kind_unpacks_to_very_much_is_refused(tmp_path):
    """Oracle: 64 MiB of zeros in a few kB, called a word."""
    zeros_npz(path := tmp_path / "run.npz", kind=2**26)
    assert path.stat().st_size < 2**20
    with pytest.raises(BadFile, match=r"kind unpacks to 671089\d\d bytes, more than the 1024 of a word"):
        cd.load(path)


def test_an_npz_that_unpacks_to_more_than_is_read_is_refused(tmp_path, monkeypatch):
    """Oracle: the bound; the same numbers as they are, not compressed, are read."""
    monkeypatch.setattr(archive, "UNPACKED", 10_000)
    arrays = {
        "condyle": 1,
        "kind": "trajectory",
        "t": np.arange(2000.0),
        "q": np.zeros((2000, 3)),
        "v": np.zeros((2000, 3)),
    }
    np.savez_compressed(path := tmp_path / "run.npz", **arrays)
    with pytest.raises(BadFile, match=r"11\d{4} bytes unpacked are more than the 10000 that condyle reads"):
        cd.load(path, model=leg())
    np.savez(path, **arrays)
    assert len(cd.load(path, model=leg()).t) == 2000


def rewritten(path, name, data):
    """An .npz with one member replaced by bytes."""
    with zipfile.ZipFile(path) as source:
        kept = {n: source.read(n) for n in source.namelist()}
    with zipfile.ZipFile(path, "w") as out:
        for n, content in (kept | {name: data}).items():
            out.writestr(n, content)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}",
            "t.npy is said to have 8000000000000 bytes",
        ),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -4)}", "not an .npz file"),
        ("{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000000,)}", "t.npy has elements of no size"),
        ("{'descr': '|O', 'fortran_order': False, 'shape': (4,)}", "allow_pickle"),
    ],
)
def test_an_array_that_lies_about_its_size_is_refused(header, words, tmp_path):
    """Oracle: the header written by hand, 32 bytes of numbers behind it."""
    path = tmp_path / "run.npz"
    np.savez(path, condyle=1, kind="trajectory", t=np.arange(4.0), q=np.zeros((4, 1)), v=np.zeros((4, 1)))
    text = header.ljust(117).encode() + b"\n"
    rewritten(path, "t.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(32))
    with pytest.raises(BadFile, match=words):
        cd.load(path)


def test_an_npz_of_very_many_arrays_is_refused(tmp_path):
    """Oracle: the number."""
    path = tmp_path / "run.npz"
    with zipfile.ZipFile(path, "w") as out:
        for k in range(bounds.MEMBERS + 1):
            out.writestr(f"a{k}.npy", b"")
    with pytest.raises(BadFile, match=f"{bounds.MEMBERS + 1} arrays are more than the {bounds.MEMBERS}"):
        cd.load(path)
    with zipfile.ZipFile(path, "w") as out:
        for k in range(100):
            out.writestr(f"{k:050000}.npy", b"")
    with pytest.raises(BadFile, match=f"table of contents of .* more than the {bounds.DIRECTORY}"):
        cd.load(path)


def test_joint_files_that_include_each_other_are_refused(tmp_path):
    """Oracle: the names; each file is read once, though 16^8 ways lead through them."""
    many = ", ".join(['{ type = "file", path = "NEXT" }'] * 16)
    for k in range(8):
        text = f'type = "compose"\njoints = [{many}]\n'.replace("NEXT", f"{(k + 1) % 8}.toml")
        (tmp_path / f"{k}.toml").write_text(JOINT + text)
    with pytest.raises(BadFile, match=r"joint files that include each other in a circle; got path = '0\.toml'"):
        cd.load(tmp_path / "0.toml")
    (tmp_path / "7.toml").write_text(JOINT + 'type = "weld"\n')
    with pytest.raises(BadFile, match=f"a joint made of more than {bounds.JOINTS} joint files; got path = '5.toml'"):
        cd.load(tmp_path / "0.toml")


def test_a_chain_of_joint_files_is_followed_so_far(tmp_path):
    """Oracle: the joint at its end, and the bound."""
    for k in range(20):
        (tmp_path / f"{k}.toml").write_text(JOINT + f'type = "file"\npath = "{k + 1}.toml"\n')
    (tmp_path / "8.toml").write_text(JOINT + 'type = "ball"\n')
    assert cd.load(tmp_path / "0.toml").title == "ball"
    (tmp_path / "8.toml").write_text(JOINT + 'type = "file"\npath = "9.toml"\n')
    with pytest.raises(BadFile, match=f"more than {bounds.INCLUDED} deep"):
        cd.load(tmp_path / "0.toml")


BOMBS = {
    "brackets": ("a = " + "[" * 20_000, "20000 deep, more than 100"),
    "header": (f"[{'.'.join('a' * 20_000)}]", "a key with more than 100 dots"),
    "dotted": (".".join("a" * 20_000) + " = 1", "a key with more than 100 dots"),
    "quoted": (".".join(['"a"'] * 2_000) + " = 1", "a key with more than 100 dots"),
    "spaced": (" . ".join(["a"] * 2_000) + " = 1", "a key with more than 100 dots"),
    "tables": ("a = " + "{ a.a.a.a.a.a.a.a = " * 50 + "1" + " }" * 50, "more than 100 deep"),
    "keys": ("".join(f"k{k} = 1\n" for k in range(1_000_000)), "1000000 keys and tables are more than the 500000"),
    "headers": ("".join(f"[t{k}]\n" for k in range(600_000)), "600000 keys and tables are more than the 500000"),
    "values": ("a = [" + "1," * 6_000_000 + "]", "6000000 values in lists are more than the 5000000"),
    "behind a string": ('a = ["""x"""", ' + "1," * 6_000_000 + "]", "6000001 values in lists"),
    "digits": ("condyle = " + "1" * 5_000, "not valid TOML"),
    "hexadecimal": ("condyle = 0x" + "f" * 5_000, "version a value of type int that cannot be printed is newer"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_toml_beyond_a_bound_is_refused(name, tmp_path):
    """Oracle: the bound and the number that was found."""
    text, words = BOMBS[name]
    (path := tmp_path / "bomb.toml").write_text(text)
    with pytest.raises(BadFile, match=words):
        cd.load(path)


def test_very_many_unknown_keys_are_counted_and_a_few_are_said(tmp_path):
    """Oracle: the count; 25 lines of them."""
    path = tmp_path / "m.toml"
    path.write_text(JOINT + 'type = "ball"\n' + "".join(f"k{k} = 1\n" for k in range(20_000)))
    with pytest.raises(BadFile, match=r"20000 errors\n") as caught:
        cd.load(path)
    said = str(caught.value)
    assert said.count("unknown key") == 25 and said.endswith("… and 19975 more")


@pytest.mark.parametrize(
    "where", ["angle = 0xF", "axis = [0xF, 0, 0]", "axis = 'x'\n0xF = 1", "axis = 'x'\nname = 0xF"]
)
def test_an_integer_of_very_many_digits_is_refused_anywhere(where, tmp_path):
    """Oracle: the class and the file's name; Python prints no integer of 5,000 digits."""
    path = tmp_path / "j.toml"
    path.write_text(JOINT + f'type = "revolute"\n{where}\n'.replace("0xF", "0x" + "F" * 5_000))
    with pytest.raises(BadFile, match=r"j\.toml"):
        cd.load(path)


def test_very_long_names_are_cut_in_words(tmp_path):
    """Oracle: the length of what is said."""
    path = tmp_path / "j.toml"
    for text in ("x" * 10**6 + " = 1", f'type = "{"x" * 10**6}"', f'type = "ball"\n"{"x" * 10**6}" = 1'):
        path.write_text(JOINT + text)
        with pytest.raises(BadFile) as caught:
            cd.load(path)
        assert len(str(caught.value)) < 3000


def test_a_text_of_more_bytes_than_are_read_is_refused(tmp_path):
    """Oracle: a file of zeros that take no place on the disk."""
    path = tmp_path / "m.toml"
    with path.open("wb") as file:
        file.truncate(bounds.FILE + 1)
    with pytest.raises(BadFile, match=f"{bounds.FILE + 1} bytes are more than condyle reads .{bounds.FILE}"):
        cd.load(path)


def test_what_is_written_can_be_read_again(tmp_path, monkeypatch):
    """Oracle: the bound: a model whose text would have too many keys is not written."""
    monkeypatch.setattr(toml_text, "KEYS", 500)
    b = cd.ModelBuilder()
    shapes = [cd.shapes.sphere(0.1)] * 200
    b.add_body("a", joint=cd.joints.ball(), inertia=cd.Inertia.sphere(1.0, 0.1), shapes=shapes)
    with pytest.raises(BadFile, match="keys and tables are more than the 500"):
        cd.save(b.build(), tmp_path / "m.toml")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("quotes", ['"' * 3, "'" * 3])
def test_strings_end_where_toml_says(quotes):
    """Oracle: Python's own parser, on strings that end with one to five quotes; what follows is counted."""
    q = quotes[0]
    for more in range(3):
        text = f"a = {quotes}{q * (more and 1)}x{q * more}{quotes}\nb = 1 # {quotes}\nc = 'it' # '\nd = \"\\\"\""
        assert set(parse_toml(text, "text")) == {"a", "b", "c", "d"}
