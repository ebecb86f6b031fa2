"""Compiled evaluation of joints: pose, Jacobian, Hessian."""
