"""The configurations of Gupta et al. (2017), on small made-up files in the layouts of its data."""

import itertools
import subprocess

import numpy as np
import pandas as pd
import pytest
import yaml

from cr5.base import sealed_json
from cr5.splits.drawn import Draw
from tests.tiny_run import ROOT

pytestmark = pytest.mark.slow

N_SENTENCES, N_TITLES, N_ARTICLES, N_TOPICS = 400, 80, 60, 10
PARTS = {"train": 300, "validation": 340, "test": 400}  # the last sentence of each
LETTERS = {"en": "bdgklmnprt", "hi": "कगचजटडतदनपम"}
SUBJECTS = [f"{x}{y}" for x in range(10) for y in range(2)]
SMALL = {
    "xcnn": {"dimension": 16, "stage1_epochs": 2, "epochs": 5},
    "mono_xcnn": {"dimension": 16, "stage1_epochs": 2},
    "s2net": {"dimension": 16, "epochs": 2},
    "cl_lsi": {"dimensions": [128]},
    "opca": {"dimensions": [128]},
}
TASKS = {"fire": ("en", "hi"), "fire_known": ("en", "hi"), "fire_hindi": ("hi", "hi")}
METRICS = ("nDCG@1", "nDCG@5", "nDCG@10", "AP", "RR")


def word(language, subject, number):
    """The same number of a subject is the same word in both languages."""
    own = LETTERS[language]
    return "".join(own[int(digit)] + ("a" if language == "en" else "") for digit in subject) + (
        own[number] * 2 + ("o" if language == "en" else "")
    )


def texts(generator, n, length):
    """Subject and words, in both languages, of n texts on one subject each."""
    for _ in range(n):
        subject = SUBJECTS[generator.integers(len(SUBJECTS))]
        numbers = generator.integers(10, size=length)
        yield subject, {x: " ".join(word(x, subject, k) for k in numbers) for x in LETTERS}


def write(folder, generator):
    """HindEnCorp's sentences and FIRE's articles, topics and judgements; titles and stop words."""
    folder.mkdir(parents=True)
    for language, words in (("en", "the\n"), ("hi", "का\n")):
        (folder / f"stop_words.{language}.txt").write_text(words)
        (folder / f"stop_words_mt.{language}.txt").write_text("का\n")
    sentences = [text for _, text in texts(generator, N_SENTENCES, 8)]
    divide(folder, sentences)
    divided = (folder / "sentences.tsv").read_text().splitlines()[1:]
    concepts = [row.partition("\t")[0] for row in divided]
    rows = [
        f"{concept}\t{x['hi'].partition(' ')[2]}\t{x['hi']}"
        for concept, x in zip(concepts, sentences, strict=True)
    ]
    (folder / "sentences_mt.tsv").write_text("\n".join(["concept\ten\thi", *rows, ""]))
    titles = [f"{i}\t{x['hi']}\n" for i, (_, x) in enumerate(texts(generator, N_TITLES, 5))]
    tested = f"{N_TITLES}\t {sentences[-1]['hi'].replace(' ', '  ')}\n"
    (folder / "titles.hi.tsv").write_text("".join([*titles, tested]))
    articles = list(texts(generator, N_ARTICLES, 12))
    (folder / "articles.hi.trec").write_text(
        "".join(
            f"<DOC>\n<DOCNO>navbharat-{i}</DOCNO>\n<TEXT>\n{x['hi']}\n</TEXT>\n</DOC>\n"
            for i, (_, x) in enumerate(articles)
        )
    )
    asked = sorted({subject for subject, _ in articles})[:N_TOPICS]
    for language in LETTERS:
        topics = [topic(language, 126 + i, subject) for i, subject in enumerate(asked)]
        content = '<?xml version="1.0"?>\n<topics>\n' + "".join(topics) + "</topics>\n"
        (folder / f"topics.{language}.xml").write_text(content)
    for language in LETTERS:
        (folder / f"topics_mt.{language}.xml").write_text(content.replace('"hi"', f'"{language}"'))
    qrels = [
        f"{126 + i} 0 navbharat-{d} {int(of == subject)}\n"
        for i, subject in enumerate(asked)
        for d, (of, _) in enumerate(articles)
        if of == subject or d < 5
    ]
    (folder / "articles.hi.qrels").write_text("".join(qrels))


def divide(folder, sentences):
    """Have the recipe of xcnn.yaml, with smaller numbers, divide pairs in HindEnCorp's layout."""
    program = (ROOT / "config" / "papers" / "xcnn.awk").read_text()
    for theirs, ours in zip((125_000, 126_000, 150_000), PARTS.values(), strict=True):
        program = program.replace(str(theirs), str(ours))
    few = [{"en": "The ba the bo", "hi": "क ख ग"}, {"en": "ba be bi", "hi": "का क ख का"}]
    more = [{"en": "too late now", "hi": "क ख ग"}]
    lines = [f"x\t1\t1\t{x['en']}\t{x['hi']}\n" for x in [*few, *sentences, *more]]
    lists = [str(folder / f"stop_words.{x}.txt") for x in LETTERS]
    with (folder / "sentences.tsv").open("w") as file:
        subprocess.run(
            ["awk", program, *lists, "pairs=1", "-"],
            input="".join(lines),
            stdout=file,
            text=True,
            check=True,
        )


def topic(language, number, subject):
    """Of the first topic half the words are known, of the second none."""
    known = {126: 2, 127: 0}.get(number, 4)
    words = [word(language, subject, k) for k in range(known)]
    words += [LETTERS[language][k] * 5 for k in range(4 - known)]
    title = f"<title>{' '.join(words)}</title>"
    return f'<top lang="{language}">\n<num>{number}</num>\n{title}\n<desc>x</desc>\n</top>\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory, new_run_in):
    """The results of the paper's configuration."""
    return results_of("xcnn", new_run_in(tmp_path_factory.mktemp("fire") / "run"))


