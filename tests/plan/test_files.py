"""Files that the configuration names."""

import re
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.plan import files
from cr5.plan.config import validated
from cr5.plan.notices import obstacles
from cr5.plan.plan import Plan

pytestmark = pytest.mark.usefixtures("folder")

HELP = {"name": "h", "source": "libreoffice_help"}
JSONL = {"name": "j", "source": "files", "path": "{language}"}


def with_aligner(corpus=HELP, **sentences):
    alignments = {"aligner": "eflomal", "sentences": sentences}
    return validated({"corpus": corpus, "languages": ["en", "da"], "alignments": alignments})


def test_the_aligner_reads_parallel_files_as_a_task_does():
    given = with_aligner(JSONL, path="{language}", most=5)
    assert [*files.bundles(given)] == ["alignments"]
    assert given.readers["alignments"].part.candidates == 5
    assert files.bundles(with_aligner()) == {}
    with pytest.raises(UserError, match=r"^alignments\.sentences: "):
        files.bundles(with_aligner(JSONL, path="x"))


def test_what_is_fetched_has_an_address_of_http_and_pairs_to_align_have_files():
    given = {"corpus": JSONL, "languages": ["da", "en", "it"], "systems": {"word_by_word": {}}}

    def of(path):
        made = {"aligner": "eflomal", "sentences": {"path": "{first}-{second}.{language}"}}
        return validated({**given, "vectors": {"path": path}, "alignments": made})

    for name in ("da-en.da", "da-en.en", "da-it.da", "da-it.it"):
        Path(name).write_text("x")
    with pytest.raises(UserError, match="no parallel files of en and it, which train together"):
        files.bundles(of("{language}"))
    for name in ("en-it.en", "en-it.it"):
        Path(name).write_text("x")
    assert files.elsewhere(of("https://h/{language}")) == [
        "https://h/da",
        "https://h/en",
        "https://h/it",
    ]
    with pytest.raises(UserError, match="ftp://h/da: expected an address with http"):
        files.elsewhere(of("ftp://h/{language}"))


def with_words(where=None, settings=None, **corpus):
    words = {} if where is None else {"dictionaries": where}
    return {
        "corpus": {"name": "x", "source": "libreoffice_help", **corpus},
        "languages": ["vi", "en", "da"],
        "settings": settings or {"two": {"kind": "pairwise", "pairs": ["en-da", "da-vi"]}},
        "tasks": {"documents": {}, "mine": {"module": "lexicon_induction", **words}},
    }


def of_words(given, name="mine"):
    return files.pair_files(validated(given), name)


def test_freedict_s_packages_are_fetched_for_the_pairs_that_are_searched():
    found = of_words(with_words())
    assert (found.where, found.is_elsewhere, found.here) == ("freedict", True, [])
    assert set(found.pairs) == {("da", "en"), ("en", "da"), ("da", "vi"), ("vi", "da")}
    assert of_words(with_words(), "documents") is None


def test_of_a_path_for_each_pair_those_files_count_that_are_there():
    with pytest.raises(UserError, match=r"tasks\.mine\.dictionaries: there is no file .*da-en"):
        of_words(with_words("{source}-{target}"))
    Path("vi-da").write_text("x")
    Path("vi-en").write_text("not searched")
    found = of_words(with_words("{source}-{target}"))
    assert (found.is_elsewhere, found.here) == (False, [Path("vi-da")])


def test_dictionaries_to_learn_from_are_those_of_all_that_train_together():
    section = {"dictionary": {"dictionaries": "{source}-{target}"}}
    given = with_words(settings={"joint": {"kind": "joint"}}) | section
    with pytest.raises(UserError, match=r"^dictionary\.dictionaries: "):
        of_words(given, "dictionary")
    Path("vi-en").write_text("x")
    found = of_words(given, "dictionary")
    assert found.here == [Path("vi-en")]
    assert len(found.pairs) == 6
    assert "dictionary" not in validated(with_words()).readers


@pytest.mark.parametrize(
    ("corpus", "said"),
    [
        (
            {"source": "europarl", "path": "talks/{language}"},
            "talks/DA: expected a folder with files",
        ),
        ({"source": "libreoffice_help", "path": "help"}, r"help: expected libreoffice-help-da_\*"),
        ({"source": "wikipedia", "base": "help"}, r"dawiki: nothing complete of latest"),
        ({"source": "wikipedia"}, r"corpus\.contact: "),
    ],
)
def test_texts_that_are_not_there_are_told_before_any_job_until_they_are_read(corpus, said):
    Path("help").mkdir()
    config = validated({"corpus": {"name": "x", **corpus}, "languages": ["DA", "en"]})
    found = [*obstacles(Plan(config, lambda path: None))]
    of_languages = 1 if "contact" in said else 2
    assert len(found) == of_languages and re.search(said, found[0])
    for folder in ("documents/da", "pins/en.json"):
        Path("results/x", folder).mkdir(parents=True)
    assert len([*obstacles(Plan(config, lambda path: None))]) == of_languages % 2
