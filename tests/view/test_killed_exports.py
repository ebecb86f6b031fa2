"""Exports that are killed: a file is the old one or the new one, whole."""

import subprocess
import sys
import time

import pytest

import condyle as cd

WHEN = (0.3, 0.6, 0.8, 0.9, 0.97)  # of the time that an undisturbed export takes


@pytest.mark.slow  # processes that are killed
@pytest.mark.parametrize("suffix", [".gif", ".html"])
def test_a_killed_export_leaves_the_old_file_or_the_new_one(suffix, tmp_path):
    """Oracle: the bytes of the old file and of an undisturbed export; nothing else is there in the end."""
    bob = cd.Inertia.sphere(1.0, 0.2, com=(0, 0, -1))
    model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    run, out = tmp_path / "run.npz", tmp_path / f"film{suffix}"
    cd.save(cd.simulate(model, [0.5], duration=2.0, record=0.05), run)
    command = [sys.executable, "-m", "condyle", "export", str(run), str(out)]
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    took, new = time.monotonic() - began, out.read_bytes()
    for part in WHEN:
        out.write_bytes(b"old")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(part * took)
        process.kill()
        process.wait()
        assert out.read_bytes() in (b"old", new)
    subprocess.run(command, check=True, capture_output=True)
    assert out.read_bytes() == new and sorted(p.name for p in tmp_path.iterdir()) == sorted([out.name, run.name])
