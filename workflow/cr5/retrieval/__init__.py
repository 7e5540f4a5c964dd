"""Using a fitted model on new texts: embed, compare, search, and explain by words."""
