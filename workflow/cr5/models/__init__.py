"""Fitted systems and their storage."""
