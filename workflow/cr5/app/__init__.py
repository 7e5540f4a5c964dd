"""The command line: one module per command, with `add(commands)` and `run(arguments)`.

- `main` combines them; `output` prints for people or programs; `texts` reads texts
"""
