"""A page to look through what a run found: static files that work without a server."""
