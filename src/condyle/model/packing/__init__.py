"""A model, and the members of a batch, as the arrays that kernels read."""
