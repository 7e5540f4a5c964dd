"""Folders of pages: which files are a language's, and what each page says."""

import pytest

from cr5.base.errors import UserError
from cr5.contracts.source import Reading
from cr5.texts.folders import page_rows, pages_at
from cr5.texts.markup.formats import pages
from cr5.texts.markup.page import PageRules
from cr5.texts.sources.folders import Folders

MARKDOWN = """\ufeff---
title: "Start here"
weight: 7
---

See [the *guide*](../guide.md "Guide") &amp; [more][1], ![a cat](cat.png) or [![b](c.png)](d(1).md).
{{< note >}}Mind the `List<int>` gap{{< /note >}}<br/>next <https://example.org/x> line[^1].
<!-- hidden
too -->
{{ page.x }}{% if y %}
[1]: https://example.org "Hidden"
[^1]: A footnote.

## Part { #part .big }

1. ```python
   hello = 1
   ```
~~~~
~~~
world
~~~~
End.
"""
MARKDOWN_WORDS = (
    "Start here See the *guide* & more, a cat or b. Mind the List<int> gap next line[^1]. "
    "[^1]: A footnote. ## Part hello = 1 ~~~ world End."
)
RESTRUCTURED = """:orphan:

.. _start:

.. comment: hidden
   hidden too

=====
Start
=====

Use :ref:`the guide <guide>`, :class:`Foo`, `a page <https://example.org>`_ and ``a < b``.

.. toctree::
   :maxdepth: 2

   hidden/file

.. note:: Mind

   the gap.

.. figure:: hidden.png
   :alt: hidden

   A caption.

.. code-block:: hidden
   :linenos:

   hello = 1

   world = 2

So::

    third

.. [1] A footnote.
End.
"""
RESTRUCTURED_WORDS = (
    "===== Start ===== Use the guide, Foo, a page and ``a < b``. Mind the gap. A caption. "
    "hello = 1 world = 2 So:: third A footnote. End."
)
HTML = """<!doctype html><html><head><title>A  title</title><style>p {x}</style></head><body>
<nav>hidden</nav><div role="navigation">hidden</div><script>hidden</script><!-- hidden -->
<h1>W&auml;hlen</h1><p>Sie <b>D</b>atei</p><p>jetzt</p><ul><li>a</li><li>b</li></ul>
<pre>hello</pre><noscript>hidden</noscript>end</body></html>"""
CATALOGUE = """# comment
msgid ""
msgstr ""
"Language: de\\n"

#: file:1
msgid "a \\"house\\""
msgstr "ein "
"Haus"

#, fuzzy
msgid "unsure"
msgstr "falsch"
msgctxt "tree"
msgid "%d leaf"
msgid_plural "%d leaves"
msgstr[0] "%d Blatt"
msgstr[1] "%d Blätter"

msgid "open"
msgstr ""

#~ msgid "gone"
#~ msgstr "weg"
"""


def read(ending, content, **rules):
    return pages(
        ending, content.removeprefix("\ufeff"), "x", PageRules(**{"language": "de"} | rules)
    )


def words(ending, content, **rules):
    [page] = read(ending, content, **rules)
    return " ".join(page.text.split())


