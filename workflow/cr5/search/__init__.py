"""Similarities in blocks, what is nearest, measures, ranks."""
