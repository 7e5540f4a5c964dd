import hashlib
import lzma
import random
import shutil
from collections import Counter

import pytest

from cr5.base.errors import UserError
from cr5.corpora.translations import Entry, code, entries, fetch, find, sentences
from tests.kit.server import serving

DANISH = "Package: hello\nDescription-md5: 0123\nDescription-da: En hilsen\n Siger hej.\n\n"


@pytest.mark.parametrize(
    ("language", "its"), [("da", "da"), ("pt_br", "pt_BR"), ("zh-tw", "zh_TW"), ("DA", "da")]
)
def test_codes(language, its):
    assert code(language) == its


def test_a_language_may_have_several_files_and_no_other_is_taken_for_it(tmp_path):
    (tmp_path / "main").mkdir()
    for name in ("pt", "pt_BR.xz", "pt.part"):
        (tmp_path / f"Translation-{name}").touch()
    (tmp_path / "main" / "deb.debian.org_i18n_Translation-pt.gz").touch()
    assert [x.name for x in find(tmp_path, "pt")] == [
        *("Translation-pt", "deb.debian.org_i18n_Translation-pt.gz")
    ]
    assert [x.name for x in find(tmp_path, "pt_br")] == ["Translation-pt_BR.xz"]


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


def test_only_the_files_of_the_languages_are_kept_and_apt_is_asked_for_them(tmp_path, program):
    program(
        "apt-get",
        'cp "$2" ../../conf; for x in pt_BR en; do echo $x >lists/h_i18n_Translation-$x; done',
    )
    files = fetch(["en", "pt_br", "en"], tmp_path / "new" / "source")
    assert [x.read_text() for x in files] == ["en\n", "pt_BR\n"]
    assert sorted((tmp_path / "new" / "source").iterdir()) == files
    settings = (tmp_path / "new" / "conf").read_text()
    cleared = settings.index("#clear Acquire::Languages;")
    assert settings.index('Acquire::Languages { "en"; "pt_BR"; };') > cleared


def test_what_else_cannot_be_fetched_stops_nothing(tmp_path, program):
    program(
        "apt-get", "touch lists/a_Translation-en; echo 'W: Failed to fetch http://h/InRelease' >&2"
    )
    assert [x.name for x in fetch(["en"], tmp_path)] == ["a_Translation-en"]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'W: Failed to fetch x' >&2", r"could not fetch Translation-\{da,en\} \(W: F.*netw"),
        (
            "touch lists/a_i18n_Translation-da lists/b_i18n_Translation-en; "
            "echo 'E: Failed to fetch http://h/dists/x/main/i18n/by-hash/SHA256/0  404' >&2",
            r"could not fetch Translation-\{da,en\} \(E: Failed .*  404\); check the network",
        ),
        (
            "touch lists/a_i18n_Translation-en; "
            'for x in it pt_BR; do echo " 1 2 main/i18n/Translation-$x"; done >lists/InRelease',
            "no descriptions in da in this system's release; .* in it, pt_BR; choose .*corpus.path",
        ),
    ],
)
def test_failures_of_apt(tmp_path, program, script, message):
    program("apt-get", script)
    with pytest.raises(UserError, match=message):
        fetch(["da", "en"], tmp_path / "source")
    assert list((tmp_path / "source").iterdir()) == []


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with descriptions in da and en on the loopback address, and no other source."""
    monkeypatch.setenv("NO_PROXY", "*")
    folder = tmp_path / "served"
    release = folder / "dists" / "made_up"
    (release / "main" / "i18n").mkdir(parents=True)
    lines = []
    for x in ("da", "en"):
        path, plain = f"main/i18n/Translation-{x}", DANISH.replace("-da:", f"-{x}:").encode()
        # apt wants to know of what it fetches, and of what that unpacks to
        (release / f"{path}.xz").write_bytes(packed := lzma.compress(plain))
        for name, content in ((path, plain), (f"{path}.xz", packed)):
            lines.append(f" {hashlib.sha256(content).hexdigest()} {len(content)} {name}\n")
    head = "Suite: made_up\nComponents: main\nArchitectures: all amd64 arm64\n"
    date = "Date: Sat, 01 Jan 2022 00:00:00 UTC\n"
    (release / "Release").write_text(f"{head}{date}SHA256:\n{''.join(lines)}")
    with serving(folder) as running:
        sources = tmp_path / "sources.list"
        sources.write_text(f"deb [trusted=yes] {running.url} made_up main\n")
        conf = f'Dir::Etc::sourcelist "{sources}";\nDir::Etc::sourceparts "-";\n'
        (tmp_path / "apt.conf").write_text(conf)
        monkeypatch.setenv("APT_CONFIG", str(tmp_path / "apt.conf"))
        yield running


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="apt-get is not installed")
def test_apt_itself_fetches_from_a_made_up_repository(tmp_path, repository):
    files = fetch(["da", "en"], tmp_path / "source")
    assert [x.name[-14:] for x in files] == ["Translation-da", "Translation-en"]
    assert list(entries(files[0])) == [Entry("hello", "0123", "En hilsen", ("Siger hej.",))]
    with pytest.raises(
        UserError, match=r"no descriptions in it in .*; there are some in da, en; c"
    ):
        fetch(["it", "en"], tmp_path / "source")
