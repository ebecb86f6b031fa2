"""What is to be done with a trial, as setup files of OpenSim and TOML files say it."""
