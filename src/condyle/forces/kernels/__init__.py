"""Laws of forces as kernels, what declares them, and what chooses among them."""
