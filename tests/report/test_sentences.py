from cr5.report.sentences import notes

BUNDLE = {
    "name": "da-en",
    "languages": ["en", "da"],
    "of_corpus": False,
    "min_words": 2,
    "pairs": [
        {"first": "da", "second": "en", "lines": 1200, "kept": 1, "empty": 2, "short": 3}
        | {"double": 4}
    ],
}


def test_what_was_left_out_of_files_and_which_pairs_have_none():
    assert notes([BUNDLE], ["vi", "en", "da"]) == [
        "Parallel lines: da–en 1,200, of these 2 empty, 4 with the words of another, 3 of fewer "
        "than 2 words. The others can be asked for.",
        "No parallel file: da–vi, en–vi.",
    ]


def test_no_sentence_has_fewer_words_than_one():
    [said, _] = notes([{**BUNDLE, "min_words": 1}], ["vi", "en", "da"])
    assert said.endswith("2 empty, 4 with the words of another. The others can be asked for.")


def test_of_paragraphs_and_of_other_tasks():
    [said] = notes([{**BUNDLE, "of_corpus": True}], ["en", "da"])
    assert said.startswith("Paragraphs that a language of the pair has: da–en 1,200, of these 2 in")
    assert notes([], ["en", "da"]) == []
