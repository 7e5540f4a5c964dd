"""Wikitext to plain text, in time linear in its length."""
