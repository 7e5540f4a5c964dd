"""Parallel files: which there are, their lines side by side, what of them can be asked for."""

import gzip
from zipfile import ZipFile

import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.tasks.sentences import Sentences
from cr5.texts import aligned
from cr5.texts.parallel import Place, bundles
from tests.kit.archives import tar

LANGUAGES = ["en", "da", "vi"]
MOSES = "{first}-{second}.{language}"


def files_of(**options):
    return bundles(Sentences(**options), LANGUAGES)


def test_files_of_a_language_each_may_be_compressed(tmp_path):
    (tmp_path / "da.txt.xz").touch()
    names = {"en": "en.txt", "da": "da.txt.xz", "vi": "vie.txt"}
    places = {language: Place(f"{tmp_path}/{name}") for language, name in names.items()}
    assert files_of(path=f"{tmp_path}/{{language}}.txt", codes={"vi": "vie"}) == {"all": places}


def test_pairs_are_those_whose_files_are_there_in_either_order(tmp_path):
    """As of Tatoeba, whose pairs are all with English."""
    for name in ("dan-eng.dan", "dan-eng.eng", "en-vi.vi", "en-vi.en"):
        (tmp_path / name).touch()
    path = f"{tmp_path}/{MOSES}"
    assert list(files_of(path=path)) == ["en-vi"]
    coded = files_of(path=path, codes={"da": "dan", "en": "eng"})
    assert list(coded) == ["da-en"]
    assert coded["da-en"]["en"] == Place(f"{tmp_path}/dan-eng.eng")


def test_europarl_is_a_member_of_an_archive_at_an_address():
    address = "http://host/{first}-{second}.tgz"
    archive = "http://host/da-en.tgz"
    places = {code: Place(archive, f"europarl-v7.da-en.{code}") for code in ("da", "en")}
    assert files_of(address=address, path=f"europarl-v7.{MOSES}", pairs=["da-en"]) == {
        "da-en": places
    }


EN = ["One red house", "", "Yes", "Two red houses", "one red house!", "The end of it"]
DA = ["Et rødt hus", "Tom", "Ja", "To røde huse", "Et rødt hus til", ""]


def places_in(folder):
    return {language: Place(str(folder / language)) for language in ("en", "da")}


def values(frame):
    """Values, None where one is missing."""
    return frame.astype(object).where(frame.notna(), None).to_numpy().tolist()


