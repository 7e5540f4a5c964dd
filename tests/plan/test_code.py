"""The fingerprint of code."""

import subprocess
import sys
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.contracts.keys import PACKAGE
from cr5.plan import code as module
from cr5.plan.code import SELF_DESCRIPTION, fingerprint, sources

PLAIN = """
from typing import TYPE_CHECKING

from pydantic import PositiveInt

from cr5.contracts.system import System

if TYPE_CHECKING:
    from cr5.contracts.training import Fit

class Mine(System):
    title = "Mine"
    rank: PositiveInt = 3

    def fit(self, training) -> Fit:
        return area(self.rank, "of")

class Empty(Exception):
    pass
"""


def test_a_broken_module_behind_a_script_is_named(tmp_path, package):
    (package / "used.py").write_text("def (")
    with pytest.raises(UserError, match=r"used\.py"):
        of(tmp_path, "import cr5.used\n")


def of(folder, text):
    path = folder / "code.py"
    path.write_text(text)
    return fingerprint(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class Mine(System):", 'class Mine(System):\n    """Of areas."""'),
        ("\nfrom typing", '"""Of areas."""\nfrom typing'),
        ("= 3", "= 3  # metres"),
        ("= 3", '= 3\n    """In metres."""'),
        ("        return", '        """Return it."""\n        # first\n\n        return'),
        ('"of"', "'o' 'f'"),
        ('self.rank, "of"', 'self.rank,\n            "of"'),
        ('"Mine"', '"Another"'),
        *(
            ('title = "Mine"', f'title = "Mine"\n    {attribute} = "new"')
            for attribute in sorted(SELF_DESCRIPTION)
        ),
        ("import Fit", "import Fit, TrainingSet"),
        ("if TYPE_CHECKING:", "if TYPE_CHECKING:\n    from cr5.models import store"),
    ],
)
def test_what_has_no_effect_changes_nothing(tmp_path, old, new):
    changed = PLAIN.replace(old, new, 1)
    assert changed != PLAIN
    assert of(tmp_path, changed) == of(tmp_path, PLAIN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("= 3", "= 4"),
        ("= 3", "= 3.0"),
        ("PositiveInt = 3", "int = 3"),
        ("rank", "depth"),
        ('"of"', '"off"'),
        ("area(", "volume("),
        ("(Exception)", ""),
        ("        return", '        print("""Return it.""")\n        return'),
        ("title =", "needs ="),
        ("        return", "        cost = 3\n        return"),
    ],
)
def test_any_other_change_of_the_code_counts(tmp_path, old, new):
    changed = PLAIN.replace(old, new, 1)
    assert changed != PLAIN
    assert of(tmp_path, changed) != of(tmp_path, PLAIN)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of three modules, of which one rests on another."""
    folder = tmp_path / "cr5"
    (folder / "base").mkdir(parents=True)
    for name in ("__init__", "base/__init__", "base/job", "under", "unused"):
        (folder / f"{name}.py").write_text("")
    (folder / "used.py").write_text("from cr5 import under\nfrom cr5.base import job\n")
    monkeypatch.setattr(module, "PACKAGE", folder)
    return folder


@pytest.mark.parametrize(
    ("name", "counts"),
    [("used", True), ("under", True), ("unused", False), ("base/job", False)],
)
def test_modules_behind_a_script_count_and_no_others(tmp_path, package, name, counts):
    before = of(tmp_path, "from cr5 import used\n")
    with (package / f"{name}.py").open("a") as file:
        file.write("N = 1\n")
    assert (of(tmp_path, "from cr5 import used\n") != before) == counts


@pytest.mark.parametrize("statement", ["from cr5 import Cr5", "import cr5"])
def test_what_the_package_offers_counts_as_the_module_that_has_it(tmp_path, statement):
    """A system of one's own may use one of ours, by its short name."""
    script = tmp_path / "script.py"
    script.write_text(f"{statement}\n")
    assert PACKAGE / "systems/ridge/cr5.py" in sources(script)
    assert (PACKAGE / "systems/ridge/best.py" in sources(script)) == (statement == "import cr5")


SCRIPTS = PACKAGE.parent / "scripts"


def behind(script):
    return {path.relative_to(PACKAGE).as_posix() for path in sources(SCRIPTS / script)}


ROOMS_OF_MODELS = {"systems", "fitting", "models", "counts", "texts", "tasks"}


def test_what_scores_ranks_does_not_rest_on_what_makes_them():
    assert "scores/ranks.py" in behind("scores.py")
    assert not ROOMS_OF_MODELS & {name.split("/")[0] for name in behind("scores.py")}


@pytest.mark.parametrize("script", ["rank.py", "task_data.py"])
def test_what_uses_models_does_not_rest_on_what_fits_them(script):
    assert "tasks/texts.py" in behind(script)
    assert not {"systems", "fitting"} & {name.split("/")[0] for name in behind(script)}


def test_sources_are_what_python_loads(tmp_path):
    """Independent of our reading of imports: ask a fresh interpreter."""
    code = (
        "import sys, cr5.fitting.fit\n"
        "print('\\n'.join(m.__file__ for n, m in sys.modules.items()"
        " if n == 'cr5' or n.startswith('cr5.')))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    script = tmp_path / "script.py"
    script.write_text("import cr5.fitting.fit\n")
    files_loaded = {Path(line).resolve() for line in loaded.stdout.splitlines()}
    assert files_loaded <= {path.resolve() for path in sources(script)}
