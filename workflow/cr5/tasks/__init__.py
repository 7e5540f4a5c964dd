"""What is searched for what: one module a task."""
