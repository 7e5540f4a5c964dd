"""The steps of a run: what each result is made with, and how it is made."""
