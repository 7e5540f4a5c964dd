"""The jobs of a run, done again as if by another processor."""
