"""What tables and figures need of a run's configuration; what in it was published before."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pandas as pd

from cr5.base.parts import SYSTEMS, TASKS
from cr5.fitting.seeds import SECTION
from cr5.plan import paper, protocols, shown
from cr5.plan.config import needs
from cr5.plan.kinds import KINDS
from cr5.plan.made_with import options_of_fit
from cr5.plan.matrix import main_task, settings
from cr5.plan.names import module_of
from cr5.report.reproduction import plan


def told(config: Mapping[str, Any], configuration: str) -> dict[str, Any]:
    """Return settings by name, see `report.run_files`.

    Args:
        config: validated.
        configuration: its checksum, which all tables and figures name.
    """
    main, tasks = main_task(config), list(config["tasks"])
    return {
        "configuration": configuration,
        "corpus": config["corpus"]["name"],
        "seed": config["seed"],
        "languages": config["languages"],
        "shown": sorted(shown.examples(config, main).setting.languages),
        "main_task": main,
        "unlike": {task: paper.unlike(config, task) for task in tasks},
        "unlike_paper": paper.unlike(config),
        "printed": {task: paper.table(config, task) for task in tasks},
        "seeded": [x for x in config["systems"] if {"seeds", "vectors"} <= {*needs(config, x)}],
        "translated": [x for x in tasks if module_of(config, "tasks", x) == "lexicon_induction"],
        "classified": [x for x in tasks if module_of(config, "tasks", x) == "classification"],
        "learnt": SECTION,
        "fits": fits(config),
        "absent": absent(),
        "similarity": config["evaluation"]["measures"][0],
        "examples": config["evaluation"]["examples"],
        "unique_words": config["bags"]["unique_words"],
        "points": [asdict(point) for point in shown.add_data(config)],
        "crowding": shown.drawn_there(config),
    }


def fits(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return each system in each setting and task, by facts rather than names.

    Args:
        config: validated.

    Returns:
        setting, system, task; kind and languages of the setting; system_module, task_module;
        task_options; options of the system, and their defaults; unlike: differences of the corpus
        and this setting from the paper's by protocol, a clause each.
    """
    return [
        {
            "setting": setting.name,
            "kind": setting.kind,
            "languages": list(setting.languages),
            "system": system,
            "system_module": module_of(config, "systems", system),
            "task": task,
            "task_module": module_of(config, "tasks", task),
            "task_options": config["tasks"][task],
            "options": options_of_fit(config["systems"][system]),
            "defaults": _defaults(system, config["systems"][system]),
            "unlike": {
                "cr5": paper.unlike(_only(config, setting.series), task)
                + paper.unlike_of_system(config, system, task),
                **protocols.unlike(config, task),
            },
        }
        for setting in settings(config).values()
        for system in setting.systems
        for task in setting.tasks
    ]


def absent() -> dict[str, list[str]]:
    """Return the kinds of settings, systems and tasks of the plan that this project lacks."""
    there = {"kind": KINDS, "system": SYSTEMS.known(), "task": TASKS.known()}
    planned = plan()
    return {
        part: [name for name in _names(planned[part]) if name not in names]
        for part, names in there.items()
    }


def _defaults(system: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the system's part has where its entry says nothing."""
    fields = SYSTEMS.kind(system, options).model_fields.items()
    defaults = {x: y.get_default(call_default_factory=True) for x, y in fields}
    return json.loads(json.dumps(defaults))


def _names(column: pd.Series) -> list[str]:
    """Return the distinct names; a cell may have several, separated by spaces."""
    return list(dict.fromkeys(name for cell in column for name in cell.split()))


def _only(config: Mapping[str, Any], series: str) -> dict[str, Any]:
    """Return the configuration with one setting: differences of others do not matter."""
    return {**config, "settings": {series: config["settings"][series]}}
