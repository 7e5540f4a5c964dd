"""Documents of Europarl, in made-up words, and of Multilingual Reuters: which file is what."""

import gzip

import pytest

from cr5.texts.sources.europarl import Europarl
from cr5.texts.sources.matrix import Matrix
from tests.kit.inside import records

# The layout of release 7; that of release 2 below.
SITTING = """\
<CHAPTER ID="001">
Resumption of the session
<SPEAKER ID="1" NAME="President">
I declare the session open.
<P>
Two lines of a paragraph
go on here.
<SPEAKER ID="2" LANGUAGE="ES" NAME="O'Neill, María" AFFILIATION="PPE">
(Applause)
Thank you.
<SPEAKER ID="3" LANGUAGE="ES" NAME="Silent">
<P>
<CHAPTER ID="002">
Agenda
<SPEAKER ID="1">
Another <BRK> chapter.
"""
DAY = "ep-00-01-17"
PRESIDENT = "I declare the session open.\nTwo lines of a paragraph\ngo on here."
SPEECHES = [
    (f"{DAY}/001/1", "President", PRESIDENT),
    (f"{DAY}/001/2", "O'Neill, María", "(Applause)\nThank you."),
    (f"{DAY}/002/1", f"{DAY}/002/1", "Another   chapter."),
]
OLD = "<CHAPTER ID=4>\nApertura\n<SPEAKER ID=7 NAME=Sánchez>\nSeñora Presidenta.\n<P>\n"
NEXT = gzip.compress(OLD.replace("ID=4", "ID=1").encode(), mtime=0)
SENORA = ("Sánchez", "Señora Presidenta.")
FIRST_OF_DAY = "ep-07-01-15-001"
SECOND_OF_DAY = "ep-07-01-15-002"
# What stands beside the tags, of chapters their heading.
ON_ONE_LINE = "<CHAPTER ID=1> Agenda <SPEAKER ID=1> a <P> b\nc <SPEAKER ID=2>d\n<P>e\n"
WITHOUT_NAMES = [
    (f"{DAY}/1/1", f"{DAY}/1/1", "a   b\nc"),
    (f"{DAY}/1/2", f"{DAY}/1/2", "d\ne"),
]
TWO_OF_ONE_NUMBER = SITTING.replace('ID="2"', 'ID="1"')  # are left out
SITTINGS = [
    ({f"{DAY}.txt": SITTING, "readme.txt": "no sitting"}, {}, SPEECHES),
    ({f"{DAY}.txt": ON_ONE_LINE}, {}, WITHOUT_NAMES),
    ({f"{DAY}.txt": TWO_OF_ONE_NUMBER}, {}, SPEECHES[2:]),
    (
        {f"{SECOND_OF_DAY}.txt": OLD, f"{FIRST_OF_DAY}.txt.gz": NEXT},
        {},
        [(f"{FIRST_OF_DAY}/1/7", *SENORA), (f"{SECOND_OF_DAY}/4/7", *SENORA)],
    ),
    (
        {"ep-96-04-15.txt": OLD.encode("latin-1")},
        {"encoding": "latin-1"},
        [("ep-96-04-15/4/7", *SENORA)],
    ),
]


@pytest.mark.parametrize(("contents", "options", "expected"), SITTINGS)
def test_speeches(tmp_path, contents, options, expected):
    for name, content in contents.items():
        if isinstance(content, str):
            content = content.encode()
        (tmp_path / name).write_bytes(content)
    assert list(records(Europarl, tmp_path, "es", **options)) == expected


def test_paragraphs_of_speeches_have_the_same_id_where_languages_have_as_many(tmp_path, read):
    (tmp_path / f"{DAY}.txt").write_text(SITTING)
    documents, read_beside = read(Europarl, tmp_path, "es")
    assert len(documents) == 3
    assert read_beside.paragraphs == [
        (f"{DAY}/001/1", "1 of 2", "I declare the session open."),
        (f"{DAY}/001/1", "2 of 2", "Two lines of a paragraph go on here."),
        (f"{DAY}/001/2", "1 of 1", "(Applause) Thank you."),
        (f"{DAY}/002/1", "1 of 1", "Another   chapter."),
    ]


CODES = {"en": "EN", "es": "SP"}
REUTERS = "{language}/Index_{original}-{language}"


def test_files_of_documents_and_of_their_translations():
    """The layout of UCI 259: a folder for each language that documents are in."""
    source = Matrix(path=REUTERS, codes=CODES, originals=["en"])
    assert source.files("en") == {"en:": "EN/Index_EN-EN"}
    assert source.files("es") == {"en:": "SP/Index_EN-SP", "es:": "SP/Index_SP-SP"}


def test_what_speeches_have_lost_is_told(tmp_path, caplog):
    sitting = SITTING.replace("Another", "SeÃ±ora &amp; another")
    (tmp_path / f"{DAY}.txt").write_text(sitting, encoding="utf-8")
    assert len(list(records(Europarl, tmp_path, "es"))) == 3
    misread, with_entities = caplog.messages
    assert misread.startswith(f"{tmp_path}: 1 of 3 texts have characters such as U+0093")
    assert with_entities.startswith(f"{tmp_path}: 1 of 3 texts have tags or entities of HTML")
    assert with_entities.endswith(f"; the first: {tmp_path}/{DAY}.txt")
