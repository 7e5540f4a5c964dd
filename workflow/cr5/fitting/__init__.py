"""From bags and splits to a fitted system: what it is given, how it is validated."""
