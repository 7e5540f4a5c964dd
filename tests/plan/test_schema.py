"""Keys and defaults of the configuration stand in one place; docs/configuration.md agrees."""

import ast
from copy import deepcopy
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import get_args

import pytest
import yaml
from cr5.plan.allowed import options_of
from cr5.plan.corpus import FOLDER, KEYS, SOURCES
from cr5.plan.schema import Configuration
from cr5.plan.setting_kinds import KINDS

import cr5
from cr5.fitting.channel_options import ChannelOptions
from cr5.plan import config
from cr5.plan.words import ALIGNMENTS, VECTORS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
HEADER = "| key | default | may be | meaning |\n|---|---|---|---|\n"
OF_SOURCES = {source: options_of(FOLDER / f"{source}.py") for source in SOURCES}
CORPORA = {source: {"name": "x", "source": source} for source in SOURCES}
for source in ("europarl", "files", "matrix"):
    CORPORA[source]["path"] = "{language}"
SETTING = {"kind": "low_resource", "pairs": ["en-es"], "concepts": [9]}
# What must be given beside a key.
NEEDED = {
    "most_frequent": ("path", "{language}"),
    **dict.fromkeys(("offset", "invert"), ("dictionaries", "freedict")),
}
WORDS = {"required": MISSING, "none": None}


def tables():
    """Key and default of each row, table by table."""
    for part in PAGE.split(HEADER)[1:]:
        rows = [row.strip("| ").split(" | ") for row in part.split("\n<!--")[0].splitlines()]
        yield [(key.strip("`"), default) for key, default, *_ in rows]


EXPLAINED = sorted({row for table in tables() for row in table})


def default(field):
    made = field.default_factory
    return field.default if made is MISSING else made()


def add(found, prefix, section):
    """Add each key of a section, and of those in it, with the defaults that it has."""
    for field in fields(section):
        key, inner = prefix + field.name, [x for x in get_args(field.type) if isinstance(x, type)]
        if is_dataclass(field.type):
            add(found, f"{key}.", field.type)
        elif field.name not in ("corpus", "vectors", "alignments", "channels"):
            found.setdefault(key, []).append(default(field))
            for x in filter(is_dataclass, inner):  # of a section that may be missing
                add(found, f"{key}.", x)


def known():
    found = {}
    add(found, "", Configuration)
    for key in KEYS:
        found[f"corpus.{key}"] = [MISSING]
    for source, options in OF_SOURCES.items():
        for key, option in options.items():
            is_needed = key == "path" and source in ("files", "matrix")
            given = MISSING if is_needed else option.default
            found.setdefault(f"corpus.{key}", []).append(given)
    for section in KINDS.values():
        add(found, "settings.{name}.", section)
    for section in VECTORS.values():
        add(found, "vectors.", section)
    for section in ALIGNMENTS.values():
        add(found, "alignments.", section)
    add(found, "channels.", ChannelOptions)
    del found["dictionary"], found["evaluation"], found["settings"]  # sections
    return found


def test_the_page_explains_every_key_and_no_other():
    assert {key for key, _ in EXPLAINED} == known().keys()


def test_no_table_explains_a_key_twice():
    for table in tables():
        keys = [key for key, _ in table]
        assert len(keys) == len(set(keys))


def with_value(key, value):
    """A configuration that gives one key, and the same without it."""
    *sections, name = key.split(".")
    source = next((x for x in SOURCES if name in OF_SOURCES[x]), "files")
    corpus = CORPORA[source if sections == ["corpus"] else "files"]
    bare = {"corpus": corpus, "languages": ["en", "es"]}
    if sections[:1] == ["settings"]:
        return [{**bare, "settings": {"x": {**SETTING, **x}}} for x in ({name: value}, {})]
    if sections == ["alignments", "sentences"]:
        bare["alignments"] = {"aligner": "eflomal"}
    if name in NEEDED or sections[:1] == ["channels"]:
        bare[sections[0]] = dict([NEEDED.get(name, ("documents", "{language}.tsv"))])
    given = deepcopy(bare)
    place = given
    for section in sections:
        place = place.setdefault(section, {})
    place[name] = value
    return given, bare


@pytest.mark.parametrize(("key", "cell"), [x for x in EXPLAINED if x[1].startswith("`")])
def test_a_default_that_the_page_gives_is_the_default(key, cell):
    given, bare = with_value(key, yaml.safe_load(cell.strip("`")))
    assert config.validated(given) == config.validated(bare)
    assert any(x is not MISSING for x in known()[key])


@pytest.mark.parametrize(("key", "cell"), [x for x in EXPLAINED if not x[1].startswith("`")])
def test_what_has_no_default_is_said_to_be_required_or_none(key, cell):
    if key != "settings.{name}.kind":
        assert WORDS[cell] in known()[key]


def literal_defaults(path):
    """(function, argument) of each default in a signature that is a literal, but None."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            positional = [*node.args.posonlyargs, *node.args.args]
            last = positional[len(positional) - len(node.args.defaults) :]
            pairs = [*zip(last, node.args.defaults, strict=True)]
            pairs += zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            for argument, value in pairs:
                if isinstance(value, ast.Constant | ast.Tuple) and ast.unparse(value) != "None":
                    yield node.name, argument.arg


def test_no_function_repeats_the_default_of_a_section():
    package = Path(cr5.__file__).parent
    keys = {key.rsplit(".", 1)[-1] for key in known() if key.count(".") == 1}
    keys -= {
        "path",
        "name",
        "fit",
        "rank",
        "task",
        "test",
        "threads",
    }  # words that mean other things elsewhere
    repeated = {
        f"{path.relative_to(package)}: {function}({argument})"
        for path in package.rglob("*.py")
        for function, argument in literal_defaults(path)
        if argument in keys and path.name != "vectors.py"
    }
    assert not repeated
