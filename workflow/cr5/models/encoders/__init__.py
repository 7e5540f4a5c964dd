"""Encoders of others, by packages or from folders: texts in, rows out, which are kept."""
