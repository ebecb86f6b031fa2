"""Compiled forward and inverse kinematics of an arm on its elbow surface."""
