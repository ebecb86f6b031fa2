"""Static optimisation of a walking trial, in condyle and by OpenSim's tool."""

import warnings

import numpy as np
import pytest

import condyle as cd
from support.opensim_trials import In, laid_out, needs_trials

osim = pytest.importorskip("opensim")

pytestmark = [pytest.mark.peers, needs_trials]

SPAN, RESERVE = (0.8, 0.9), 10.0
SETUP = """<?xml version="1.0"?><OpenSimDocument Version="40000"><AnalyzeTool name="effort">
<model_file>reserved.osim</model_file><replace_force_set>false</replace_force_set>
<results_directory>results</results_directory><initial_time>{0}</initial_time><final_time>{1}</final_time>
<AnalysisSet><objects><StaticOptimization name="StaticOptimization"><on>true</on><start_time>{0}</start_time>
<end_time>{1}</end_time><step_interval>1</step_interval><use_model_force_set>true</use_model_force_set>
<activation_exponent>2</activation_exponent><use_muscle_physiology>true</use_muscle_physiology></StaticOptimization>
</objects></AnalysisSet><coordinates_file>reference_subject01_walk1_ik.mot</coordinates_file>
<external_loads_file>subject01_walk1_grf.xml</external_loads_file>
<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates></AnalyzeTool></OpenSimDocument>
"""


def reserved(path):
    """The model with a reserve actuator on every coordinate."""
    model = osim.Model(str(path))
    for k in range(model.getNumCoordinates()):
        name = model.getCoordinateSet().get(k).getName()
        reserve = osim.CoordinateActuator(name)
        reserve.setName(f"{name}_reserve")
        reserve.setOptimalForce(RESERVE)
        reserve.setMinControl(-1000.0)
        reserve.setMaxControl(1000.0)
        model.addForce(reserve)
    return model


@pytest.mark.slow
def test_the_effort_of_a_walking_trial_is_that_of_opensim_s_tool(tmp_path):
    """Oracle: OpenSim's static optimisation of gait2354 with ground reactions and reserves; it stops at 1e-4 of a sum,
    so ours may not be larger than its own by more."""
    osim.Logger.setLevelString("Off")
    folder = laid_out(tmp_path, "gait2354")
    file = folder / "reference_subject01_simbody.osim"
    with In(folder):
        reserved(file).printToXML("reserved.osim")
        (folder / "setup.xml").write_text(SETUP.format(*SPAN))
        osim.AnalyzeTool("setup.xml").run()
    there = cd.read_table(folder / "results" / "effort_StaticOptimization_activation.sto")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        model = cd.load(file)
        loads = cd.trial.read_external_loads(folder / "subject01_walk1_grf.xml")
        found = cd.trial.analyze_muscles(model, folder / "reference_subject01_walk1_ik.mot", loads=loads, cutoff=6.0,
                                         span=SPAN, reserves=RESERVE)  # fmt: skip
    effort = found.optimization
    rows = [int(np.abs(found.times - t).argmin()) for t in there.times]
    assert np.abs(found.times[rows] - there.times).max() < 1e-6
    names = list(effort.names)
    columns = [k for k, label in enumerate(there.names) if label in names]
    order = [names.index(there.names[k]) for k in columns]
    ours, theirs = effort.activation[rows][:, order], there.values[:, columns]
    assert len(order) == 54
    assert np.abs(ours - theirs).max() < 5e-3
    assert np.sqrt(((ours - theirs) ** 2).mean()) < 1e-3
