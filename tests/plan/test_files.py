"""Files that the configuration names."""

import re
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.plan import files
from cr5.plan.config import validated
from cr5.plan.notices import missing, obstacles
from cr5.plan.plan import Plan

pytestmark = pytest.mark.usefixtures("folder")

HELP = {"name": "h", "source": "libreoffice_help"}
JSONL = {"name": "j", "source": "files", "path": "{language}"}


def with_aligner(corpus=HELP, **sentences):
    alignments = {"aligner": "eflomal", "sentences": sentences}
    return validated({"corpus": corpus, "languages": ["en", "da"], "alignments": alignments})


def test_the_aligner_reads_parallel_files_as_a_task_does():
    config = with_aligner(JSONL, path="{language}", most=5)
    assert list(files.bundles(config)) == ["alignments"]
    assert config.all_tasks["alignments"].part.candidates == 5
    assert files.bundles(with_aligner()) == {}
    with pytest.raises(UserError, match=r"^alignments\.sentences: "):
        files.bundles(with_aligner(JSONL, path="x"))


def test_what_is_fetched_has_an_address_of_http_and_pairs_to_align_have_files():
    keys = {
        "corpus": JSONL,
        "languages": ["da", "en", "it"],
        "systems": {"word_by_word": {}},
        "alignments": {
            "aligner": "eflomal",
            "sentences": {"path": "{first}-{second}.{language}"},
        },
    }

    def with_vectors(path):
        return validated({**keys, "vectors": {"path": path}})

    for name in ("da-en.da", "da-en.en", "da-it.da", "da-it.it"):
        Path(name).write_text("x")
    with pytest.raises(UserError, match="no parallel files of en and it, which train together"):
        files.bundles(with_vectors("{language}"))
    for name in ("en-it.en", "en-it.it"):
        Path(name).write_text("x")
    assert files.addresses_to_fetch(with_vectors("https://h/{language}")) == [
        "https://h/da",
        "https://h/en",
        "https://h/it",
    ]
    with pytest.raises(UserError, match=r"^vectors\.path: ftp://h/da: expected an address"):
        files.addresses_to_fetch(with_vectors("ftp://h/{language}"))


TWO_PAIRS = {"two": {"kind": "pairwise", "pairs": ["en-da", "da-vi"]}}


def with_words(settings=TWO_PAIRS, **keys_of_task):
    task = {"module": "lexicon_induction", **keys_of_task}
    return {
        "corpus": HELP,
        "languages": ["vi", "en", "da"],
        "settings": settings,
        "tasks": {"documents": {}, "mine": task},
    }


def pair_files_of(keys, task="mine"):
    return files.pair_files(validated(keys), task)


def test_freedict_s_packages_are_fetched_for_the_pairs_that_are_searched():
    packages = pair_files_of(with_words())
    assert packages.where == "freedict"
    assert packages.is_elsewhere
    assert packages.local_paths == []
    assert set(packages.pairs) == {("da", "en"), ("en", "da"), ("da", "vi"), ("vi", "da")}
    assert pair_files_of(with_words(), "documents") is None


def test_of_a_path_for_each_pair_those_files_count_that_are_there():
    with pytest.raises(UserError, match=r"tasks\.mine\.dictionaries: there is no file .*da-en"):
        pair_files_of(with_words(dictionaries="{source}-{target}"))
    Path("vi-da").write_text("x")
    Path("vi-en").write_text("not searched")
    dictionaries = pair_files_of(with_words(dictionaries="{source}-{target}"))
    assert not dictionaries.is_elsewhere
    assert dictionaries.local_paths == [Path("vi-da")]


def test_dictionaries_to_learn_from_are_those_of_all_that_train_together():
    section = {"dictionary": {"dictionaries": "{source}-{target}"}}
    keys = with_words(settings={"joint": {"kind": "joint"}}) | section
    with pytest.raises(UserError, match=r"^dictionary\.dictionaries: "):
        pair_files_of(keys, "dictionary")
    Path("vi-en").write_text("x")
    dictionaries = pair_files_of(keys, "dictionary")
    assert dictionaries.local_paths == [Path("vi-en")]
    assert len(dictionaries.pairs) == 6
    assert "dictionary" not in validated(with_words()).all_tasks


