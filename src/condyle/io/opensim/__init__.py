"""Models of OpenSim (.osim files, versions 10900 to 40600) without OpenSim."""
