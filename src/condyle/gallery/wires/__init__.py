"""Bodies that slide along curves: an ellipse, a flower, coastlines, a corner."""
