"""The conda environments hold the versions of the lock, and all that the scripts import."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "workflow"
ENVIRONMENTS = sorted((ROOT / "envs").glob("*.yaml"))
PYPI_NAME = {"matplotlib-base": "matplotlib"}  # where conda's name is another one
PACKAGE_OF = {"yaml": "pyyaml"}  # where the module's name is another one
# imported only where they are asked for
OPTIONAL = {
    "anyascii",
    "cupy",
    "cupyx",
    "icu4py",
    "nltk",
    "safetensors",
    "sklearn",
    "snowballstemmer",
}
# Modules for programs that their users have, named after these.
WRAPPERS = {"mteb", "pyterrier"}
OPTIONAL |= {"model2vec", "onnxruntime", "sentence_transformers", "tokenizers"}
ON_DEMAND = {"tmx.py"}  # a file of this format says which package is missing


def packages(path: Path) -> dict[str, str]:
    """From package to version; every line must read `name =version`."""
    lines = yaml.safe_load(path.read_text())["dependencies"]
    assert all(isinstance(line, str) and line.count(" =") == 1 for line in lines)
    return dict(line.split(" =") for line in lines)


def locked_version(name: str, python: str) -> str:
    lines = (ROOT / "envs/requirements.lock").read_text().splitlines()
    pins = [Requirement(line.rstrip(" \\")) for line in lines if line[0] not in " #"]
    where = {"python_version": python, "python_full_version": f"{python}.0"}
    versions = {
        str(pin.specifier).removeprefix("==")
        for pin in pins
        if pin.name == name and (pin.marker is None or pin.marker.evaluate(where))
    }
    assert len(versions) == 1, f"{name}: {versions or 'not in the lock'}"
    return versions.pop()


@pytest.mark.parametrize("path", ENVIRONMENTS, ids=lambda path: path.stem)
def test_versions_are_those_of_the_lock(path):
    found = packages(path)
    python = found.pop("python")
    names = {name: PYPI_NAME.get(name, name) for name in found}
    assert found == {name: locked_version(names[name], python) for name in found}


@pytest.mark.parametrize("path", ENVIRONMENTS, ids=lambda path: path.stem)
def test_channels_are_community_channels_only(path):
    channels = yaml.safe_load(path.read_text())["channels"]
    assert channels[0] == "conda-forge"
    assert channels[-1] == "nodefaults"
    assert set(channels[1:-1]) <= {"bioconda"}


def test_one_environment_per_group_of_stages_with_one_python():
    assert [path.stem for path in ENVIRONMENTS] == ["report", "systems", "text"]
    assert len({packages(path)["python"] for path in ENVIRONMENTS}) == 1


def test_the_environment_of_the_systems_contains_that_of_the_text():
    text, systems = (packages(ROOT / f"envs/{name}.yaml") for name in ("text", "systems"))
    assert text.items() <= systems.items()


def imported_names(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def own_files(name: str) -> list[Path]:
    path = WORKFLOW / name.replace(".", "/")
    return [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()]


def needed_packages(*start: Path) -> set[str]:
    """What these files import, by themselves or through the package cr5."""
    waiting, seen, needed = list(start), set(), set()
    while waiting:
        path = waiting.pop()
        if path in seen or path.name in ON_DEMAND:
            continue
        seen.add(path)
        for name in imported_names(path):
            top = name.split(".")[0]
            waiting += own_files(name)
            if top not in sys.stdlib_module_names | {"cr5"} | OPTIONAL:
                needed.add(PACKAGE_OF.get(top, top))
    return needed


def rules_with_a_script() -> list[tuple[str, str]]:
    """Script and conda environment of each rule that has both."""
    pattern = r"envs/(\w+)\.yaml|scripts/(\w+\.py)|\n *(?:rule|checkpoint) (\w+):"
    found, environment = [], ""
    for file in sorted((WORKFLOW / "rules").glob("*.smk")):
        for env, script, rule in re.findall(pattern, file.read_text()):
            environment = "" if rule else env or environment
            if script:
                found.append((script, environment))
    return found


@pytest.mark.parametrize(("script", "environment"), rules_with_a_script())
def test_the_environment_of_a_rule_has_what_its_script_imports(script, environment):
    start = [WORKFLOW / "scripts" / script]
    if script == "fit.py":  # imports the systems by name, while it runs
        start += sorted((WORKFLOW / "cr5/systems").glob("*.py"))
    found = {PYPI_NAME.get(name, name) for name in packages(ROOT / f"envs/{environment}.yaml")}
    assert needed_packages(*start) <= found


@pytest.mark.parametrize(
    ("parts", "extras"),
    [
        (["cr5/models", "cr5/retrieval"], []),
        (["cr5/counts", "cr5/splits", "cr5/fitting", "cr5/systems", "cr5/from_texts"], ["fit"]),
        (["cr5", "scripts"], ["fit", "workflow"]),  # the plugin's interface comes with snakemake
    ],
)
def test_what_a_part_imports_is_declared(parts, extras):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = project["dependencies"] + [
        line for extra in extras for line in project["optional-dependencies"][extra]
    ]
    declared = {Requirement(line).name for line in lines}
    ours = [path for part in parts for path in (WORKFLOW / part).rglob("*.py")]
    ours = [path for path in ours if path.stem not in WRAPPERS]
    assert needed_packages(*ours) <= declared


def test_every_script_belongs_to_a_rule_with_an_environment():
    scripts = {path.name for path in (WORKFLOW / "scripts").glob("*.py")}
    assert {script for script, _ in rules_with_a_script()} == scripts
