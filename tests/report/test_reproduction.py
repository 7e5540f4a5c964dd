"""Expected figures are read off the printed tables of the papers."""

from pathlib import Path

import pandas as pd
import pytest

from cr5.report.reproduction import (
    COLUMNS,
    SCORES,
    cells,
    judged,
    plan,
    reproduction,
)

ROOT = Path(__file__).parents[2]
NOTHING_LEFT_OUT = pd.DataFrame(columns=["setting", "system", "task", "reason"])
FOUR = ["da", "en", "it", "vi"]
ABSENT = {"kind": ["transitive"], "system": ["procrustes"], "task": ["sentences"]}
SOFT, TASK = "inverted_softmax", "lexicon_induction"
OPCA = ("opca_europarl", "opca_wikipedia", "opca_reuters", "opca_reuters_mt")
XCNN = ("xcnn_sentences", "xcnn_fire")
NO_PAIRS = pd.DataFrame(columns=["setting", "query", "target", "train"])


def fit(
    setting="joint",
    kind="joint",
    languages=FOUR,
    system="cr5",
    unlike=(),
    task="documents",
    task_options=(),
    **options,
):
    return {
        **{"setting": setting, "kind": kind, "languages": list(languages), "options": options},
        **{"system": system, "system_module": system, "task": task, "task_module": task},
        "task_options": dict(task_options),
        "defaults": {"directed": False, "rounds": 5, "centre": False, "sigma": "paper"},
        "unlike": {"cr5": list(unlike), "muse": [], "dinu": [], "wacky": ["other vectors"]}
        | {protocol: list(unlike) for protocol in (*OPCA, *XCNN)},
    }


def scores(*rows, n_candidates=200_000, task="documents"):
    """Setting, system, query, target, similarity, metric and value of each."""
    names = ["setting", "system", "query", "target", "similarity", "metric", "value"]
    frame = pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows], columns=names)
    ends = {"ci_low": frame["value"] - 0.03, "ci_high": frame["value"] + 0.03}
    counts = {"n_queries": 1000, "n_candidates": n_candidates}
    return frame.assign(task=task, **ends, **counts)[SCORES]


def compare(found, fits, pairs=NO_PAIRS, left_out=NOTHING_LEFT_OUT):
    return reproduction(found, pairs, fits, ABSENT, left_out)


def cell(compared, *place, paper="Cr5"):
    wanted = dict(zip(COLUMNS, (paper, *place), strict=False))
    chosen = compared
    for column, value in wanted.items():
        chosen = chosen[chosen[column] == value]
    [found] = chosen.to_dict("records")
    return found


def test_every_published_cell_is_there_and_has_what_makes_it():
    of_table = {paper: found["table"].value_counts() for paper, found in cells().groupby("paper")}
    assert of_table["Cr5"].to_dict() == {
        **{"1a": 72, "1b": 78, "1c": 39, "1d": 13, "1e": 13},
        **{"3": 48, "4": 54},
    }
    # 5 averages of ten directions in Table 1, 2 of eight in Table 2
    assert of_table["RCSLS"].to_dict() == {"1": 63 - 5, "2": 18 - 2, "3": 14}
    # eight systems by two metrics, and seven systems by two languages
    assert of_table["OPCA"].to_dict() == {"1": 16, "2": 16, "3": 14, "text": 2}
    # six systems by MRR; two, six and six by five metrics
    assert of_table["XCNN"].to_dict() == {"1": 6, "2": 10, "3": 30, "4": 30}
    joint = cells()[cells()["row_system"] == "Cr5 joint"]
    assert set(joint["system"]) == {"cr5"}
    assert set(joint["languages"]) == {"da en it vi"}


def test_each_row_of_the_plan_says_what_it_takes_and_names_a_configuration_that_is_there():
    commands = [each for each in plan()["command"].unique() if each]
    assert commands
    for command in commands:
        program, option, path = command.split()
        assert (program, option) == ("./run", "--configfile")
        assert (ROOT / path).is_file()
    ours = plan()[plan()["system"] != ""]
    assert len(ours) == len(plan())
    for column in ("kind", "languages", "task", "command", "data", "hours", "because"):
        assert (ours[column] != "").all(), column
    assert ours["candidates"].notna().all()
    unjudged = ours[ours["tolerance"].isna() & (ours["protocol"] != "opca_wikipedia")]
    assert unjudged["row_system"].tolist() == ["PLTM (dim=50)"]


