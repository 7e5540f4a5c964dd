"""Networks that compose texts of words and learn by contrast, and an autoencoder."""
