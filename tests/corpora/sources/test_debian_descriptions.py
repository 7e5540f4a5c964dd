import itertools
import random
from collections import Counter

import pytest

from cr5.corpora.comparable import owner
from cr5.corpora.sources.debian_descriptions import (
    DebianDescriptions,
    Description,
    chosen,
    descriptions,
    sentences,
    unlike,
)

THREE = ["da", "en", "it"]


def write(folder, language, stanzas, name="Translation"):
    """Stanzas of (package, checksum, summary, lines)."""
    folder.mkdir(exist_ok=True)
    text = "".join(
        f"Package: {package}\nDescription-md5: {checksum}\nDescription-{language}: {summary}\n"
        + "".join(f" {line}\n" for line in lines)
        + "\n"
        for package, checksum, summary, lines in stanzas
    )
    (folder / f"{name}-{language}").write_text(text)


def described(*texts):
    return {f"{i:02}": Description(f"p{i:02}", "", tuple(x)) for i, x in enumerate(texts)}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["One sentence. Another", "one! A third?", "yes."],
         ["One sentence.", "Another one!", "A third? yes."]),
        (["Version 1.2 of foo.el, e.g. this (in short.) Next"],
         ["Version 1.2 of foo.el, e.g. this (in short.)", "Next"]),
        (["First paragraph", ".", "second, of", "two lines"],
         ["First paragraph", "second, of two lines"]),
        (["It has:", " * one thing", "   and more", " - another. Two", ".", "End"],
         ["It has:", "one thing and more", "another.", "Two", "End"]),
        (["it can do a -", "b and e-mail"], ["it can do a - b and e-mail"]),
        (["これは文です。次の文です。"], ["これは文です。", "次の文です。"]),
        (["यह है। और यह"], ["यह है।", "और यह"]),
        ([" ", ".", "."], []),
        ([], []),
    ],
)  # fmt: skip
def test_sentences(lines, expected):
    assert list(sentences(lines)) == expected


def test_no_word_is_lost_or_doubled():
    drawn = random.Random(3)
    pieces = ["Word", "other.", "e.g.", "*", "-", "Ends!", "(so.)", "1.5"]
    for _ in range(200):
        lines = [" ".join(drawn.choices(pieces, k=5)) for _ in range(6)]
        lines = [drawn.choice(["", " "]) + line for line in [*lines, "."]]
        found = Counter(" ".join(sentences(lines)).split())
        given = Counter(" ".join(x for x in lines if x.strip() != ".").split())
        for sign in "*-":  # items lose theirs
            assert found.pop(sign, 0) <= given.pop(sign, 0)
        assert found == given


def test_of_packages_with_one_description_the_first_names_it(tmp_path):
    write(tmp_path, "da", [("zoo", "1", "z", ["Z."]), ("bar", "1", "b", ["B."])])
    write(tmp_path, "da", [("foo", "1", "f", []), ("x", "2", "x", [])], "main_i18n_Translation")
    assert descriptions(tmp_path, "da") == {
        "1": Description("bar", "b", ("B.",)),
        "2": Description("x", "x", ()),
    }


def test_chosen_are_those_of_all_languages_in_equally_many_sentences():
    english = described(*([f"{chr(97 + i)}{k}x" for k in "abcd"] for i in range(6)))
    counts = {"00": 3, "01": 3, "02": 2, "03": 4, "04": 3, "99": 3}
    other = {"00": 3, "01": 4, "02": 2, "03": 4, "99": 3}
    assert chosen(english, [counts, other]) == ["00", "03"]


def test_of_descriptions_that_repeat_each_other_the_first_is_kept():
    """At least one sentence in four must be new; digits and signs make none."""
    texts = described(
        ["A one.", "B two.", "C three."],
        ["A one!", "B (two) 2.", "C three?", "D four."],  # one of four is new
        ["A one.", "B two.", "C three.", "D four", "E five."],  # one of five
        ["A one.", "C three.", "D four."],  # none, of what two others have
        ["E five.", "F six.", "A one."],  # what was passed over has made nothing old
        ["e FIVE", "G.", "H.", "F six"],  # two of four
    )
    assert unlike(texts) == ["00", "01", "04", "05"]
    again = dict(sorted(texts.items(), reverse=True))
    assert unlike(again) == unlike(texts)


def translated(language, n=40):
    """Descriptions of four sentences in a language; every fourth one has one left in English."""
    return [
        (
            f"package{i}",
            f"{i:04x}",
            f"{language} summary {i}",
            [
                f"{'en' if k == 1 and i % 4 == 0 else language} text {chr(97 + i)}{'abcd'[k]}."
                for k in range(4)
            ],
        )
        for i in range(min(n, 26))
    ]


def with_stops(stanzas):
    """Each line a paragraph."""
    return [(*head, [x for line in lines for x in (line, ".")]) for *head, lines in stanzas]


@pytest.fixture
def folder(tmp_path):
    for x in THREE:
        write(tmp_path / "lists", x, with_stops(translated(x)))
    return tmp_path / "lists"


@pytest.mark.parametrize("languages", [THREE, ["it", "da"]])
def test_apart_each_sentence_is_in_one_language_and_left_overs_are_in_none(folder, languages, read):
    kept, counts = {}, {}
    for x in languages:
        found, reading = read(DebianDescriptions, folder, x, languages)
        counts[x] = reading.notes["paragraphs"]
        assert [concept for concept, _, _ in found] == sorted(concept for concept, _, _ in found)
        for concept, title, text in found:
            number = int(concept, 16)
            assert title == f"package{number}: {x} summary {number}"
            assert all(line.startswith(f"{x} text") for line in text.split("\n"))
        kept[x] = {(c, line.split()[-1][1]) for c, _, text in found for line in text.split("\n")}
    for a, b in itertools.combinations(languages, 2):
        assert not kept[a] & kept[b]
    everything = {(f"{i:04x}", k) for i in range(26) for k in "abcd"}
    lost = everything - set().union(*kept.values())
    left_over = {(f"{i:04x}", "b") for i in range(0, 26, 4)}
    assert lost == {x for x in left_over if owner(x[0], "1", languages) != "en"}
    for x in languages:
        assert (counts[x]["pages"], counts[x]["paragraphs"]) == (26, 104)
        assert counts[x]["dropped"] == (0 if x == "en" else 7)
        assert counts[x]["kept"] == len(kept[x])
        assert len(kept[x]) == 104 - counts[x]["dropped"] - counts[x]["apart"]


def test_in_parallel_every_language_has_them_all(folder, read):
    danish, english = (
        read(DebianDescriptions, folder, x, THREE, paragraphs="all")[0] for x in ("da", "en")
    )
    assert [len(text.split("\n")) for _, _, text in english] == [4] * 26
    assert [len(text.split("\n")) for _, _, text in danish] == [3, 4, 4, 4] * 6 + [3, 4]
