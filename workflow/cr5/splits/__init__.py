"""Queries and candidates are drawn; settings say who trains."""
