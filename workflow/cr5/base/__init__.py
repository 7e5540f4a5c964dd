"""What every room may use: errors, files, memory, the terminal, checksums."""
