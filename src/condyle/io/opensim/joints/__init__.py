"""Joints of OpenSim as joints of condyle: coordinates, functions, spatial transforms."""