TEXTS = [  # ending, content, the text with code, what is its code
    (".md", MARKDOWN, MARKDOWN_WORDS, "hello = 1 ~~~ world "),
    (".md", "---\n\nNo front matter\n---\n", "--- No front matter ---", ""),
    (".md", "+++\ntitle = 'A'\n+++\nb\n", "A b", ""),
    (".md", "---\ntitle: >-\n  Long\n---\nb\n```\nleft open", "Long b left open", "left open"),
    (".md", "---\ntitle:\ndate: 2026\n---\nb", "b", ""),
    (".md", '{\n  "title": "A",\n  "menu": {"a": "b"}\n}\n\nb\n', "A b", ""),
    (".md", "?a=1&copy=2 &copy; &#233; &unknown; AT&T", "?a=1&copy=2 © é &unknown; AT&T", ""),
    (".md", '{"title": "A"} b', '{"title": "A"} b', ""),
    (".md", "<style>\nhidden\n</style>\na `<script>` b `</script>`", "a <script> b </script>", ""),
    (".mdx", "import A, {\n  B\n} from './a';\nimport 'c'\n\n# D {/*d*/}\n", "# D", ""),
    (
        ".mdx",
        "import one table from a file\n'as it is'",
        "import one table from a file 'as it is'",
        "",
    ),
    (".rst", "---\ntitle: A\n---\nb\n", "A b", ""),
    (".rst", RESTRUCTURED, RESTRUCTURED_WORDS, ("hello = 1 world = 2 ", "third ")),
    (".html", HTML, "Wählen Sie Datei jetzt a b hello end", "hello "),
    (".html", "<main>a<nav>b</nav></main><footer>c</footer>", "a", ""),
    (".html", "<main>a <div role=main>b</div></main> c <main hidden>d</main>", "a b d", ""),
    (".html", "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字</ruby>は</p>", "漢字は", ""),
    (".html", " \n", "", ""),
    (".html", "---\nlayout: x\ntitle: A\n---\n<p>b</p>", "A b", ""),
    (".html", "---\nlayout: x\n---\n<!-- hidden -->", "", ""),
    (".html", "<!-- hidden -->", "", ""),
    (".txt", "# as <it> is\n```\n", "# as <it> is ```", ""),
    (".po", CATALOGUE, "ein Haus %d Blatt %d Blätter", ""),
]


@pytest.mark.parametrize(("ending", "content", "expected", "code"), TEXTS)
def test_the_text_of_a_page(ending, content, expected, code):
    assert words(ending, content) == expected
    without_code = expected
    for part in [code] if isinstance(code, str) else code:
        without_code = without_code.replace(part, "")
    assert words(ending, content, code="drop") == without_code.strip()


TITLES = [
    (".md", MARKDOWN, "Start here"),
    (".md", "a\n# B c #\n", "B c"),
    (".md", "B c\n===\n", "B c"),
    (".md", "---\ntitle: B c # remark\n---\ntext\n", "B c"),
    (".md", "---\ntitle: 'B # c' # remark\n---\ntext\n", "B # c"),
    (".md", '---\n"title": "B \\"c\\" \\u00e9" # remark\n---\ntext\n', 'B "c" é'),
    (".md", '---\ntitle: "B \\e"\n---\ntext\n', "B \\e"),
    (".md", "---\ntitle: 'B''s c'\n---\ntext\n", "B's c"),
    (".md", "---\ntitle: |\n  B\n  c\nweight: 7\n---\ntext\n", "B c"),
    (".md", "---\ntitle: B\n  c # remark\nweight: 7\n---\ntext\n", "B c"),
    (".md", "---\ntitle:\n  B c\n---\ntext\n", "B c"),
    (".md", "---\ntitle:\n  de: B\n  en: c\n---\n# D\n", "D"),
    (".md", "---\ntitle: ''\n---\n# D\n", "D"),
    (".md", "---\ntitle: ~\n---\n# D\n", "D"),
    (".md", '+++\ntitle = """\nB\nc"""\n[menu]\ntitle = "d"\n+++\ntext\n', "B\nc"),
    (".md", "+++\ntitle = 2026\n+++\ntext\n", "2026"),
    (".md", '{"weight": 7, "title": "B \\u00e9"}\ntext\n', "B é"),
    (".md", '{"title": ["B"]}\n# D\n', "D"),
    (".rst", RESTRUCTURED, "Start"),
    (".rst", "---\ntitle: B\n---\nC\n===\n", "B"),
    (".html", HTML, "A title"),
    (".html", "---\ntitle: B\n---\n<h1>C</h1>", "B"),
    (".html", "<h1>B</h1>", "B"),
    (".txt", "a", ""),
]


