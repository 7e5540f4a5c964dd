"""Sources of documents: each yields (concept, title, text), one per article."""
