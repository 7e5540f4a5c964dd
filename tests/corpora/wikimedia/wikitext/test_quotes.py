import pytest

from cr5.corpora.wikimedia.wikitext.quotes import without_quotes


# Expected: what MediaWiki shows, by the rules of Parser::doQuotes.
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("''a'' '''b''' '''''c'''''", "a b c"),
        ("'''W'''orld '''H'''ealth", "World Health"),
        ("l'''homme''", "l'homme"),  # after one letter: apostrophe and italics
        ("dell'''arte''", "dell'arte"),  # after a word
        ("word'''b c'''d''' e''", "wordb c'd e"),  # the letter wins over the word
        ("l''''arte'''", "l'arte"),  # four: apostrophe and bold
        ("'''''both'' bold'''", "both bold"),
        ("it's rock 'n' roll", "it's rock 'n' roll"),
        ("''unclosed", "unclosed"),
        ("''one\nline'' each", "one\nline each"),
    ],
)
def test_runs_of_apostrophes(line, expected):
    assert without_quotes(line) == expected
