"""The package as others install it: a wheel, away from this checkout, takes a model and embeds."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
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
import cr5

model = cr5.load(sys.argv[1])
print(cr5.__file__, *model.embed("A cat, a Cat and a dog.", "en")[0], sep="\\n")
"""


def call(*command):
    """Run a program without what this test process was started with; returns what it prints."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        env={**environment, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def installer(python):
    """The command that installs for another Python, with the one program that made .venv."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "--python", python, "install", "--no-index"]
    if shutil.which("uv"):
        return ["uv", "pip", "install", "--python", python, "--offline"]
    pytest.skip("neither pip nor uv is there to install a wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    call(sys.executable, "-c", BUILD, folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """Python of an environment that holds the wheel; what it needs comes from this environment.

    A line of a .pth file adds a folder, but not the .pth files in it: so not the checkout, which
    is installed here as editable.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    call(*installer(python), "--no-deps", wheel)
    (site,) = folder.glob("lib/python*/site-packages")
    dependencies = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    (site / "dependencies.pth").write_text("\n".join(dependencies) + "\n")
    return python


def test_the_wheel_holds_the_package_whole_and_nothing_else(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    ours = {f"cr5/{path.relative_to(PACKAGE).as_posix()}" for path in files}
    assert {name for name in names if ".dist-info/" not in name} == {
        name for name in ours if "__pycache__" not in name
    }
    assert "cr5/report/published_figures.csv" in names
    assert "cr5/report/reproduction.csv" in names


def test_an_installed_package_embeds_with_a_saved_model(python, tmp_path):
    vectors = np.array([[1, 0], [0, 1], [5, 5]], np.float32)
    weights = np.array([2.0, 3.0, 1.0])
    model = WordTables({"en": ["cat", "dog", "cow"]}, {"en": vectors}, {"en": weights})
    store.save(tmp_path / "model", model, {})
    file, *embedded = call(python, "-I", "-c", EMBED, tmp_path / "model").splitlines()
    assert Path(file).is_relative_to(python.parents[1])
    # Two cats and a dog, weighted: (2 * 2, 1 * 3), which has length 5.
    assert [float(x) for x in embedded] == pytest.approx([0.8, 0.6])
