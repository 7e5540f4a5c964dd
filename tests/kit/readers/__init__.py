"""Readers of models and settings that somebody else wrote, each with valid files to start from."""

from tests.kit.readers import models, settings
from tests.kit.readers.target import Target

TARGETS: dict[str, Target] = {
    target.name: target for module in (models, settings) for target in module.TARGETS
}
