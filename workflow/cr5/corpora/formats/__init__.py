"""Files of texts that users bring: `rows` reads tables and JSON lines."""
