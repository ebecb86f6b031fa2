"""Bodies on surfaces: rolling, rocking, and surfaces that move or give way."""
