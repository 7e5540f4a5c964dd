"""Linear algebra shared by systems."""
