"""What a fitted system is, and how it is stored."""