@pytest.mark.parametrize(
    ("value", "difference", "verdict"),
    [(0.646, 2.0, "equal"), (0.606, -2.0, "equal"), (0.647, 2.1, "higher"), (0.6, -2.6, "lower")],
)
def test_a_verdict_has_two_sides(value, difference, verdict):
    """Table 1 (b): da to en, cosine, P@1 is 62.6; the tolerance is 2 points."""
    found = scores(("joint", "cr5", "da", "en", "cosine", "Success@1", value))
    row = cell(compare(found, [fit()]), "1b", "Cr5 joint", "da", "en", "cosine", "P@1")
    assert row["published"] == 62.6
    assert row["ours"] == pytest.approx(100 * value)
    assert (row["difference"], row["verdict"]) == (pytest.approx(difference), verdict)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((100 * value - 3, 100 * value + 3))
    assert (row["remark"], row["setting"]) == ("", "joint")


def test_no_verdict_on_another_corpus_or_among_few_candidates():
    rows = [("joint", "cr5", "da", "en", "cosine", "Success@1", 0.626)]
    place = ("1b", "Cr5 joint", "da", "en", "cosine", "P@1")
    row = cell(compare(scores(*rows), [fit(unlike=["the text is help"])]), *place)
    assert (row["ours"], row["verdict"], row["remark"]) == (
        62.6,
        "other corpus",
        "the text is help",
    )
    row = cell(compare(scores(*rows), [fit(rerank=[0, 0.5])]), *place)
    assert (row["verdict"], row["remark"]) == ("other corpus", "a second stage of searches")
    row = cell(compare(scores(*rows, n_candidates=566), [fit(rerank=[0])]), *place)
    assert row["verdict"] == "other corpus"
    assert row["remark"] == "there are fewer than 100,000 candidates"


def test_a_pair_has_its_own_setting():
    found = scores(
        ("two_da-en", "cr5", "en", "da", "csls", "Success@5", 0.757),
        ("two_da-vi", "cr5", "da", "vi", "csls", "Success@5", 0.1),
    )
    settings = (("da", "en"), ("da", "vi"), ("da", "it"))
    fits = [fit(f"two_{a}-{b}", "pairwise", (a, b)) for a, b in settings]
    compared = compare(found, fits)
    assert cell(compared, "1c", "Cr5 pairwise", "en", "da", "csls", "P@5")["verdict"] == "equal"
    assert cell(compared, "1c", "Cr5 pairwise", "da", "vi", "csls", "P@5")["verdict"] == "lower"
    row = cell(compared, "1c", "Cr5 pairwise", "en", "it", "csls", "P@5")
    assert (row["setting"], row["verdict"]) == ("", "missing")


@pytest.mark.parametrize(
    ("languages", "figures"), [("en es", 48 + 16), ("da en", 38), ("de sw", 0)]
)
def test_nothing_is_said_of_languages_that_the_run_does_not_have(languages, figures):
    """All of OPCA's paper are of en and es, 16 of RCSLS's, 38 of Cr5's of da and en: counted."""
    found = scores(("joint", "cr5", "da", "en", "cosine", "Success@1", 0.9))
    compared = compare(found, [fit(languages=languages.split())])
    assert list(compared) == COLUMNS
    rows = compared[["query", "target", "languages"]].itertuples(index=False)
    pairs = {f"{x} {y}" if x != y else of for x, y, of in rows}  # means, and within a language
    assert {" ".join(sorted(pair.split())) for pair in pairs} <= {languages}
    assert set(compared["verdict"]) <= {"missing"}  # no system has been run for these languages
    assert len(compared) == figures


def test_of_several_numbers_of_concepts_the_nearest():
    """Table 1 (d) has 10,000 concepts, and P@1 29.5."""
    names = ["setting", "query", "target", "train"]
    sizes = {"small": 1000, "near": 9000, "large": 22_000}
    pairs = pd.DataFrame([(x, "da", "vi", n) for x, n in sizes.items()], columns=names)
    found = scores(*[(name, "cr5", "da", "vi", "cosine", "Success@1", 0.295) for name in sizes])
    fits = [fit(name, "low_resource", ("da", "vi")) for name in sizes]
    compared = compare(found, fits, pairs)
    row = cell(compared, "1d", "Cr5 pairwise low-resource", "da", "vi", "cosine", "P@1")
    assert (row["setting"], row["verdict"]) == ("near", "equal")


