"""How a model is laid out in the arrays that kernels read."""
