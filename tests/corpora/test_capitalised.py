from cr5.corpora.capitalised import without


def test_words_that_begin_with_a_capital_letter_are_gone():
    text = (
        "Ada Lovelace skrev et program; Åse så McDonald's æble. (Øl) iPhone 3D ǅungla E\u0301mile"
    )
    [(concept, title, left)] = without([("Q1", "Ada Lovelace", text)])
    assert (concept, title) == ("Q1", "Ada Lovelace")
    # the s behind an apostrophe is a word of its own to the tokeniser, too
    assert left.split() == ["skrev", "et", "program;", "så", "'s", "æble.", "(", ")", "iPhone", "3"]
