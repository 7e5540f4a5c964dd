"""The package as others get it: a wheel, away from this checkout, takes a model and embeds."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from cr5.models import store
from cr5.models.word_tables import WordTables

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "workflow" / "cr5"
BUILD = "import sys, uv_build; uv_build.build_wheel(sys.argv[1])"

EMBED = """
import sys

sys.path.insert(0, sys.argv[1])  # before this checkout, which is installed as editable
import cr5

model = cr5.load(sys.argv[2])
print(cr5.__file__, *model.embed("A cat, a Cat and a dog.", "en")[0], sep="\\n")
"""


def call(*command):
    """Run this Python without what the test process was started with; returns what it prints."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # of uv-build
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=ROOT,
        env={**environment, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    call("-c", BUILD, folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """A folder with the content of the wheel, as an installer unpacks it."""
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def test_the_wheel_holds_the_package_whole_and_nothing_else(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    ours = {f"cr5/{path.relative_to(PACKAGE).as_posix()}" for path in files}
    assert {name for name in names if ".dist-info/" not in name} == {
        name for name in ours if "__pycache__" not in name
    }
    assert "cr5/report/published_figures.csv" in names
    assert "cr5/report/reproduction.csv" in names


def test_an_unpacked_package_embeds_with_a_saved_model(site, tmp_path):
    vectors = np.array([[1, 0], [0, 1], [5, 5]], np.float32)
    weights = np.array([2.0, 3.0, 1.0])
    model = WordTables({"en": ["cat", "dog", "cow"]}, {"en": vectors}, {"en": weights})
    store.save(tmp_path / "model", model, {})
    file, *embedded = call("-I", "-c", EMBED, site, tmp_path / "model").splitlines()
    assert Path(file).is_relative_to(site)
    # Two cats and a dog, weighted: (2 * 2, 1 * 3), which has length 5.
    assert [float(x) for x in embedded] == pytest.approx([0.8, 0.6])
