"""Shared by all packages of cr5: errors, files, memory, the terminal, checksums."""