def results_of(name, run):
    """Results of a configuration in which only sizes are others, and where its data are."""
    write(run.folder / "data" / "xcnn", np.random.default_rng(1))
    config = yaml.safe_load((ROOT / "config" / "papers" / f"{name}.yaml").read_text())
    config["corpus"]["name"] = "tiny"
    for setting in config["settings"].values():
        setting["concepts"] = [PARTS["train"]]
    for system, options in config["systems"].items():
        options |= SMALL.get(system, {})
    config["evaluation"]["run_depth"] = N_ARTICLES
    config |= {"threads": {"fit": 2, "rank": 2}, "memory_mb": 2000}
    (run.folder / "tiny.yaml").write_text(yaml.safe_dump(config))
    run()
    return run.results, run.folder / "data" / "xcnn"


def test_every_published_cell_has_a_figure(made):
    table = published(made[0])
    assert set(table["table"]) == {"1", "2", "3", "4"}
    ours = table[table["ours"].notna()]
    assert set(ours["verdict"]) == {"other corpus"}  # as they are few
    missing = table[table["ours"].isna()]
    assert set(zip(missing["row_system"], missing["verdict"], strict=True)) == {("MT", "missing")}


def test_the_first_sentences_train_and_the_last_test_but_those_of_few_words(made):
    results, data = made
    rows = [row.split("\t") for row in (data / "sentences.tsv").read_text().splitlines()]
    assert rows[0] == ["concept", "en", "hi"]
    counts = pd.Series([concept.split("/")[0] for concept, *_ in rows[1:]]).value_counts()
    assert counts.to_dict() == {"train": 300, "validation": 40, "test": 60}
    assert rows[-1][0] == "test/400"
    drawn = Draw.load(results / "draws" / "1")
    assert set(drawn.held_out("test")) == {concept for concept, *_ in rows[-60:]}
    trained = pd.read_parquet(results / "settings" / "low_resource_en-hi_300" / "1.parquet")
    assert set(trained["concept"]) == {concept for concept, *_ in rows[1:301]}


def test_a_title_that_is_a_test_sentence_is_told(made):
    [said] = sealed_json.read(made[0] / "seen.json")["warnings"]
    assert said.startswith("channels: 1 texts, such as ")
    assert "in hi are searched or asked for in tests" in said
    assert said.rpartition(" in hi ")[2] in (made[0] / "report.html").read_text()


def test_those_of_machine_translation_have_one_where_english_is_translated(
    made, tmp_path, new_run_in
):
    """Translations are the Hindi sentences but for their first words, so nearly all are found."""
    results = results_of("xcnn_mt", new_run_in(tmp_path / "run"))[0]
    ones, others = (Draw.load(x / "draws" / "1").held_out("test") for x in (made[0], results))
    assert list(ones) == list(others)  # so that what each got can be compared
    table = published(results)
    ours = table[table["row_system"] == "MT"].set_index(["table", "metric"])["ours"]
    assert ours.index.value_counts().to_dict() == dict.fromkeys(
        [("1", "MRR"), *itertools.product("34", ["nDCG@1", "nDCG@5", "nDCG@10", "MAP", "MRR"])], 1
    )
    assert ours["1", "MRR"] > 90
    assert ours.notna().all()
    assert set(table.loc[table["ours"].notna(), "row_system"]) == {"MT"}


def published(results):
    table = pd.read_csv(results / "tables" / "reproduction.csv", dtype={"table": str})
    return table[table["paper"] == "XCNN"]


def test_a_query_is_left_out_only_where_known_words_are_asked_for(made):
    results, *_ = made
    scores = pd.read_csv(results / "tables" / "scores.csv")
    for task, pair in TASKS.items():
        found = scores[scores["task"] == task]
        assert set(found[["query", "target"]].itertuples(index=False, name=None)) == {pair}
        assert set(found["n_queries"]) == {N_TOPICS - 2 * (task == "fire_known")}
        assert set(found["n_candidates"]) == {N_ARTICLES}


def test_figures_are_those_of_ir_measures_on_the_run_files_and_fire_s_own_judgements(made):
    ir_measures = pytest.importorskip("ir_measures", reason="ir-measures is not installed")
    results, data = made
    scores = pd.read_csv(results / "tables" / "scores.csv").set_index(["task", "system", "metric"])
    judged = list(ir_measures.read_trec_qrels(str(data / "articles.hi.qrels")))
    measures = [ir_measures.parse_measure(x) for x in METRICS]
    found = sorted(results.glob("runs/*/*/1/fire*/*.run"))
    assert {path.parent.name for path in found} == set(TASKS)
    for path in found:
        task, system = path.parent.name, path.parents[2].name
        run = list(ir_measures.read_trec_run(str(path)))
        asked = {x.query_id for x in run}
        theirs = ir_measures.calc_aggregate(
            measures, [x for x in judged if x.query_id in asked], run
        )
        for measure, value in theirs.items():
            ours = scores.loc[(task, system, str(measure)), "value"]
            assert ours == pytest.approx(value, rel=1e-5)  # six digits are written


def test_sentences_are_found_by_what_was_learnt(made):
    """A dozen words of a subject: chance is about 1 in 20 even for who knows the subject alone."""
    results, *_ = made
    scores = pd.read_csv(results / "tables" / "scores.csv")
    found = scores[(scores["task"] == "documents") & (scores["metric"] == "RR")]
    by_system = found.groupby("system")["value"].mean()
    chance = sum(1 / rank for rank in range(1, 61)) / 60
    assert (by_system[["cl_lsi", "opca"]] > 3 * chance).all()
