from cr5.report.items import OTHERS, items


def test_the_most_telling_come_first_and_what_is_not_known_last():
    paths = ["figures/validation.svg", "tables/mine.html", "tables/tasks/my_words.html"]
    paths += ["figures/precision_at_k_csls.svg", "tables/systems.html", "tables/systems.csv"]
    found = items(paths)
    assert [item.title for item in found] == [
        *("All systems", "Precision at k, CSLS", "Task: my words", "Validation", "mine")
    ]
    assert found[0].path == "tables/systems.html"
    assert found[-1].group == OTHERS


def test_the_figure_of_all_systems_is_no_measure():
    [item] = items(["figures/precision_at_k_all.svg"])
    assert "panel per direction" in item.caption