def test_numbers_of_documents_are_shown_and_not_judged():
    names = ["setting", "query", "target", "train"]
    pairs = pd.DataFrame([("joint", "da", "en", 90_000), ("joint", "da", "en", 92_000)])
    found = scores(("joint", "cr5", "da", "en", "cosine", "Success@1", 0.5))
    compared = compare(found, [fit()], pairs.set_axis(names, axis=1))
    row = cell(compared, "1b", "Cr5 joint", "da", "en", "", "docs_in_intersection")
    assert (row["published"], row["ours"], row["difference"]) == (79_000, 91_000, 12_000)
    assert row["verdict"] == "not judged"
    assert judged(0.0, float("nan")) == "not judged"


def test_what_is_missing_says_what_it_lacks():
    left_out = pd.DataFrame(
        [{"setting": "joint", "system": "advrefine", "task": "documents", "reason": "too few."}]
    )
    found = scores(("joint", "cr5", "da", "en", "cosine", "Success@1", 0.5))
    fits = [fit(), fit(system="advrefine")]
    compared = compare(found, fits, left_out=left_out)

    def remark(*place):
        row = cell(compared, *place)
        assert row["verdict"] == "missing"
        assert pd.isna(row["ours"])
        return row["remark"]

    assert remark("1a", "AdvRefine", "da", "en", "cosine", "P@1") == "too few."
    assert remark("1b", "Cr5 joint", "da", "en", "cosine", "P@5").startswith("no figure by this")
    asked = remark("1c", "Cr5 pairwise", "da", "en", "cosine", "P@1")
    assert asked.startswith("this configuration does not ask for it; takes Wikipedia's dumps")
    no_kind = remark("1e", "Cr5 transitive", "da", "vi", "cosine", "P@1")
    assert no_kind.startswith("this project has no kind transitive yet; takes Wikipedia's dumps")
    both = remark("3", "Procrustes", "it", "en", "csls", "P@1")
    assert both.startswith("this project has no system procrustes and no task sentences yet")
    assert "Europarl" in both


def test_figures_of_a_system_with_options_are_compared_with_those_that_have_them():
    """RCSLS, Table 1: en to es 81.4 by Procrustes, 82.4 with refinement."""
    pair = {"kind": "pairwise", "languages": ("en", "es"), "system": "procrustes", "task": TASK}
    own = {"seeds": "dictionary", "centre": False, "directed": True, "dictionary_words": 10_000}
    fits = [fit("p", **pair, **own, rounds=n, mutual=n > 0) for n in (0, 5)]
    found = scores(("p", "procrustes", "en", "es", "csls", "Success@1", 0.814), task=TASK)
    place = ("Procrustes", "en", "es", "csls", "P@1")
    compared = compare(found, fits[:1])
    assert cell(compared, "1", *place, paper="RCSLS")["verdict"] == "equal"
    refined = ("1", "Procrustes + refine", *place[1:])
    assert cell(compared, *refined, paper="RCSLS")["verdict"] == "missing"
    compared = compare(found, fits[1:])
    assert cell(compared, *refined, paper="RCSLS")["difference"] == pytest.approx(-1)
    assert cell(compared, "1", *place, paper="RCSLS")["verdict"] == "missing"
    changed = fit("p", **pair, seeds="dictionary", rounds=0, centre=True, directed=False)
    row = cell(compare(found, [changed]), "1", *place, paper="RCSLS")
    assert row["verdict"] == "other corpus"
    assert row["remark"] == "directed is false; centre is True, not False"


def test_where_a_paper_does_not_say_the_measure_the_plan_does():
    """Cr5, Table 4: en to it 43.1 by Smith et al., whose measure is the inverted softmax.

    It is printed under "Query in Italian", and as en-it in the RCSLS paper.
    """
    pair = {"kind": "pairwise", "languages": ("en", "it"), "system": "procrustes", "task": TASK}
    rows = [
        ("p", "procrustes", "en", "it", x, "Success@1", y) for x, y in (("csls", 0.5), (SOFT, 0.43))
    ]
    compared = compare(scores(*rows, task=TASK), [fit("p", **pair, seeds="dictionary", rounds=0)])
    place = ("en", "it", "unstated", "P@1")
    for table, row, paper in (
        ("4", "Smith et al. 2017", "Cr5"),
        ("3", "Smith et al. (2017)", "RCSLS"),
    ):
        found = cell(compared, table, row, *place, paper=paper)
        assert (found["published"], found["ours"]) == (43.1, 43)
        assert (found["verdict"], found["remark"]) == ("other corpus", "other vectors")


