"""Texts that are not there: what a run says before any job, and what there is instead."""

import pytest

from tests.kit.run import small

pytestmark = pytest.mark.slow

EXPECTED = (
    "content/it: no folder with pages of 'it'; beside it there are da, en; correct the path, or "
    "say in `codes` what folders call the language"
)


@pytest.mark.parametrize("arguments", [(), ("--dry-run",)])
def test_a_folder_that_no_language_is_called_by_is_refused_with_those_that_there_are(
    tmp_path, arguments
):
    corpus = {"name": "pages", "source": "folders", "path": "content/{language}/*.md"}
    run = small(tmp_path, corpus=corpus, languages=["da", "en", "it"], systems={"cr5": {}})
    for language in ("da", "en"):
        folder = tmp_path / "content" / language
        folder.mkdir(parents=True)
        (folder / "first.md").write_text("# A title\n\nA text.\n")
    refused = run(*arguments, check=False)
    assert refused.returncode != 0
    assert " ".join(refused.stdout.split()).count(EXPECTED) == 1
    assert "Missing input files" not in refused.stdout
    assert not (run.results / "documents").exists()
