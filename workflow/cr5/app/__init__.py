"""The command line: one module a command, with `add(commands)` and `run(arguments)`.

- `main` puts them together; `output` prints for people or for programs; `texts` reads texts
"""
