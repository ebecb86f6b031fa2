"""What bodies look like, and what is drawn beside them; dynamics never sees it."""
