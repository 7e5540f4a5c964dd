"""Sources of documents, a module each: its options, its licence, and how it reads a language."""
