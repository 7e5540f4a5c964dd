"""Linear algebra that systems share."""
