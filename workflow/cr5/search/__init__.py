"""Similarities in blocks, nearest neighbours, measures, ranks."""
