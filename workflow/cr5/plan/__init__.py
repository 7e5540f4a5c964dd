"""What to run: configuration, catalogue of systems and tasks, the matrix."""
