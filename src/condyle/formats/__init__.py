"""Raw files to plain arrays and back; no knowledge of models."""
