"""Templates: dropped, except those that carry words of the running text.

These are listed in a table, as MediaWiki would need all templates of the wiki to expand them. It
has the templates that are frequent inside sentences in the larger of the paper's 28 languages.
"""

import re

APOSTROPHE = "’"  # "'" could be read as italics

# Templates that stand for a fixed text.
SAME = {
    "'": APOSTROPHE,
    "`": APOSTROPHE,
    "=": "=",
    "!": "|",
    "!!": "||",
    "!-": "|-",
    "(!": "{|",
    "{!": "{|",
    "!)": "|}",
    ",": ", ",
    **dict.fromkeys(["·", "•", "dot", "bull", "-", "nbsp", "space", "spaces"], " "),
    **dict.fromkeys(["ndash", "mdash", "spaced ndash", "snd", "spnd", "--", "-d"], " – "),
    **dict.fromkeys(["break", "br", "clear"], "\n"),
}
# Names with _ for a space. The words are the first unnamed argument:
FIRST = """
abbr abbrlink abréviation allcaps anchored_text angbr big blockquote bold bquote center centered
centre citaat citace citação citat citatplus citation citation_bloc citation_needed_span
citation_étrangère citazione citazione_necessaria cita cita_destacada cite_quote clarify_span code
comment chiarire cquote cytat citát dfn em flag flagcountry flagg flagu formatnum h:title hamza
iw illm ill interlanguage_link interlanguage_link_multi italic italics j keypress kleiner larger
le link-de link-en link-es link-fr link-ja link-ru link-interwiki linktext lá_cờ midsize mono
monospace nastaliq nobold nobr nobreak noitalic nombre not_a_typo nowrap nts num numero number
numéro polytonic pull_quote quotation quote quote_box quote1 resize rquote s sans_serif
senza_fonte sfrac siècle sic small small_caps smallcaps smaller sc strong sub sup ta
tooltip tsl tt tutto_attaccato unicode uroman val vanchor verkleinern visible_anchor zitat "
nhỏ không_ngắt lời_trích trích_dẫn
начало_цитаты не_переведено не_переведено_2 не_переведено_3 не_переведено_5 нет_аи нп1 нп2 нп3 нп4
нп5 перевод подсказка цитата число comment коммент
仮リンク 要出典 要出典範囲 要検証 日本語版にない記事リンク ألمانية إنجليزية فرنسية ציטוט
"""
# the second one, after a language, file or colour:
SECOND = """
audio audio2 color colour couleur cor farbe farve font_color fontcolor färg idioma jazyk język
lang lang-fmt langue langx language legend legenda légende leyenda lingua ljud lyd màu rtl-lang
script sprache språk taal transl transliteration язык цвет легенда
"""
# all of them: numbers and units, lists, several forms of a name:
ALL = """
bulleted_list chem chem2 convert cvt flatlist hlist hms hmas nihongo nihongo2 nihongo3 nihongo_foot
ordered_list plainlist rms ruby ship ubl unbulleted_list unidad unidade unité unit uss zh
読み仮名 ルビ
"""


def _picked(names: str, position: int | None) -> dict[str, int | None]:
    return {name.replace("_", " "): position for name in names.split()}


# Which argument has the words, by name; none: all have.
PICK = _picked(ALL, None) | _picked(FIRST, 0) | _picked(SECOND, 1)
LANGUAGE = "lang-"  # {{lang-de|Berlin}}
NAMED = ("text", "quote", "quotetext", "texte", "testo", "texto", "content")
NAME = re.compile(r"\s*+([a-z]++[0-9]?+|[0-9]++)\s*+=", re.IGNORECASE)
LINK = re.compile(r"\[\[[^\[\]]*+\]\]")
BAR = "\x0c"  # a bar inside a link, which does not separate arguments; XML cannot contain it


def render(pieces: list[str]) -> str:
    """Return the words that a template leaves in the running text; usually none."""
    name = pieces[0].partition("|")[0].strip().lower().replace("_", " ")
    if name in PICK:
        return _words("".join(pieces), PICK[name])
    if name in SAME:
        return SAME[name]
    if name.startswith(LANGUAGE):
        return _words("".join(pieces), 0)
    if name.startswith("formatnum:"):
        return name.removeprefix("formatnum:")
    return ""


def _words(content: str, position: int | None) -> str:
    """Return the argument at a position, or all; failing that, that which is named as the text."""
    if "[[" in content:
        content = LINK.sub(lambda match: match[0].replace("|", BAR), content)
    parts = [part.replace(BAR, "|") for part in content.split("|")]
    positional, named = _arguments(parts[1:])
    if position is None:
        return " ".join(positional)
    if position < len(positional):
        return positional[position]
    for key in (str(position + 1), *NAMED):
        if key in named:
            return named[key]
    return ""


def _arguments(parts: list[str]) -> tuple[list[str], dict[str, str]]:
    positional = []
    named = {}
    for part in parts:
        match = NAME.match(part)
        if match is None:
            positional.append(part)
        else:
            named[match[1].lower()] = part[match.end() :]
    return positional, named
