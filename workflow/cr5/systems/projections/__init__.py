"""Documents of all languages projected into one space (Platt, Toutanova, Yih; EMNLP 2010)."""