def speeches(
    value=0.98, system="opca", train=52_000, n_candidates=18_415, measure="cosine", **changes
):
    """Table 1 of the OPCA paper: both directions of en and es, value and value - .02."""
    rows = [
        ("s", system, *pair, measure, metric, value - lower)
        for pair, lower in ((("en", "es"), 0), (("es", "en"), 0.02))
        for metric in ("Success@1", "RR")
    ]
    pairs = pd.DataFrame([("s", "en", "es", train)], columns=NO_PAIRS.columns)
    one = fit(
        "s", "pairwise", ("en", "es"), system, **{"task_options": {"min_words": 1}, **changes}
    )
    return compare(scores(*rows, n_candidates=n_candidates), [one], pairs)


BOTH = ("avg_both", "avg_both", "cosine")


@pytest.mark.parametrize(
    ("system", "published", "verdict"), [("jplsa", 98.9, "equal"), ("pltm", 81.2, "not judged")]
)
def test_long_speeches_are_those_of_the_text_and_not_of_table_1(system, published, verdict):
    """JPLSA .989, PLTM .812: 50 topics, documents of 100 words and more."""
    options = {"dimensions": [50], "task_options": {"min_words": 100}}
    compared = speeches(0.99, system, n_candidates=9000, measure="l1", **options)
    place = ("text", f"{system.upper()} (dim=50)", "avg_both", "avg_both", "unstated", "accuracy")
    row = cell(compared, *place, paper="OPCA")
    assert (row["published"], row["ours"]) == pytest.approx((published, 98))
    assert (row["verdict"], row["remark"]) == (verdict, "")
    assert set(compared.loc[compared["table"] == "1", "verdict"]) == {"missing"}


def test_fractions_and_means_over_both_directions():
    """OPCA on Europarl has an accuracy of .9742; ours .98 and .96, in the mean .97."""
    row = cell(speeches(), "1", "OPCA (dim=1000)", *BOTH, "accuracy", paper="OPCA")
    assert (row["published"], row["ours"]) == pytest.approx((97.42, 97))
    assert (row["verdict"], row["remark"]) == ("equal", "")
    assert (row["our_system"], row["our_task"], row["n_queries"]) == ("opca", "documents", 1000)
    assert pd.isna(row["ci_low"])
    row = cell(speeches(0.9), "1", "OPCA (dim=1000)", *BOTH, "MRR", paper="OPCA")
    assert (row["published"], row["verdict"]) == (pytest.approx(98.06), "lower")
    unknown = speeches(train=43_000)  # dump and choice
    row = cell(unknown, "2", "OPCA (dim=2000)", *BOTH, "accuracy", paper="OPCA")
    assert (row["published"], row["verdict"]) == (pytest.approx(72.55), "not judged")


@pytest.mark.parametrize(
    ("changes", "remark"),
    [
        ({"unlike": ["the text is not speeches of Europarl"]}, "the text is not speeches"),
        ({"train": 40_000}, "40,000 concepts train, not 52,685"),
        ({"n_candidates": 119}, "there are fewer than 18,000 candidates"),
        ({"rounds": 3}, "rounds is 3, not 5"),
        ({"rerank": [0, 0.5]}, "a second stage of searches"),
    ],
)
def test_a_stand_in_is_never_judged(changes, remark):
    row = cell(speeches(**changes), "1", "OPCA (dim=1000)", *BOTH, "accuracy", paper="OPCA")
    assert row["verdict"] == "other corpus"
    assert row["remark"].startswith(remark)


@pytest.mark.parametrize("sigma", ["paper", "exact"])
def test_topics_may_be_coupled_more_than_the_printed_value_does(sigma):
    compared = speeches(0.98, system="cplsa", measure="l1", sigma=sigma)
    place = ("CPLSA (dim=1000)", *BOTH[:2], "l1", "accuracy")
    row = cell(compared, "1", *place, paper="OPCA")
    assert (row["published"], row["verdict"]) == (pytest.approx(97.16), "equal")


