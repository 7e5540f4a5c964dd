"""Embedded texts, kept to be searched: in memory, or in a folder on disk."""
