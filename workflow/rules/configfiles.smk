# First: find the package, and check that the configuration files can be read. Snakemake has already
# read those on the command line; ./run checks them before that.

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

WORKFLOW = Path(str(workflow.current_basedir)).resolve().parent

# The package need not be installed: this process and its scripts find it here.
sys.path.insert(0, str(WORKFLOW))

from cr5.base.errors import UserError
from cr5.plan import config_files

# Also with --directory.
DEFAULT = Path("config/config.yaml")
if not DEFAULT.exists():
    DEFAULT = WORKFLOW.parent / DEFAULT

# A configuration file with a corpus is complete; any other changes keys of the default.
STANDS_ALONE = "corpus" in config and bool(workflow.overwrite_configfiles)

try:
    for path in [*workflow.overwrite_configfiles, *([] if STANDS_ALONE else [DEFAULT])]:
        config_files.read(path)
except UserError as error:
    raise WorkflowError(str(error))
