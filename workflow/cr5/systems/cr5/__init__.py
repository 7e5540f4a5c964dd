"""Cr5, alone, with a prior over spellings, and the better of both."""
