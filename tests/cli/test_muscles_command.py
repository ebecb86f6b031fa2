"""`condyle muscles`."""

import json

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import run


def arm_and_motion(folder):
    """A forearm with a flexor and an extensor, and a motion of it, as files."""
    b = cd.ModelBuilder().add_body(
        "arm", joint=cd.joints.revolute("z", name="elbow"), inertia=cd.Inertia.point(1.0, (0.3, 0, 0))
    )
    rigid = {"optimal_fiber_length": 0.1, "tendon_slack_length": 0.2}
    b.add_muscle("flexor", [(None, (0.05, 0.3, 0)), ("arm", (0.05, 0, 0))], **rigid)
    b.add_muscle("extensor", [(None, (-0.04, 0.3, 0)), ("arm", (-0.04, 0, 0))], **rigid)
    cd.save(b.build(), folder / "arm.toml")
    t = np.linspace(0, 1, 21)
    table = cd.Table(("time", "elbow"), np.column_stack([t, 0.2 * np.sin(3 * t)]), in_degrees=False)
    cd.write_table(table, folder / "swing.mot")


@pytest.mark.slow
def test_a_motion_becomes_tables_and_a_page(tmp_path, capsys):
    """Oracle: the functions of the library on the same motion."""
    arm_and_motion(tmp_path)
    files = [str(tmp_path / name) for name in ("arm.toml", "swing.mot")]
    assert run(["muscles", *files, "--reserve", "1"]) == 0
    assert "2 muscles in 21 frames" in capsys.readouterr().out
    folder = tmp_path / "muscles"
    page = (folder / "report.html").read_text()
    assert "<img" in page
    swept = json.loads(page.split('id="arms-data">')[1].split("</script>")[0])["coordinates"][0]
    assert swept["muscles"] == ["flexor", "extensor"]
    k = len(swept["x"]) // 4
    there = cd.muscles.moment_arms(cd.load(tmp_path / "arm.toml"), [np.radians(swept["x"][k])])[:, 0]
    np.testing.assert_allclose([arm[k] for arm in swept["arms"]], 1e3 * there, atol=2e-3)
    model = cd.load(tmp_path / "arm.toml")
    q = cd.load(tmp_path / "swing.mot", model=model).q
    lengths = cd.read_table(folder / "swing_MuscleAnalysis_Length.sto")
    assert lengths.names == ("time", "flexor", "extensor")
    np.testing.assert_allclose(lengths.values[:, 1:], cd.muscles.lengths(model, q), atol=1e-12)
    arms = cd.read_table(folder / "swing_MuscleAnalysis_MomentArm_elbow.sto")
    np.testing.assert_allclose(arms.values[:, 1:], cd.muscles.moment_arms(model, q)[..., 0], atol=1e-12)
    activation = cd.read_table(folder / "swing_StaticOptimization_activation.sto").values[:, 1:]
    assert ((activation >= 0.01) & (activation <= 1)).all()


def test_a_model_without_muscles_is_told(tmp_path, capsys):
    """Oracle: none; the words say what is missing."""
    arm_and_motion(tmp_path)
    b = cd.ModelBuilder().add_body(
        "arm", joint=cd.joints.revolute("z", name="elbow"), inertia=cd.Inertia.point(1.0, (0.3, 0, 0))
    )
    cd.save(b.build(), tmp_path / "bare.toml")
    assert run(["muscles", str(tmp_path / "bare.toml"), str(tmp_path / "swing.mot")]) == 2
    assert "muscles" in capsys.readouterr().err
