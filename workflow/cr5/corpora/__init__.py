"""Where documents come from: each source gives (concept, title, text), one per article."""
