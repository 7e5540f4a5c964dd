"""A page to explore a run's results: static files that work without a server."""
