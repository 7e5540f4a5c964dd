"""What spelling tells of a word, the same for all languages."""
