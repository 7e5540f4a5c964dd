"""The systems: one module each, with its class."""
