"""The rules of each stage of a run, in order."""

from collections.abc import Mapping

STAGES = {
    "corpus": "source fetch pins download concepts part documents notes pinned dictionaries "
    "aligned channel",
    "bags": "bags",
    "splits": "draw setting seen",
    "tasks": "task_data task_tables",
    "alignments": "align",
    "vectors": "vectors given_vectors",
    "fits": "fit",
    "ranks": "rank",
    "scores": "scores runs",
    "tables": "tables quick_tables",
    "figures": "figures",
    "report": "explore report_page report_items quick all default",
}
OF_RULE = {rule: stage for stage, rules in STAGES.items() for rule in rules.split()}
NO_WORK = ("all", "default", "quick", "report_items")  # rules that only collect other rules' files


def stage_of(rule: str) -> str:
    """Return the stage of a rule; an unknown rule is its own stage."""
    return OF_RULE.get(rule, rule)


def by_stage(rules: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of jobs by stage, in order."""
    found: dict[str, int] = {}
    for rule, count in rules.items():
        if rule not in (*NO_WORK, "total"):
            found[stage_of(rule)] = found.get(stage_of(rule), 0) + count
    order = list(STAGES)
    known = [x for x in order if x in found]
    return {x: found[x] for x in [*known, *(y for y in found if y not in order)]}
