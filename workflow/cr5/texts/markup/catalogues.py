"""Texts of PO catalogues, as gettext has them."""

import ast
import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress

from cr5.base.errors import UserError
from cr5.base.languages import base_language, folded_code
from cr5.texts.markup.page import ENTITY, Page, PageRules, unescaped

ENTRY = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr)(?:\[\d+\])?\s+(".*")\s*')
END_OF_ELEMENT = re.compile(r"</([a-zA-Z][\w:.-]*)\s*>")
TAG = re.compile(r"</?([a-zA-Z][\w:.-]*)(?:\s[^<>]*?)?(/?)>")
BYTES = re.compile(r"\\\\|((?:\\[0-7]{3})+)")  # as `msgcat --escape` writes what is not ASCII
MARKER = re.compile(
    r"^X-Accelerator-Marker:\s*(\S)", re.M
)  # stands before the letter of a shortcut
STATED_LANGUAGE = re.compile(r"^Language:\s*([\w-]+)", re.M)
DIGITS = 12  # of a message's hash


def pages(content: str, where: str, rules: PageRules) -> list[Page]:
    """Return the messages of a catalogue as one page, or a page each; UserError with the place."""
    is_source = folded_code(rules.source_language) == folded_code(rules.language)
    messages = []
    marker = ""
    for message in _messages(content, where):
        original = message.get("msgid")
        if original:
            shown = original if is_source else message["msgstr"]
            text = _without_elements(_without_marker(shown, marker))
            part = _name_of_message(message.get("msgctxt"), original)
            messages.append(Page(" ".join(original.split()), text, part))
            continue
        header = message.get("msgstr", "")
        stated_marker = MARKER.search(header)
        if stated_marker:
            marker = stated_marker[1]
        if not is_source:
            _check_language(header, where, rules.language)
    if rules.messages == "apart":
        return messages
    texts = [message.text for message in messages if message.text]
    return [Page("", "\n\n".join(texts))]


def _without_elements(message: str) -> str:
    """Return a message without the tags of elements that end in it: `<file>` alone is a word."""
    ended = set(END_OF_ELEMENT.findall(message))

    def replaced(tag: re.Match[str]) -> str:
        is_element = tag[2] == "/" or tag[1] in ended
        return " " if is_element else tag[0]

    return unescaped(TAG.sub(replaced, message))


def _without_marker(message: str, marker: str) -> str:
    """Return a message without what marks the letter of a shortcut; a doubled marker is itself.

    The `&` of an entity, such as `&amp;`, is no marker.
    """
    if not marker:
        return message
    marked = rf"(?!{ENTITY.pattern}){re.escape(marker)}(\S)"
    return re.sub(marked, r"\1", message)


def _name_of_message(context: str | None, original: str) -> str:
    """Return what names a message in its file, the same in catalogues of all languages."""
    identity = repr((context, original))
    digits = hashlib.sha256(identity.encode()).hexdigest()
    return digits[:DIGITS]


def _check_language(header: str, where: str, language: str) -> None:
    stated = STATED_LANGUAGE.search(header)
    if not stated:
        return
    code = stated[1]
    if base_language(code) != base_language(language):
        raise UserError(
            f"{where}: its header says `Language: {code}`, expected {language!r}; correct the "
            "path, or the header"
        )


def _messages(content: str, where: str) -> Iterator[dict[str, str]]:
    """Yield the messages of a catalogue, by keyword, without those that are fuzzy or obsolete."""
    message: dict[str, str] = {}
    keyword = ""
    is_fuzzy = False
    for number, line in enumerate([*content.split("\n"), ""], start=1):
        line = line.strip()
        entry = ENTRY.fullmatch(line)
        begins = entry is not None and entry[1] in ("msgctxt", "msgid")
        if "msgstr" in message and (begins or not line.startswith(("msgstr", '"'))):
            if not is_fuzzy:
                yield message
            message = {}
            is_fuzzy = False
        if not line or line.startswith("#"):
            is_fuzzy = is_fuzzy or (line.startswith("#,") and "fuzzy" in line)
            continue
        if entry:
            keyword = entry[1]
            line = entry[2]
            if keyword in message:  # several numbers
                message[keyword] += " "
        text = _unquoted(line, f"{where}, line {number}")
        message[keyword] = message.get(keyword, "") + text


def _unquoted(line: str, place: str) -> str:
    text = None
    if line.startswith('"'):
        with suppress(ValueError, SyntaxError):  # UnicodeError is a ValueError
            text = ast.literal_eval(BYTES.sub(_characters, line))
    if not isinstance(text, str):
        raise UserError(f"{place}: no line of a catalogue of gettext: {line:.60}; correct it")
    return text


def _characters(match: re.Match[str]) -> str:
    """Return escaped bytes, in UTF-8, as escaped characters; an escaped backslash as it is."""
    if not match[1]:
        return match[0]
    octets = bytes(int(number, 8) for number in match[1].split("\\")[1:])
    return "".join(f"\\U{ord(character):08x}" for character in octets.decode())
