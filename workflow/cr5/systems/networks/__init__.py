"""Networks that compose texts from words and learn by contrast, shared by systems."""
