"""A model from texts in memory, by one call, without a workflow."""
