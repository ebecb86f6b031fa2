"""Motions in files: trajectories, torques, motions of skeletons, recorded runs."""
