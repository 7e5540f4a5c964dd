"""Files of texts that users bring: `rows` reads tables, JSON lines, catalogues and folders."""