@pytest.fixture
def table(tmp_path):
    for name, lines in (("en", EN), ("da", DA)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return aligned.read(places_in(tmp_path), 100)


def test_members_of_an_archive(tmp_path):
    files = {"v7/readme": b"x", "v7/en": b"one\ntwo\n", "v7/da": b"en\nto\n"}
    (tmp_path / "a.tgz").write_bytes(gzip.compress(tar(files)))
    places = {language: Place(str(tmp_path / "a.tgz"), language) for language in ("da", "en")}
    table = aligned.read(places, 9)
    assert table[["en", "da"]].to_numpy().tolist() == [["one", "en"], ["two", "to"]]
    whole = (tmp_path / "a.tgz").read_bytes()
    for member, content in (("vi", whole), ("en", whole[: len(whole) // 2]), ("en", b"x")):
        (tmp_path / "a.tgz").write_bytes(content)
        with pytest.raises(UserError, match=r"a\.tgz: "):
            aligned.read({"vi": Place(str(tmp_path / "a.tgz"), member)}, 9)


def test_what_lines_have_lost_is_told(tmp_path, caplog):
    (tmp_path / "en").write_text("it &apos;s\n\nyes\n", encoding="utf-8")
    (tmp_path / "fr").write_text("Ã©tÃ©\n\noui\n", encoding="utf-8")
    aligned.read({language: Place(f"{tmp_path}/{language}") for language in ("en", "fr")}, 1)
    english, french = sorted(caplog.messages)
    assert english.startswith(f"{tmp_path}/en: 1 of 3 texts have tags or entities of HTML")
    assert french.startswith(f"{tmp_path}/fr: 1 of 3 texts have characters such as U+0093 or Ã©")
    assert french.endswith(f"; the first: {tmp_path}/fr, line 1")


def test_files_in_another_encoding(tmp_path):
    """In an archive or not."""
    (tmp_path / "a.en").write_bytes(b"one\n")
    (tmp_path / "a.da").write_bytes("én\n".encode("latin-1"))
    with ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(tmp_path / "a.da", "a.da")
    files = {"en": Place(f"{tmp_path}/a.en"), "da": Place(f"{tmp_path}/a.da")}
    archived = {"en": Place(f"{tmp_path}/a.en"), "da": Place(f"{tmp_path}/a.zip", "a.da")}
    for places in (files, archived):
        assert aligned.read(places, 9, "latin-1")["da"].tolist() == ["én"]
        with pytest.raises(UserError, match="line 1: this is not UTF-8"):
            aligned.read(places, 9)


def opus(path, *names):
    """Write an archive as OPUS has it, with these names for the texts of English and Danish."""
    with ZipFile(path, "w") as archive:
        archive.writestr("README", "about")
        for name, text in zip(names, ("one\ntwo\n", "en\nto\n"), strict=True):
            archive.writestr(name, text)


def test_an_archive_of_opus_has_both_languages(tmp_path):
    opus(tmp_path / "da-en.txt.zip", "Books.da-en.en", "Books.da-en.da")
    bundles_of_opus = files_of(path=f"{tmp_path}/{{first}}-{{second}}.txt.zip")
    path = f"{tmp_path}/da-en.txt.zip"
    places = {"da": Place(path, "*.da"), "en": Place(path, "*.en")}
    assert bundles_of_opus == {"da-en": places}
    address = "http://host/{first}-{second}.zip"
    fetched = files_of(address=address, pairs=["da-en"])
    assert fetched["da-en"]["en"] == Place("http://host/da-en.zip", "*.en")
    table = aligned.read(places, 9)
    assert table[["en", "da"]].to_numpy().tolist() == [["one", "en"], ["two", "to"]]
    named = {"en": Place(path, "Books.da-en.en")}
    assert aligned.read(named, 9)["en"].tolist() == ["one", "two"]
    opus(tmp_path / "da-en.txt.zip", "a.en", "b.en")
    with pytest.raises(UserError, match=r"zip: this is a zip archive with 0 files '\*\.da'"):
        aligned.read(places, 9)


def of_two(tmp_path, first, second):
    (tmp_path / "en").write_text(first)
    (tmp_path / "da").write_text(second)
    return aligned.read(places_in(tmp_path), 9)


def test_ids_before_the_texts_are_no_words(tmp_path):
    table = of_two(tmp_path, "s1\tone\ns2\t\ns3\tone more\n", "s1\ten\ns2\tto\ns3\ten til\n")
    assert table[["en", "da"]].to_numpy().tolist() == [
        ["one", "en"],
        ["", "to"],
        ["one more", "en til"],
    ]
    tabs_within = of_two(tmp_path, "one\na\tb\n", "en\nto\n")
    assert tabs_within["en"].tolist() == ["one", "a\tb"]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("1\ta\n2\tb\n", "1\tx\n3\ty\n", r"en, line 2 has the id '2', .*da, line 2 the id '3'"),
        ("1\ta\n2\tb\n", "x\ny\n", r"en, line 1 has the id '1', .*da, line 1 no id"),
        ("1\ta\nb\n", "1\tx\n2\ty\n", r"en, line 2: expected an id, a tab and a text"),
        ("1\ta\n2\tb\tc\n", "1\tx\n2\ty\n", r"en, line 2: expected an id, a tab and a text"),
        ('{"id": "1", "text": "a"}\n', "x\n", r"en, line 1: an object of JSON"),
        ('id,text\n1,"a"\n', "x\n", r"en, line 1: the names of a table's columns"),
        ("id\ttext\n1\ta\n", "x\n", r"en, line 1: the names of a table's columns"),
        ("a b\tx y\n", "x y\n", r"en, line 1: several texts with tabs between"),
    ],
)
def test_other_layouts_and_ids_that_disagree_are_refused(tmp_path, first, second, message):
    with pytest.raises(UserError, match=message):
        of_two(tmp_path, first, second)


def test_what_cannot_be_asked_for_is_taken_away_and_counted(table):
    """Two words at least; line 5 repeats line 1 in English; by hand."""
    first, [counts] = aligned.cleaned(table, 2, "first")
    assert values(first["en"]) == ["One red house", None, None, "Two red houses", None, EN[5]]
    assert values(first["da"]) == [DA[0], None, None, DA[3], DA[4], None]
    assert counts == {
        **{"first": "da", "second": "en", "lines": 6},
        **{"kept": 2, "empty": 2, "short": 1, "double": 1},
    }
    none, [counts] = aligned.cleaned(table, 2, False)
    assert values(none["en"]) == [None, None, None, "Two red houses", None, EN[5]]
    assert (counts["kept"], counts["double"]) == (1, 2)


def test_paragraphs_that_neither_language_has_do_not_count():
    table = pd.DataFrame(
        {
            "id": list("1234"),
            "concept": "p",
            "en": ["a b", None, None, "c d"],
            "da": ["x y", "z z", None, None],
            "vi": [None, None, "u v", "w w"],
        }
    )
    _, counts = aligned.cleaned(table, 2, False)
    columns = ["first", "second", "lines", "kept", "empty"]
    assert pd.DataFrame(counts)[columns].to_numpy().tolist() == [
        ["da", "en", 3, 1, 2],
        ["da", "vi", 4, 0, 4],
        ["en", "vi", 3, 1, 2],
    ]


@pytest.fixture
def many():
    ids = [str(number) for number in range(100)]
    return pd.DataFrame({"id": ids, "concept": "", "en": ids, "da": ids, "part": ""}, dtype=object)


def test_candidates_and_sentences_for_an_idf_are_apart(many):
    apart = {"en": 30, "da": 30}
    table = aligned.parted(many, 50, apart, 5)
    assert table["part"].value_counts().to_dict() == {"": 50, "en": 30, "da": 20}
    assert table["id"].is_unique
    assert aligned.parted(many, 50, apart, 5).equals(table)
    assert not aligned.parted(many, 50, apart, 6)["part"].equals(table["part"])
    with pytest.raises(UserError, match=r"idf of 'da': of 100 usable ones 70 are candidates"):
        aligned.parted(many, 70, {"en": 30, "da": 30}, 5)
    with pytest.raises(UserError, match=r"left for validation: .*lower .* or `validation`"):
        aligned.parted(many, 70, {"en": 30, "validation": 30}, 5)


def test_saved_and_loaded_by_language(table, tmp_path):
    clean, pairs = aligned.cleaned(table, 2, "first")
    told = {"name": "da-en", "languages": ["da", "en"], "pairs": pairs}
    aligned.save(tmp_path / "b", clean, told)
    name, sentences = aligned.load(tmp_path / "b", "da")
    assert name == "da-en"
    assert sentences["id"].tolist() == ["1", "4", "5"]
    assert sentences["text"].tolist() == [DA[0], DA[3], DA[4]]
    assert aligned.about(tmp_path / "b") == told
    assert aligned.load(tmp_path / "b", "vi")[1].empty
