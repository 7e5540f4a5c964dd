"""From bags and splits to a fitted system: its training set and its validation."""
