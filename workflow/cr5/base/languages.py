"""Codes of languages, the languages whose rules they follow, and what files call them.

A code is compared without case and hyphens: `pt-BR` is `pt_br`, which stands in results and models.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
LANGUAGE = "{language}"  # in a path, stands for what files call a language
ENDINGS = (".xz", ".gz", ".bz2", ".zst", ".zip")
CODE = re.compile("[a-z]{2,}(_[a-z0-9]+)*")
LONGEST = 3  # letters of a language, without its variant
EXPECTED = "Input should be a language's code such as en, pt_br or zh_hant"
ACCENTS = 200  # canonical combining classes from here on: marks above, below or through a letter

# ISO 639-1, and of each language the codes of three letters: that of ISO 639-2/T and 639-3 first,
# then that of 639-2/B, and the language of 639-3 that is meant by a macrolanguage of that name.
# Not `als`, which is Wikipedia's for another language than ISO's.
ISO_639 = """
aa aar, ab abk, ae ave, af afr, ak aka, am amh, an arg, ar ara arb, as asm, av ava, ay aym,
az aze azj, ba bak, be bel, bg bul, bi bis, bm bam, bn ben, bo bod tib, br bre, bs bos, ca cat,
ce che, ch cha, co cos, cr cre, cs ces cze, cu chu, cv chv, cy cym wel, da dan, de deu ger, dv div,
dz dzo, ee ewe, el ell gre, en eng, eo epo, es spa, et est ekk, eu eus baq, fa fas per pes, ff ful,
fi fin, fj fij, fo fao, fr fra fre, fy fry, ga gle, gd gla, gl glg, gn grn, gu guj, gv glv, ha hau,
he heb, hi hin, ho hmo, hr hrv, ht hat, hu hun, hy hye arm, hz her, ia ina, id ind, ie ile, ig ibo,
ii iii, ik ipk, io ido, is isl ice, it ita, iu iku, ja jpn, jv jav, ka kat geo, kg kon, ki kik,
kj kua, kk kaz, kl kal, km khm, kn kan, ko kor, kr kau, ks kas, ku kur, kv kom, kw cor, ky kir,
la lat, lb ltz, lg lug, li lim, ln lin, lo lao, lt lit, lu lub, lv lav lvs, mg mlg plt, mh mah,
mi mri mao, mk mkd mac, ml mal, mn mon khk, mr mar, ms msa may zsm, mt mlt, my mya bur, na nau,
nb nob, nd nde, ne nep npi, ng ndo, nl nld dut, nn nno, no nor, nr nbl, nv nav, ny nya, oc oci,
oj oji, om orm, or ori ory, os oss, pa pan, pi pli, pl pol, ps pus, pt por, qu que, rm roh, rn run,
ro ron rum, ru rus, rw kin, sa san, sc srd, sd snd, se sme, sg sag, sh hbs, si sin, sk slk slo,
sl slv, sm smo, sn sna, so som, sq sqi alb, sr srp, ss ssw, st sot, su sun, sv swe, sw swa swh,
ta tam, te tel, tg tgk, th tha, ti tir, tk tuk, tl tgl, tn tsn, to ton, tr tur, ts tso, tt tat,
tw twi, ty tah, ug uig, uk ukr, ur urd, uz uzb uzn, ve ven, vi vie, vo vol, wa wln, wo wol, xh xho,
yi yid ydd, yo yor, za zha, zh zho chi cmn, zu zul
"""
OF_TWO_LETTERS = [entry.split() for entry in ISO_639.split(",")]
THREE_LETTERS = {entry[0]: entry[1] for entry in OF_TWO_LETTERS}
SHORT: dict[str, str] = {}
for _two_letters, *_three_letters in OF_TWO_LETTERS:
    SHORT |= dict.fromkeys(_three_letters, _two_letters)
# Wikipedia's own codes and Simple English: their first parts mean something else.
OF_WIKIPEDIA = {
    "als": "gsw",
    "bat-smg": "sgs",
    "fiu-vro": "vro",
    "roa-rup": "rup",
    "simple": "en",
    "zh-classical": "lzh",
    "zh-min-nan": "nan",
    "zh-yue": "yue",
}
OTHERWISE = SHORT | OF_WIKIPEDIA


def folded_code(written: str) -> str:
    """Return a code as results and models have it: `pt_br` for pt-BR."""
    return written.strip().lower().replace("-", "_")


def is_code(written: str) -> bool:
    """Return whether this is the code of a language, with or without a variant."""
    code = folded_code(written)
    return CODE.fullmatch(code) is not None and len(base_language(code)) <= LONGEST


def code_of(written: str) -> str:
    """Return the folded code of a language; ValueError if it is none."""
    if not is_code(written):
        raise ValueError(EXPECTED)
    return folded_code(written)


def by_code(values: Mapping[str, T]) -> dict[str, T]:
    """Return values by folded code; ValueError if a key is no code, or two are the same one."""
    by_code: dict[str, T] = {}
    keys: dict[str, str] = {}
    for written, value in values.items():
        code = code_of(written)
        if code in keys:
            raise ValueError(
                f"{keys[code]!r} and {written!r} are the same language, {code!r}; keep one of them"
            )
        keys[code] = written
        by_code[code] = value
    return by_code


def halves(pair: str, languages: Collection[str]) -> list[str]:
    """Return the two languages of a pair such as en-it or pt-BR-en: both are of those given.

    Of another pair, return what is between its hyphens.
    """
    parts = pair.split("-")
    for end in range(1, len(parts)):
        first = folded_code("-".join(parts[:end]))
        second = folded_code("-".join(parts[end:]))
        if first in languages and second in languages:
            return [first, second]
    return parts


@cache
def base_language(code: str) -> str:
    """Return the language whose rules a code follows: `zh` for zh, zh_cn, zh-Hant-TW and ZHO."""
    parts = re.split("[_-]", code.lower())
    for n_parts in range(len(parts), 0, -1):
        beginning = "-".join(parts[:n_parts])
        if beginning in OTHERWISE:
            return OTHERWISE[beginning]
    return parts[0]


def names_of(
    language: str, written: Mapping[str, str], codes: Mapping[str, str] | None = None
) -> list[str]:
    """Return what files may call a language.

    Args:
        language: its folded code.
        written: by folded code, how the configuration writes it; such files go first.
        codes: what a key of the configuration says instead, if it has the language.
    """
    if codes and language in codes:
        return [codes[language]]
    return list(dict.fromkeys([written.get(language, language), language]))


def filled(pattern: str, **names: Sequence[str]) -> list[str]:
    """Return a path with each `{key}` replaced by one of its names, for all choices of names."""
    paths = []
    for choice in product(*names.values()):
        path = pattern
        for key, name in zip(names, choice, strict=True):
            path = path.replace(f"{{{key}}}", name)
        paths.append(path)
    return list(dict.fromkeys(paths))


def path_of(pattern: str, **names: Sequence[str]) -> str:
    """Fill in a path, by the first names of which something is there, or else the very first.

    A file may be compressed in another way than the path says, or not at all.
    """
    paths = filled(pattern, **names)
    for path in paths:
        existing = _existing(path)
        if existing:
            return existing
    return paths[0]


def _existing(path: str) -> str | None:
    """Return the file of that path, compressed in whichever way, or the folder; None if neither."""
    plain = path
    for ending in ENDINGS:
        if path.endswith(ending):
            plain = path.removesuffix(ending)
    compressed = [plain + ending for ending in ENDINGS]
    for file in [path, plain] + compressed:
        if Path(file).is_file():
            return file
    if Path(path).is_dir():
        return path
    return None


def folded(word: str) -> str:
    """Drop accents (México, Mexico), but no other marks, nor those of letters such as ø; in NFC."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    letters = [letter for letter in decomposed if unicodedata.combining(letter) < ACCENTS]
    return unicodedata.normalize("NFC", "".join(letters))
