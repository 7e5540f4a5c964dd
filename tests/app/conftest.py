"""The command, called as from a shell."""

import pytest

from cr5.app.main import main


@pytest.fixture
def call(capsys):
    """Gives output, messages, and the reason for which it stops; None where it does not."""

    def call(*arguments):
        stopped = None
        try:
            main([str(x) for x in arguments])
        except SystemExit as stop:
            stopped = stop.code
        captured = capsys.readouterr()
        return captured.out, captured.err, stopped

    return call
