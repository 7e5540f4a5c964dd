"""The parts of a run's configuration that its tables and figures need."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cr5.fitting.seeds import SECTION
from cr5.plan import curves, examples, paper, reproduction
from cr5.plan.matrix import main_task
from cr5.plan.shown import module_of


def told(config: Mapping[str, Any], configuration: str) -> dict[str, Any]:
    """Return settings by name, see `report.run_files`.

    Args:
        config: validated.
        configuration: its checksum, which all tables and figures name.
    """
    main, tasks = main_task(config), list(config["tasks"])
    rows = examples.shown(config, main)
    return {
        "configuration": configuration,
        "corpus": config["corpus"]["name"],
        "seed": config["seed"],
        "languages": config["languages"],
        "shown": sorted({x for row in rows for x in row.setting.languages}),
        "main_task": main,
        "unlike": {task: paper.unlike(config, task) for task in tasks},
        "unlike_paper": paper.unlike(config),
        "printed": {task: paper.table(config, task) for task in tasks},
        "classified": [x for x in tasks if module_of(config, x) == "classification"],
        "learnt": SECTION,
        "fits": reproduction.fits(config),
        "absent": reproduction.absent(),
        "similarity": config["evaluation"]["measures"][0],
        "examples": config["evaluation"]["examples"],
        "unique_words": config["bags"]["unique_words"],
        "points": [asdict(point) for point in curves.add_data(config)],
        "crowding": curves.drawn_there(config),
    }
