"""For those who use what was fitted: the command line and what it calls."""