@pytest.mark.parametrize(("ending", "content", "title"), TITLES)
def test_the_title_of_a_page(ending, content, title):
    [page] = read(ending, content)
    assert page.title == title


def test_messages_of_a_catalogue_are_two_languages():
    assert words(".po", CATALOGUE, language="en") == 'a "house" %d leaf open'
    german = read(".po", CATALOGUE, messages="apart")
    english = read(".po", CATALOGUE, language="en", messages="apart")
    assert [page.text for page in german] == ["ein Haus", "%d Blatt %d Blätter", ""]
    assert [page.text for page in english] == ['a "house"', "%d leaf", "open"]
    parts = [page.part for page in german]
    assert parts == [page.part for page in english]
    assert len(set(parts)) == 3
    with pytest.raises(UserError, match=r"x: its header says `Language: de`, expected 'fr'"):
        read(".po", CATALOGUE, language="fr")


def test_elements_within_messages_are_no_text_and_words_in_brackets_are():
    content = r"""msgid "Press <key>A &amp; B</key>, <xref to=\"x\"/>or name a <file>"
msgstr "<key xml:id=\"k\">A &amp; B</key> oder <br/>eine <Datei> &copy"
"""
    assert words(".po", content) == "A & B oder eine <Datei> &copy"
    assert words(".po", content, language="en") == "Press A & B , or name a <file>"


def test_the_marker_of_shortcuts_that_a_catalogue_names_parts_no_word():
    message = 'msgid "Save && clo&se Q&amp;A _x"\nmsgstr "Da&tei & _x sichern"\n'
    header = 'msgid ""\nmsgstr "X-Accelerator-Marker: &\\n"\n\n'
    assert words(".po", header + message) == "Datei & _x sichern"
    assert words(".po", header + message, language="en") == "Save & close Q&A _x"
    assert words(".po", message) == "Da&tei & _x sichern"


def test_bytes_that_a_catalogue_escapes_are_utf_8():
    content = r"""msgid "size"
msgstr "Gr\303\266\303\237e \\303 \"x\042"
"""
    [page] = read(".po", content)
    assert page.text == r'Größe \303 "x"'
    with pytest.raises(UserError, match="line 2: no line of a catalogue"):
        read(".po", 'msgid "size"\nmsgstr "Gr\\366e"\n')


def write(folder, *names, **contents):
    contents = dict.fromkeys(names, "text") | contents
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def documents(folder, path, language, **options):
    source = Folders(path=f"{folder}/{path}", **options)
    code = source.codes.get(language, language)
    place = folder.joinpath(source.place.replace("{language}", code))
    reading = Reading(source, place, language, [language])
    return [document.concept for document in source.records(reading)]


NAMES = [
    "content/de/a.md",
    "content/de/sub/index.de.md",
    "content/de/sub/b.html",
    "content/de/.hidden.md",
    "content/de/logo.png",
    "content/pt-BR/sub/index.pt_br.md",
    "content/zh-TW/c.txt",
    "flat/a.de.md",
    "flat/x/a.fr.md",
    "flat/x/a.md",
    "parts/one/de/a.md",
    "parts/two/fr/a.md",
]
CONCEPTS = [  # path, language, options, concepts
    ("content/{language}", "de", {}, ["a.md", "sub/b.html", "sub/index.md"]),
    ("content/{language}/**/*.md", "de", {}, ["a.md", "sub/index.md"]),
    ("content/{language}/*.md", "de", {}, ["a.md"]),
    ("content/{language}", "pt_br", {"codes": {"pt-BR": "pt-BR"}}, ["sub/index.md"]),
    ("content/{language}", "zh_tw", {"codes": {"zh_tw": "zh-TW"}}, ["c.txt"]),
    ("flat/**/*.{language}.md", "de", {}, ["a.md"]),
    ("flat/**/*.{language}.md", "fr", {}, ["x/a.md"]),
    ("parts/*/{language}/*.md", "de", {}, ["one/a.md"]),
]


