"""Trajectories as tables of other programs."""
