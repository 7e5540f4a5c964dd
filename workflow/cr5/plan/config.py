"""Reads the configuration: schema, defaults, what a schema cannot say, and the settings."""

import datetime
import itertools
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from cr5.base.errors import UserError
from cr5.corpora.wikimedia.settings import Settings
from cr5.plan.catalogue import constant, system_source

SCHEMA = Path(__file__).parents[2] / "schemas" / "config.schema.yaml"


@dataclass(frozen=True)
class Setting:
    """One training situation of Sec. 4.2: joint over all languages, or pairwise over two.

    Attributes:
        name: `joint` or `pairwise_da-en`; names folders and rows of tables.
        kind: `joint` or `pairwise`.
        languages: trained on together.
        systems: fitted in this setting.
    """

    name: str
    kind: str
    languages: tuple[str, ...]
    systems: tuple[str, ...]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Unordered pairs, in the order of the configuration's languages."""
        return list(itertools.combinations(self.languages, 2))


def validated(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration with all defaults filled in.

    Raises:
        UserError: lists every mistake by its key, what was expected and what was found.
    """
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    config = _without_nulls(_without_dates(deepcopy(dict(config))))
    validator = jsonschema.Draft202012Validator(schema)
    mistakes = [_message(error, schema) for error in _leaves(validator.iter_errors(config))]
    if not mistakes:
        config = _with_defaults(config, schema, schema)
        mistakes = [*_beyond_schema(config)]
    if mistakes:
        raise UserError("The configuration has mistakes:\n  - " + "\n  - ".join(mistakes))
    for name, options in config["systems"].items():
        source = system_source(name, options.get("module"))
        config["systems"][name] = {**constant(source, "DEFAULTS", {}), **options}
    return config


def settings(config: Mapping[str, Any]) -> dict[str, Setting]:
    """Return the settings of a validated configuration by name."""
    found = []
    every = tuple(config["systems"])
    for kind, options in config["settings"].items():
        systems = tuple(options.get("systems", every))
        if kind == "joint":
            found.append(Setting("joint", kind, tuple(config["languages"]), systems))
        else:
            for pair in options["pairs"]:
                ordered = tuple(sorted(pair.split("-"), key=config["languages"].index))
                found.append(Setting(f"{kind}_{'-'.join(ordered)}", kind, ordered, systems))
    return {setting.name: setting for setting in found}


def searched_pairs(found: Mapping[str, Setting]) -> list[tuple[str, str]]:
    """Return the pairs of all settings, each once."""
    return list(dict.fromkeys(pair for setting in found.values() for pair in setting.pairs))


def needs_vectors(config: Mapping[str, Any], system: str) -> bool:
    """Say whether a system starts from monolingual word vectors."""
    source = system_source(system, config["systems"][system].get("module"))
    return bool(constant(source, "NEEDS_VECTORS", False))


def _with_defaults(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    if "$ref" in schema:
        schema = {**root["$defs"][schema["$ref"].rsplit("/", 1)[1]], **schema}
    if not isinstance(value, dict):
        return value
    filled = dict(value)
    for key, part in schema.get("properties", {}).items():
        if key not in filled and "default" in part:
            filled[key] = deepcopy(part["default"])
        if key in filled:
            filled[key] = _with_defaults(filled[key], part, root)
    return filled


def _without_dates(value: Any) -> Any:
    """Turn what YAML read as a date back into text: artefacts hold the configuration as JSON."""
    if isinstance(value, dict):
        return {key: _without_dates(x) for key, x in value.items()}
    return value.isoformat() if isinstance(value, datetime.date) else value


def _without_nulls(config: dict[str, Any]) -> dict[str, Any]:
    """Read sections, systems and settings that are left empty in YAML as empty mappings."""
    for section in set(config) & {"bags", "weighting", "splits", "vectors", "evaluation"}:
        config[section] = {} if config[section] is None else config[section]
    for section in set(config) & {"systems", "settings"}:
        if isinstance(config[section], dict):
            filled = {key: {} if x is None else x for key, x in config[section].items()}
            config[section] = filled
    return config


def _leaves(errors):
    return sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])


def _message(error: jsonschema.ValidationError, schema: Mapping[str, Any]) -> str:
    """One mistake in one sentence: key, problem, what to do."""
    place = _place(error.absolute_path)
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = [key for key in error.instance if key not in known]
        return "; ".join(_unknown(f"{place}." if place else "", key, known) for key in unknown)
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"{place or 'top level'}: missing {', '.join(map(repr, missing))}"
    expected = error.schema.get("description") or {
        "type": f"a value of type {error.validator_value}",
        "enum": f"one of {error.validator_value}",
        "pattern": f"text that matches {error.validator_value}",
        "minItems": f"at least {error.validator_value} entries",
        "maxItems": f"at most {error.validator_value} entries",
        "minimum": f"{error.validator_value} or more",
        "maximum": f"{error.validator_value} or less",
    }.get(error.validator, error.message)
    return f"{place or 'top level'}: expected {expected}, found {error.instance!r}"


def _place(path) -> str:
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")


def _unknown(prefix: str, key: str, known: list[str]) -> str:
    near = get_close_matches(str(key), known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
    return f"{prefix}{key}: unknown key; {hint}"


def _beyond_schema(config: Mapping[str, Any]):
    """Mistakes that a JSON schema cannot express."""
    languages, systems = config["languages"], config["systems"]
    for kind, options in config["settings"].items():
        for name in options.get("systems", []):
            if name not in systems:
                yield f"settings.{kind}.systems: " + _unknown("", name, list(systems))
        for pair in options.get("pairs", []):
            parts = pair.split("-")
            if len(parts) != 2 or parts[0] == parts[1] or not set(parts) <= set(languages):
                yield (
                    f"settings.{kind}.pairs: {pair!r} is not a pair of two of the languages "
                    f"{', '.join(languages)}"
                )
    corpus = config["corpus"]
    for key in corpus if corpus["source"] != "wikipedia" else ():
        if key not in ("name", "source", "path"):
            yield f"corpus.{key}: a key of the source wikipedia, not of {corpus['source']}"
    yield from _wrong_wikipedia(corpus) if corpus["source"] == "wikipedia" else ()
    for key in ("bags.unique_words", "splits.query_unique_words"):
        section, name = key.split(".")
        bounds = config[section].get(name)
        if bounds and bounds[0] > bounds[1]:
            yield f"{key}: expected [least, most], found {bounds}"
    for name, options in systems.items():
        yield from _wrong_options(name, options)


def _wrong_wikipedia(corpus: Mapping[str, Any]):
    try:
        Settings.from_config(corpus)
    except UserError as error:
        yield str(error)
    try:
        re.compile(corpus.get("exclude_titles", ""))
    except re.error as error:
        yield f"corpus.exclude_titles: not a regular expression ({error})"


def _wrong_options(name: str, options: Mapping[str, Any]):
    try:
        known = constant(system_source(name, options.get("module")), "DEFAULTS", {})
    except UserError as error:
        yield str(error)
        return
    for key, value in options.items():
        if key == "module":
            continue
        if key not in known:
            yield _unknown(f"systems.{name}.", key, [*known, "module"])
        elif not _fits(value, known[key]):
            yield (
                f"systems.{name}.{key}: expected something like {known[key]!r}, found {value!r}"
                f"{_hint(value)}"
            )


def _fits(value: Any, default: Any) -> bool:
    """Whether a value is of the kind of the default: None takes all, text also a number."""
    if default is None or isinstance(default, bool):
        return default is None or isinstance(value, bool)
    if isinstance(default, list):
        return isinstance(value, list) and all(_fits(x, default[0]) for x in value if default)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(default, str):
        return is_number or (isinstance(value, str) and not _hint(value))
    return is_number and (isinstance(default, float) or isinstance(value, int))


def _hint(value: Any) -> str:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return ""
    return f"; YAML takes that for text, write {number!r}" if isinstance(value, str) else ""
