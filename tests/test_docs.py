"""The pages are right: their tables are the code's, their links lead somewhere, their code runs."""

import re
import shlex
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import yaml
from snakemake.cli import get_argument_parser

from cr5 import cli
from cr5.contracts.catalogue import SOURCES, SYSTEMS, TASKS
from cr5.models import store
from cr5.models.word_tables import WordTables
from cr5.plan import config
from cr5.plan.config import Configuration
from docs import fill_tables

ROOT = Path(__file__).parents[1]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [
    *DOCS,
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "config/README.md",
    ROOT / "benchmarks/README.md",
    ROOT / "CHANGELOG.md",
]
FOLDERS = ("config/", "workflow/", "tests/", "benchmarks/", "docs/", "envs/")
WITHOUT_OPTIONS = ("docs", "help", "test")  # first words of ./run: they take none of snakemake's
HELP = {
    "corpus": {"name": "x", "source": "libreoffice_help"},
    "languages": ["da", "en", "it", "vi"],
}
WORDS = {
    "en": ["a", "how", "insert", "print", "table", "to"],
    "it": ["documento", "inserisci", "stampa", "stampare", "tabella", "un"],
}
VECTORS = {"en": [0, 3, 1, 3, 2, 0], "it": [0, 1, 3, 3, 2, 0]}  # the dimension that a word has


def text(path):
    return path.read_text(encoding="utf-8")


def name(path):
    return str(path.relative_to(ROOT))


def blocks(language):
    """Every piece of code in a language, with its page."""
    parameters = []
    for page in PAGES:
        for code in re.findall(rf"```{language}\n(.*?)```", text(page), re.S):
            parameter = pytest.param(code, id=f"{name(page)}-{len(parameters)}")
            parameters.append(parameter)
    assert parameters
    return parameters


def commands():
    """Every line of a shell that calls ./run, without comments."""
    for block in blocks("sh"):
        for line in block.values[0].replace("\\\n", " ").splitlines():
            if line.startswith("./run"):
                yield shlex.split(line, comments=True)[1:]


@pytest.mark.parametrize("page", DOCS, ids=name)
def test_tables_are_filled_in(page):
    assert not re.search("<!-- (table|about)", fill_tables.filled(text(page)))


def test_every_part_has_its_table():
    for kind, page in ((SYSTEMS, "systems"), (TASKS, "tasks")):
        sections = re.findall(r"^##+ (\w+)$", text(ROOT / f"docs/{page}.md"), re.M)
        assert set(sections) >= set(kind.known())
    named = re.findall(r"<!-- table: corpus (\w+) -->", text(ROOT / "docs/corpora.md"))
    assert sorted(SOURCES.known()) == sorted(named)


def test_the_readme_counts_the_systems():
    assert f"{len(SYSTEMS.known()) - 1} other systems" in text(ROOT / "README.md")


def without_code(page):
    return re.sub(r"```.*?```", "", text(page), flags=re.S)


def anchors(page):
    headings = re.findall(r"^#+ (.+)$", without_code(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        linked = page
        if path:
            linked = (page.parent / path).resolve()
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=name)
def test_named_files_are_there(page):
    for span in re.findall(r"`([^`\n]+)`", text(page)):
        for word in span.split():
            is_path = word.startswith(FOLDERS)
            is_pattern = re.search(r"[{*A-Z<]", word)
            if is_path and not is_pattern:
                assert (ROOT / word).exists(), word


EXAMPLES = {
    "mine.py": "systems/example_system.py",
    "almanac.py": "texts/example_source.py",
    "folders.py": "tasks/example_task.py",
}


@pytest.mark.parametrize("code", blocks("yaml"))
def test_configurations_are_read(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "path/to").mkdir(parents=True)
    for name, example in EXAMPLES.items():
        (tmp_path / "path/to" / name).write_text(text(ROOT / "tests" / example))
    configuration = yaml.safe_load(code)
    if Configuration.model_fields.keys() >= configuration.keys():  # no profile
        assert config.validated(HELP | configuration)


@pytest.mark.parametrize("arguments", list(commands()), ids=" ".join)
def test_commands_are_understood(arguments):
    if arguments[:1] == ["cr5"]:
        parse_cr5(arguments[1:])
    elif arguments[:1] == ["verify"]:
        parse_cr5(arguments)
    elif not arguments or arguments[0] not in WITHOUT_OPTIONS:
        files = [argument for argument in arguments if argument not in ("--check", "quick")]
        parsed = get_argument_parser().parse_args(files)
        for path in parsed.configfile or []:
            assert path.name == "mine.yaml" or (ROOT / path).is_file()


def parse_cr5(arguments):
    _, parser_of_command = cli.parsers(cli.COMMANDS)
    command, *its_arguments = arguments
    parser_of_command[command].parse_intermixed_args(its_arguments)


def test_every_command_is_explained():
    page = text(ROOT / "docs/command_line.md")
    _, parser_of_command = cli.parsers(cli.COMMANDS)
    for command in parser_of_command:
        assert f"`cr5 {command} " in page


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A finished run, as far as the programs need one: a model of few words."""
    axes = np.eye(4, dtype=np.float32)
    tables = {language: axes[dimensions] for language, dimensions in VECTORS.items()}
    model = WordTables(WORDS, tables, {language: np.ones(6) for language in WORDS})
    for system in ("best", "cr5"):
        place = tmp_path / f"results/libreoffice_help/models/joint/{system}/1"
        description = {
            "system": system,
            "setting": "joint",
            "repetition": "1",
            "languages": ["en", "it"],
        }
        store.save(place, model, description)
    for language, words in WORDS.items():  # lines that are translations of each other
        lines = [f"{first} {second}" for first, second in product(words, repeat=2)]
        sixty_lines = (lines + lines)[:60]
        (tmp_path / f"texts.{language}.txt").write_text("\n".join(sixty_lines))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("code", blocks("python"))
def test_programs_run(code, run):
    for package in ("duckdb", "fastapi", "langchain_core", "mteb", "pyterrier", "qdrant_client"):
        if package in code:
            pytest.importorskip(package, reason=f"the example needs {package}")
    names = {}
    exec(code, names)
    for line in code.splitlines():
        expected = re.search(r"# \[\[Hit\(id='(.)', language='(..)'", line)
        if expected:
            [[hit]] = eval(line.split("#")[0], names)
            assert (hit.id, hit.language) == expected.groups()


@pytest.mark.parametrize("package", ["duckdb", "qdrant_client", "langchain_core"])
def test_other_programs_find_the_nearest_text(package, run):
    pytest.importorskip(package, reason=f"the example needs {package}")
    [code] = [block.values[0] for block in blocks("python") if package in block.values[0]]
    *program, last_line = code.rstrip().splitlines()
    names = {}
    exec("\n".join(program), names)
    assert "Stampare un documento" in str(eval(last_line, names))


def test_the_server_adds_searches_and_refuses(run):
    pytest.importorskip("fastapi", reason="the example of a server needs fastapi")
    from fastapi.testclient import TestClient

    [code] = re.findall(r"```python\n([^`]*FastAPI.*?)```", text(ROOT / "docs/python.md"), re.S)
    names = {}
    exec(code, names)
    client = TestClient(names["app"])
    client.post("/texts/it", json=[{"id": "t1", "text": "inserisci tabella"}])
    response = client.get("/search/en", params={"text": "insert a table"})
    assert [hit["id"] for hit in response.json()] == ["t1"]
    assert names["index"].sizes == {"it": 1}
    refused = client.get("/search/fr", params={"text": "xyz"})
    assert refused.status_code == 422
    assert "does not know the language 'fr'" in refused.json()["error"]
