from cr5.report import all_figures, all_tables
from cr5.report.items import FIGURE, KINDS, TABLE, items


def test_the_most_telling_come_first():
    found = items(
        [
            ("figures/validation", "validation", ""),
            ("tables/tasks/my_words", "task", "my_words"),
            ("tables/tasks/a", "task", "a"),
            ("figures/precision_at_k_pairs", "precision_at_k_pairs", "csls"),
            ("tables/systems", "systems", ""),
        ]
    )
    assert [item.title for item in found] == [
        *("All systems", "Success@k, each pair", "Task: a", "Task: my words", "Validation")
    ]
    assert found[0].path == "tables/systems.html"
    assert found[-1].path == "figures/validation.svg"


def test_every_table_and_figure_is_described():
    endings = {kind: KINDS[kind][0] for kind in KINDS}
    assert endings == dict.fromkeys(all_tables.KINDS, TABLE) | dict.fromkeys(
        all_figures.KINDS, FIGURE
    )
