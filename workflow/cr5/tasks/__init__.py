"""Tasks: which texts are queries and which are candidates; one module each, with its class."""
