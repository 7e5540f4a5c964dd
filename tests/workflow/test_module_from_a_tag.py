"""The workflow as a module from a tag, by the Snakefile that snakedeploy writes.

The server is a folder, by a setting of git.
"""

import shutil
import subprocess
import sys

import pytest

import cr5
from tests.kit.run import ROOT, ended

pytestmark = pytest.mark.slow

SNAKEFILE = """
configfile: "config/config.yaml"

module cr5:
    snakefile:
        github("owner/cr5", path="workflow/Snakefile", tag="{tag}")
    config:
        config

use rule * from cr5
"""


def git(repository, *arguments):
    who = ["-c", "user.name=tests", "-c", "user.email=tests@localhost"]
    subprocess.run(["git", *who, *arguments], cwd=repository, check=True, capture_output=True)


def tagged(repository, tag):
    git(repository, "add", "--all")
    git(repository, "commit", "--message", tag)
    git(repository, "tag", tag)


@pytest.fixture
def repository(tmp_path):
    """A repository of the workflow as it is here."""
    if not shutil.which("git"):
        pytest.skip("git is not there")
    folder = tmp_path / "server" / "owner" / "cr5"
    folder.mkdir(parents=True)
    for part in ("workflow", "envs", "config"):
        compiled = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, folder / part, ignore=compiled)
    git(folder, "init", "--quiet")
    tagged(folder, "v1")
    return folder


@pytest.fixture
def deployed(repository, tmp_path):
    """Deploy a tag into a folder with a configuration and its text, and call snakemake there."""
    folder = tmp_path / "deployed"
    for part in ("config", "data"):
        shutil.copytree(ROOT / ".test" / part, folder / part)

    server = {
        "GITHUB_TOKEN": "",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{tmp_path}/server/.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/",
    }

    def call(tag, *arguments):
        (folder / "Snakefile").write_text(SNAKEFILE.format(tag=tag))
        command = [sys.executable, "-P", "-m", "snakemake", "--cores", "1", *arguments]
        done = ended(command, folder, **server)
        return done.returncode, done.stdout

    return call


def test_it_is_planned_and_run_by_the_package_that_is_installed(deployed, repository, tmp_path):
    status, said = deployed("v1", "--dry-run")
    assert status == 0 and "rule fit:" in said, said[-3000:]
    status, said = deployed("v1", "results/made_up/documents/en")
    assert status == 0, said[-3000:]
    assert (tmp_path / "deployed/results/made_up/documents/en/about.json").exists()

    init = repository / "workflow" / "cr5" / "__init__.py"
    init.write_text(init.read_text().replace(cr5.__version__, "99.0"))
    tagged(repository, "v99")
    status, said = deployed("v99", "--dry-run")
    assert status != 0
    assert f"of version 99.0, the package cr5 that is installed of {cr5.__version__}" in said
    assert "pip install 'cr5[workflow]==99.0'" in said