@pytest.mark.parametrize(
    ("corpus", "of_danish"),
    [
        (
            {"source": "europarl", "path": "talks/{language}"},
            "talks/DA: expected a folder with files",
        ),
        ({"source": "libreoffice_help", "path": "help"}, r"help: expected libreoffice-help-da_\*"),
        ({"source": "wikipedia", "base": "help"}, r"dawiki: nothing complete of latest"),
        ({"source": "folders", "path": "pages/{language}"}, "beside it there are de, fr; correct"),
    ],
)
def test_texts_that_are_not_there_are_told_before_any_job_until_they_are_read(corpus, of_danish):
    for folder in ("help", "pages/de", "pages/fr"):
        Path(folder).mkdir(parents=True)
    config = validated({"corpus": {"name": "x", **corpus}, "languages": ["DA", "en"]})
    of_each_language = list(obstacles(Plan(config, lambda path: None)))
    assert len(of_each_language) == 2
    assert re.search(of_danish, of_each_language[0])
    for folder in ("documents/da", "pins/en.json"):
        Path("results/x", folder).mkdir(parents=True)
    assert list(obstacles(Plan(config, lambda path: None))) == []


GOOD = b'{"concept": "a", "text": "one"}\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "da: there is no text in 'da'"),
        (b'{"text": "one"}\n', 'da, line 1: "concept" is missing'),
        (b'{"concept": "a", "body": "one"}\n', "da: there is no text in 'da'; .*'body'"),
        (b'{"concept": "a", "body": "one"}\n', ".* --text of a command, `corpus.text` of a"),
        (
            b'{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":0,"k":1,"l":2}\n',
            ".*'i', 'j' and 2 more;",
        ),
        (GOOD.replace(b"one", b"\xe9t\xe9"), ".*--encoding of a command, `corpus.encoding` of a"),
        (GOOD.decode().encode("utf-16-le"), "da, line 1: .*UTF-16"),
        (b"\x1f\x8b" + GOOD, "da: "),  # begins as gzip does
        (GOOD + b"not read yet", None),
    ],
)
def test_a_file_whose_first_text_cannot_be_read_is_told_before_any_job(content, message):
    Path("da").write_bytes(content)
    Path("en").write_bytes(GOOD)
    config = validated({"corpus": JSONL, "languages": ["da", "en"]})
    refusals = list(obstacles(Plan(config, lambda path: None)))
    if message is None:
        assert refusals == []
    else:
        [refusal] = refusals
        assert re.match(message, refusal)


def test_a_folder_in_place_of_a_file_is_told_with_the_source_that_reads_folders():
    Path("da").mkdir()
    config = validated({"corpus": JSONL, "languages": ["da", "en"]})
    [refusal] = obstacles(Plan(config, lambda path: None))  # of no file `missing` tells
    assert refusal.startswith("da: expected a file, found a folder; ")
    assert "`corpus.source: folders`" in refusal


def missing_by_key(**sections):
    """Return what is said to be missing, by key."""
    config = validated({"corpus": JSONL, "languages": ["da", "en", "it"], **sections})
    sentences = list(missing(Plan(config, lambda path: None)))
    assert all(str(Path.cwd()) in sentence for sentence in sentences)
    pairs = [sentence.partition("; correct the path")[0].split(": ") for sentence in sentences]
    return dict(pairs)


def test_all_files_that_are_not_there_are_told_together_by_key():
    Path("en").write_bytes(GOOD)
    sections = {
        "splits": {"given": "parts.csv"},
        "vectors": {"path": "{language}.vec"},
        "systems": {"procrustes": {"seeds": "identical"}},
    }
    assert missing_by_key(**sections) == {
        "corpus.path": "there is no da, no it",
        "vectors.path": "there is no da.vec, no en.vec, no it.vec",
        "splits.given": "there is no parts.csv",
    }
    assert missing_by_key(corpus={**JSONL, "path": "all"}) == {"corpus.path": "there is no all"}
    for name in ("da", "it", "parts.csv", "da.vec", "en.vec", "it.vec"):
        Path(name).write_bytes(GOOD)
    assert missing_by_key(**sections) == {}


