"""Read the configuration: fill in all defaults, or report all mistakes."""

import datetime
import json
import math
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from pydantic import ValidationError

from cr5.base.errors import UserError
from cr5.fitting.validation_options import OWN
from cr5.plan.mistakes import listed, sentences
from cr5.plan.options import needs_of
from cr5.plan.renamed import understood
from cr5.plan.schema import ADAPTER, Configuration
from cr5.plan.setting_kinds import KINDS

SURROGATE = re.compile("[\ud800-\udfff]")
SECTIONS = {x.name for x in fields(Configuration) if x.default_factory is not MISSING}
LISTS_OF_SECTIONS = ("systems", "tasks", "settings")


def validated(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration with all defaults filled in, as JSON types.

    Keys that are not given and have no default are left out.

    Raises:
        UserError: it lists every mistake: key, what was expected and what was found.
    """
    config, _ = understood(_as_meant(config))
    try:
        # As JSON, where lists are lists and numbers are not text, so that pydantic can be strict.
        full = ADAPTER.validate_json(json.dumps(config), strict=True, context=_systems(config))
    except ValidationError as error:
        raise listed(sentences(error, Configuration)) from None
    return ADAPTER.dump_python(full, mode="json", exclude_none=True)


def needs(config: Mapping[str, Any], system: str) -> tuple[str, ...]:
    """Return what a system gets besides the documents, see `options.NEEDS`."""
    return needs_of(system, config["systems"][system])


def term_frequency(config: Mapping[str, Any], system: str) -> str:
    """Return how counts enter a system's features: by its own option, or by `weighting`."""
    own = config["systems"][system].get("term_frequency")
    return own or config["weighting"]["term_frequency"]


def validation_task(config: Mapping[str, Any], system: str) -> str:
    """Return the task that chooses a system's hyperparameters: its own, or `validation.task`."""
    return config["systems"][system].get(OWN) or config["validation"]["task"]


def keeps_documents(config: Mapping[str, Any]) -> bool:
    """Return whether models keep their training documents, by which hubs are corrected."""
    return config["evaluation"]["csls_neighbourhood"] == "training"


def _systems(config: Mapping[str, Any]) -> list[str] | None:
    found = config.get("systems")
    return list(found) if isinstance(found, dict) else None


def _as_meant(config: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve what YAML leaves open: dates, empty sections, a setting's kind."""
    config = _plain(config, "")
    config = {key: x for key, x in config.items() if x is not None or key not in SECTIONS}
    for section in LISTS_OF_SECTIONS:
        if isinstance(config.get(section), dict):
            config[section] = {k: {} if x is None else x for k, x in config[section].items()}
    evaluation = config.get("evaluation")
    if isinstance(evaluation, dict) and type(evaluation.get("examples")) in (int, float):
        evaluation["examples"] = {"queries": evaluation["examples"]}
    for name in KINDS:
        setting = config["settings"].get(name) if isinstance(config.get("settings"), dict) else None
        if isinstance(setting, dict):
            setting.setdefault("kind", name)
    return config


def _plain(value: Any, place: str) -> Any:
    """Copy for JSON: keys become text, and so does what YAML took for a date."""
    if isinstance(value, Mapping):
        for key in value:
            _check_text(str(key), place)
        if len({str(key) for key in value}) < len(value):
            raise UserError(
                f"The configuration has a key twice, as a number and as text: {place.lstrip('.')}: "
                f"{', '.join(map(repr, value))}; keep one."
            )
        return {str(key): _plain(x, f"{place}.{key}") for key, x in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(x, f"{place}[{i}]") for i, x in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise UserError(
            f"The configuration has a number that is none: {place.lstrip('.')}: {value}; give a "
            "finite one."
        )
    if isinstance(value, str):
        _check_text(value, place)
    return value.isoformat() if isinstance(value, datetime.date) else value


def _check_text(text: str, place: str) -> None:
    """Reject a lone surrogate, which an escape can write but no file can hold."""
    if SURROGATE.search(text):
        raise UserError(
            f"The configuration has a text that cannot be kept: {place.lstrip('.')}: {text!a:.80}; "
            "write the whole character in the place of the escape."
        )