@pytest.mark.parametrize(("path", "language", "options", "expected"), CONCEPTS)
def test_the_path_without_the_language_is_the_concept(tmp_path, path, language, options, expected):
    write(tmp_path, *NAMES)
    assert documents(tmp_path, path, language, **options) == expected


def test_a_link_to_a_folder_above_it_has_no_further_pages(tmp_path):
    write(tmp_path, "de/a.md", "de/v1/b.md", "elsewhere/c.md")
    (tmp_path / "de/latest").symlink_to(".")
    (tmp_path / "de/v1/up").symlink_to("../..")
    (tmp_path / "de/more").symlink_to("../elsewhere")
    assert documents(tmp_path, "{language}", "de") == ["a.md", "more/c.md", "v1/b.md"]
    (tmp_path / "fr").symlink_to(".")  # which leads to the pages themselves
    expected = ["a.md", "more/c.md", "v1/b.md"]
    assert documents(tmp_path, "{language}/de", "fr") == expected


def test_what_is_no_page_or_has_no_text_is_told(tmp_path, caplog):
    write(tmp_path, "de/a.md", "de/b.PNG", "de/c.png", "de/Makefile", **{"de/d.md": "<!-- -->"})
    assert documents(tmp_path, "{language}", "de") == ["a.md"]
    messages = [record.getMessage() for record in caplog.records]
    folder = tmp_path / "de"
    assert messages == [
        f"{folder}: 3 files are no pages: .png (2), Makefile (1)",
        f"{folder}, language 'de': 1 of 2 texts are missing, and no documents; the first: "
        f"{folder}/d.md",
    ]


def test_translations_beside_a_page_are_those_of_other_languages_and_told(tmp_path, caplog):
    """As Hugo has them in one folder; `v2.io.md` is no translation, as there is no `v2.md`."""
    write(tmp_path, "all/a.en.md", "all/a.de.md", "all/b/a.md", "all/b/a.pt-BR.md", "all/v2.io.md")
    write(tmp_path, "all/a.min.md")
    page_concepts = [row.fields["concept"] for row in page_rows(pages_at(f"{tmp_path}/all", "en"))]
    assert page_concepts == ["a.md", "a.min.md", "b/a.md", "v2.io.md"]
    [message] = caplog.messages
    assert message.startswith(f"{tmp_path}/all: 2 pages are left out as translations, ")
    assert message.endswith(": de, pt-BR")


REFUSED = [  # language, what is said
    ("da", r"/da: no folder with pages of 'da'; beside it there are de, fr, it; .*`codes`"),
    (
        "fr",
        r"/fr: no page of 'fr' at \*\*/\*; expected files that end in \.md, .*found \.png \(1\)",
    ),
    ("it", r"/it/a\.md: its concept, 'a\.md', is that of .*/it/a\.it\.md too; remove one"),
]


@pytest.mark.parametrize(("language", "message"), REFUSED)
def test_folders_without_pages_are_refused(tmp_path, language, message):
    write(tmp_path, "de/a.md", "fr/a.png", "it/a.md", "it/a.it.md")
    with pytest.raises(UserError, match=message):
        documents(tmp_path, "{language}", language)
    source = Folders(path=f"{tmp_path}/{{language}}")
    with pytest.raises(UserError, match=message):
        source.check_texts(tmp_path / language, language)


def test_other_encodings_are_read_if_they_are_named(tmp_path):
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "a.md").write_bytes("Grüße".encode("latin-1"))
    with pytest.raises(UserError, match=r"a\.md, line 1: this is not UTF-8 .*`corpus\.encoding`"):
        documents(tmp_path, "{language}", "de")
    assert documents(tmp_path, "{language}", "de", encoding="latin-1") == ["a.md"]
