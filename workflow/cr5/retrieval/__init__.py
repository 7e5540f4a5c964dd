"""A fitted model on one's own texts: embed, compare, search, and say which words did it."""
