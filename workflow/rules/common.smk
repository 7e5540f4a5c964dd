import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

WORKFLOW = Path(str(workflow.current_basedir)).resolve().parent

# The package need not be installed: this process and its scripts find it here.
sys.path.insert(0, str(WORKFLOW))

# Snakemake starts scripts by this name without quoting it; ./run puts .venv first on the PATH.
if " " in sys.executable:
    sys.executable = "python"

from cr5.plan import catalogue
from cr5.plan import config as configuration
from cr5.base.errors import UserError
from cr5.plan.fingerprint import fingerprint

catalogue.share_with_subprocesses()

try:
    config = configuration.validated(config)
except UserError as error:
    raise WorkflowError(str(error))

LANGUAGES = config["languages"]
SETTINGS = configuration.settings(config)
FITS = [
    (name, system) for name, setting in SETTINGS.items() for system in setting.systems
]
RESULTS = f"{config['results']}/{config['corpus']['name']}"

# What every source makes: documents (for those who read running text), what they were made
# from, and bags of words.
DOCUMENTS = f"{RESULTS}/documents/{{language}}.parquet"
NOTES = f"{RESULTS}/documents/{{language}}.json"
BAGS = f"{RESULTS}/bags/{{language}}"

# What a source makes beyond that.
EXTRA = []


wildcard_constraints:
    language="|".join(LANGUAGES),
    setting="|".join(SETTINGS),
    system="|".join(config["systems"]),


def corpus_memory(wildcards, attempt):
    """MB of a job that holds a corpus; more where a profile repeats what failed."""
    return attempt * config["memory_mb"]


def code(script):
    """Fingerprint of a script and the modules behind it: as a parameter it reruns the rule."""
    return fingerprint(WORKFLOW / "scripts" / script)


def system_source(system):
    """The file of a system."""
    return catalogue.system_source(system, config["systems"][system].get("module"))


def of_languages(pattern):
    """A function from wildcards to one file for each language of the setting."""
    return lambda wildcards: expand(
        pattern,
        language=SETTINGS[wildcards.setting].languages,
        setting=wildcards.setting,
    )


def vector_files(wildcards):
    """Word vectors of each language, for systems that start from them."""
    if "vectors" not in configuration.needs(config, wildcards.system):
        return []
    return of_languages(f"{RESULTS}/vectors/{{setting}}/{{language}}.parquet")(
        wildcards
    )


def table(name):
    """A table in the formats that are for use elsewhere."""
    return multiext(f"{RESULTS}/tables/{name}", ".csv", ".md", ".tex")


def page_item(path, caption, category, label):
    """Mark an output for the HTML report; `label` is text or a function of wildcards."""
    return report(
        f"{RESULTS}/{path}",
        caption=f"../report/{caption}.rst",
        category=category,
        labels=lambda w: {"content": label(w) if callable(label) else label},
    )
