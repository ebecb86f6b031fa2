"""Tables on the command line."""

import json

from condyle.cli.main import run

MOTION = "n\nnRows=2\nendheader\ntime\tknee\tty\n0\t10\t0.5\n0.1\t20\tnan\n"


def test_info_opens_a_table_without_a_model(tmp_path, capsys):
    """Oracle: the text of the file; the old motion is in degrees, with a warning as a sentence."""
    path = tmp_path / "x.mot"
    path.write_text(MOTION)
    assert run(["info", str(path), "--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["kind"] == "table" and found["records"] == 2 and found["angles"] == "degrees" and found["missing"] == 1
    assert found["columns"] == {"time": [0, 0.1], "knee": [10, 20], "ty": [0.5, 0.5]}
    assert said.err.startswith("warning: ") and "x.mot" in said.err and "sto.py" not in said.err


def test_info_of_a_table_that_is_cut_off_is_an_error_in_words(tmp_path, capsys):
    """Oracle: the exit code of a bad file."""
    path = tmp_path / "x.sto"
    path.write_text(MOTION.replace("nRows=2", "nRows=7"))
    assert run(["info", str(path)]) == 2
    assert "nRows 7" in capsys.readouterr().err
