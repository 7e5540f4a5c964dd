import gzip

import pytest

from cr5.base.errors import UserError
from cr5.corpora import reading
from cr5.corpora.sources import europarl

# The layout of release 7, in made-up words; that of release 2 below.
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
OLD = "<CHAPTER ID=4>\nApertura\n<SPEAKER ID=7 NAME=Sánchez>\nSeñora Presidenta.\n<P>\n"


@pytest.fixture
def read(tmp_path):
    """Write files, and read the folder."""

    def records(files, **options):
        for name, content in files.items():
            (tmp_path / name).write_bytes(
                content if isinstance(content, bytes) else content.encode()
            )
        return list(reading.records(europarl, tmp_path, "es", **options))

    return records


def test_a_speech_is_a_document_named_by_sitting_chapter_and_speaker(read):
    assert read({"ep-00-01-17.txt": SITTING, "readme.txt": "no sitting"}) == [
        (
            "ep-00-01-17/001/1",
            "President",
            "I declare the session open.\nTwo lines of a paragraph\ngo on here.",
        ),
        ("ep-00-01-17/001/2", "O'Neill, María", "(Applause)\nThank you."),
        ("ep-00-01-17/002/1", "ep-00-01-17/002/1", "Another   chapter."),
    ]


def test_paragraphs_have_the_same_id_where_languages_have_as_many(tmp_path):
    (tmp_path / "ep-00-01-17.txt").write_text(SITTING)
    asked = reading.Reading(tmp_path, "es", options={"encoding": "utf-8"})
    assert len(list(europarl.records(asked))) == 3
    assert asked.parallel == [
        ("ep-00-01-17/001/1", "1 of 2", "I declare the session open."),
        ("ep-00-01-17/001/1", "2 of 2", "Two lines of a paragraph go on here."),
        ("ep-00-01-17/001/2", "1 of 1", "(Applause) Thank you."),
        ("ep-00-01-17/002/1", "1 of 1", "Another   chapter."),
    ]


def test_sittings_are_read_in_order_whatever_they_are_compressed_by(read):
    first, second = (OLD.replace("ID=4", f"ID={n}") for n in (1, 2))
    found = read(
        {"ep-07-01-15-002.txt": second, "ep-07-01-15-001.txt.gz": gzip.compress(first.encode())}
    )
    assert [x[0] for x in found] == ["ep-07-01-15-001/1/7", "ep-07-01-15-002/2/7"]


def test_the_first_releases_are_in_latin_1(read):
    files = {"ep-96-04-15.txt": OLD.encode("latin-1")}
    assert read(files, encoding="latin-1") == [("ep-96-04-15/4/7", "Sánchez", "Señora Presidenta.")]
    with pytest.raises(UserError, match=r"ep-96-04-15\.txt, line 3: "):
        read(files)


def test_speeches_of_one_number_are_left_out(read, caplog):
    caplog.set_level("INFO")
    twice = SITTING.replace('ID="2"', 'ID="1"')
    assert [x[0] for x in read({"ep-00-01-17.txt": twice})] == ["ep-00-01-17/002/1"]
    assert "1 speeches, 2 of doubtful number left out" in caplog.text


@pytest.mark.parametrize(
    "files",
    [
        {"other.txt": SITTING},
        {"ep-00-01-17.txt": "plain text\n"},
        {"ep-00-01-17.txt.gz": gzip.compress(b"<SPEAKER ID=1>\n")[:-9]},
    ],
)
def test_a_folder_without_speeches_is_refused(read, files):
    with pytest.raises(UserError):
        read(files)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="none: "):
        list(reading.records(europarl, tmp_path / "none", "es"))
