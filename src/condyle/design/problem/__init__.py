"""The least-squares problems of fits: residuals, penalties, derivatives."""
