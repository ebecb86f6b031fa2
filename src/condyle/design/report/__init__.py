"""What a fit is told as: advice, figures, an HTML page."""
