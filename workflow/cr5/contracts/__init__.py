"""What rooms hand to one another: sources, systems, tasks, models and steps."""