def test_the_way_through_lsa_is_another_row():
    names = [f"Word-by-word (dim={x})" for x in ("N/A", 5000)]
    for via, expected in ((None, ["equal", "missing"]), ("lsa", ["missing", "equal"])):
        compared = speeches(system="word_by_word", into="en", via=via)
        rows = [cell(compared, "1", name, *BOTH, "accuracy", paper="OPCA") for name in names]
        assert [row["verdict"] for row in rows] == expected


def test_classification_within_a_language_too():
    """Table 3: OPCA .8412 of English and .5954 of Spanish, whose labels are English."""
    found = scores(
        *[("r", "opca", x, "en", "cosine", "Success@1", y) for x, y in (("en", 0.85), ("es", 0.5))],
        task="classification",
        n_candidates=13_131,
    )
    own = {"weights": "given", "merged": False, "skip_words": 0, "max_words": 10_000}
    one = fit("r", "joint", ("en", "es"), "opca", task="classification", **own)
    compared = compare(found, [one])
    for language, verdict in (("en", "equal"), ("es", "lower")):
        place = (language, "en", "cosine", "accuracy")
        row = cell(compared, "3", "OPCA (dim=100)", *place, paper="OPCA")
        assert row["verdict"] == verdict


@pytest.mark.parametrize(
    ("system", "options", "row", "published"),
    [
        ("lexical_overlap", {"paper_weights": False}, "Full MT (dim=N/A)", 53.23),
        (
            "cl_lsi",
            {"weights": "given", "merged": True, "skip_words": 0, "max_words": 10_000},
            "Full MT (dim=50)",
            64.84,
        ),
    ],
)
def test_full_machine_translation_is_judged(system, options, row, published):
    """Table 3: Spanish .5323 as translated, .6484 through LSA."""
    for value, verdict in ((published / 100, "equal"), (0.7, "higher"), (0.5, "lower")):
        found = scores(
            ("r", system, "es", "en", "cosine", "Success@1", value),
            task="classification",
            n_candidates=13_131,
        )
        one = fit("r", "joint", ("en", "es"), system, task="classification", **options)
        place = (row, "es", "en", "cosine", "accuracy")
        judged_row = cell(compare(found, [one]), "3", *place, paper="OPCA")
        assert (judged_row["published"], judged_row["verdict"]) == (published, verdict)


FIRE = {"monolingual": False, "known_words": 0.0}


def fire(value, metric="AP", direction=("en", "hi"), options=None, **changes):
    """Ours among FIRE's articles, by XCNN."""
    row = ("x", "xcnn", *direction, "cosine", metric, value)
    system = {"self_matches": True, "stage1": "channel", **changes}
    task = {"task": "ad_hoc", "task_options": options or FIRE}
    one = fit("x", "joint", ("en", "hi"), "xcnn", **task, **system)
    return compare(scores(row, task="ad_hoc", n_candidates=331_599), [one])


def test_the_options_of_a_task_say_which_table_it_makes():
    """XCNN's MAP is .0386 of all topics, .0459 of those with known words."""
    place = ("XCNN", "en", "hi", "cosine", "MAP")
    found = fire(0.04)
    row = cell(found, "3", *place, paper="XCNN")
    assert (row["published"], row["ours"]) == pytest.approx((3.86, 4))
    assert (row["verdict"], row["tolerance"]) == ("equal", 5)
    assert cell(found, "4", *place, paper="XCNN")["verdict"] == "missing"
    found = fire(0.04, options=FIRE | {"known_words": 0.8})
    assert cell(found, "3", *place, paper="XCNN")["verdict"] == "missing"
    assert cell(found, "4", *place, paper="XCNN")["ours"] == pytest.approx(4)
    assert cell(fire(0.04, stage1="random"), "3", *place, paper="XCNN")["verdict"] == "missing"


def test_a_direction_that_the_paper_does_not_state_is_the_mean_of_both():
    """XCNN, Table 1: .5328 by MRR."""
    pairs = ((("en", "hi"), 0.5), (("hi", "en"), 0.54))
    found = scores(
        *[("x", "xcnn", *pair, "cosine", "RR", x) for pair, x in pairs], n_candidates=21_500
    )
    one = fit("x", "joint", ("en", "hi"), "xcnn", self_matches=True, stage1="channel")
    row = cell(compare(found, [one]), "1", "XCNN", *BOTH, "MRR", paper="XCNN")
    assert (row["published"], row["ours"], row["verdict"]) == (53.28, 52, "equal")
