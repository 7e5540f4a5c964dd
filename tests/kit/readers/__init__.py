"""Every reader of files that somebody else wrote, each with valid files to start from."""

from tests.kit.readers import archives, dumps, models, settings, texts
from tests.kit.readers.target import Target

TARGETS: dict[str, Target] = {
    target.name: target
    for module in (texts, archives, dumps, models, settings)
    for target in module.TARGETS
}
