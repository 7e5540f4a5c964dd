"""What others trained, on other texts: encoders of texts, and word vectors."""
