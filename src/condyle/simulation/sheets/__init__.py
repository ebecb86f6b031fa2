"""Elastic sheets: B-spline surfaces whose control points have mass, stiffness and damping, and what glides on them."""
