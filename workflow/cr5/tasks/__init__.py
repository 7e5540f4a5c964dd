"""Tasks: which texts are queries and which are candidates; one module per task."""
