"""One mechanism written for several engines, and their states translated."""
