"""Characters of motion capture: models and motions from BVH files, and back."""
