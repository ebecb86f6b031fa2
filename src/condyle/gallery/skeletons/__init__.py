"""Skeletons in maximal coordinates, each as a scene."""