def test_files_of_words_systems_and_tasks_that_are_not_there_are_told_by_key():
    for name in ("da", "en", "it", "en.q", "it.txt"):
        Path(name).write_bytes(GOOD)
    searched = {"documents": "{language}.d", "queries": "{language}.q", "qrels": "qrels"}
    labels = {"module": "classification", "path": "{language}.{part}", "labelled": ["en"]}
    channels = {"documents": "{language}.c", "languages": ["da"]}
    sections = {
        "bags": {"stop_words": "stop/{language}.txt"},
        "alignments": {"path": "{source}-{target}"},
        "channels": channels,
        "systems": {"word_by_word": {}, "read": {"module": "pretrained", "path": "{language}.m"}},
        "tasks": {
            "search": {"module": "ad_hoc", **searched},
            "sentences": {"path": "{language}.txt"},
            "labels": labels,
        },
        "settings": {"joint": {"languages": ["da", "en"]}},
    }
    assert missing_by_key(**sections) == {
        "bags.stop_words": "there is no stop/da.txt, no stop/en.txt, no stop/it.txt",
        "alignments.path": "there is no da-en, no en-da",
        "systems.read.path": "there is no da.m, no en.m",
        "tasks.search.documents": "there is no da.d, no en.d, no it.d",
        "tasks.search.queries": "there is no da.q, no it.q",
        "tasks.search.qrels": "there is no qrels",
        "tasks.sentences.path": "there is no da.txt, no en.txt",
        "tasks.labels.path": (
            "there is no da.dev, no da.test, no en.train, no en.dev, no en.test, no it.dev, "
            "no it.test"
        ),
    }


def test_vectors_that_no_system_reads_or_that_are_fetched_are_not_missing():
    for name in ("da", "en", "it"):
        Path(name).write_bytes(GOOD)
    systems = {"procrustes": {"seeds": "identical"}}
    assert missing_by_key(vectors={"path": "{language}.vec"}, systems={"cr5": {}}) == {}
    assert missing_by_key(vectors={"path": "http://h/{language}"}, systems=systems) == {}


def test_folders_that_are_not_there_are_told_once_by_their_source():
    corpus = {"name": "x", "source": "folders", "path": "pages/{language}"}
    assert missing_by_key(corpus=corpus) == {}


def test_what_is_wrong_with_a_file_of_all_languages_is_told_once():
    Path("all").write_bytes(GOOD)
    config = validated({"corpus": {**JSONL, "path": "all"}, "languages": ["da", "en"]})
    [refusal] = obstacles(Plan(config, lambda path: None))
    assert "the file is that of several languages" in refusal


def test_what_a_source_needs_for_all_languages_is_told_also_when_texts_are_read():
    corpus = {"name": "x", "source": "wikipedia"}
    plan = Plan(validated({"corpus": corpus, "languages": ["da", "en"]}), lambda path: None)
    [obstacle] = obstacles(plan)
    assert obstacle.startswith("corpus.contact: ")
    for folder in ("documents/da", "pins/en.json"):
        Path("results/x", folder).mkdir(parents=True)
    assert list(obstacles(plan)) == [obstacle]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"concept": "a", "part": "test"}\n',
            "line 1: \"split\" is missing; there is 'concept', 'part'",
        ),
        ('{"concept": "a", "split": "tests"}\n', "the split is 'tests'; expected one of train"),
        ("concept,part\na,test\n", "split"),
    ],
)
def test_the_first_row_of_a_split_that_is_given_is_read_before_any_job(
    folder, configured, content, message
):
    path = folder / "split"
    config = configured(splits={"given": "split"})
    assert list(obstacles(Plan(config, lambda path: None))) == []  # see `missing`
    path.write_text('{"concept": "a", "split": "test"}\nno JSON, which is read by its job\n')
    assert list(obstacles(Plan(config, lambda path: None))) == []
    path.write_text(content)
    [refusal] = obstacles(Plan(config, lambda path: None))
    assert re.match(f"splits.given: split.*{message}", refusal), refusal
