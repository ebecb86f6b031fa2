"""Raw files to plain arrays and back."""
