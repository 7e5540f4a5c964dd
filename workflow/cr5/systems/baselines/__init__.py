"""What others are compared with: strings in common, translated words, vectors of others."""
