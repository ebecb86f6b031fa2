"""Joints from bones: articular surfaces of two meshes, where they touch, and the joint that moves them."""
