"""Runs of little, each in a folder of its own."""

import pytest

from tests.kit.run import small


@pytest.fixture
def new_run(tmp_path):
    """Prepare one; keywords replace keys of the configuration."""
    return lambda **changes: small(tmp_path, **changes)
