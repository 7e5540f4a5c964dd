"""Link prefixes that mean a file, a category, another language.

The site's names come from the `<siteinfo>` of the dump; a table adds localised names and aliases
that a dump may lack. Source of the table: languages/messages/Messages*.php of MediaWiki 1.39
(NS_FILE, NS_CATEGORY and their aliases), lower-cased.
"""

import re
from collections.abc import Mapping

from cr5.base.languages import base_language

FILE, CATEGORY = 6, 14
CANONICAL = {"file": FILE, "image": FILE, "category": CATEGORY}
# Language: names of files, names of categories.
LOCALISED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "af": (("lêer", "beeld"), ("kategorie",)),
    "ar": (("ملف", "صورة"), ("تصنيف",)),
    "az": (("fayl", "şəkil"), ("kateqoriya",)),
    "be": (("файл", "выява"), ("катэгорыя",)),
    "bg": (("файл", "картинка"), ("категория",)),
    "bn": (("চিত্র",), ("বিষয়শ্রেণী",)),
    "bs": (("datoteka", "slika"), ("kategorija",)),
    "ca": (("fitxer", "imatge"), ("categoria",)),
    "cs": (("soubor",), ("kategorie",)),
    "cy": (("delwedd",), ("categori",)),
    "da": (("fil", "billede"), ("kategori",)),
    "de": (("datei", "bild"), ("kategorie",)),
    "el": (("αρχείο", "εικόνα"), ("κατηγορία",)),
    "en": ((), ()),
    "eo": (("dosiero",), ("kategorio",)),
    "es": (("archivo", "imagen"), ("categoría",)),
    "et": (("fail", "pilt"), ("kategooria",)),
    "eu": (("fitxategi", "irudi"), ("kategoria",)),
    "fa": (("پرونده", "تصویر"), ("رده",)),
    "fi": (("tiedosto", "kuva"), ("luokka",)),
    "fr": (("fichier",), ("catégorie",)),
    "ga": (("íomhá",), ("catagóir", "rang")),
    "gl": (("ficheiro", "imaxe"), ("categoría",)),
    "he": (("קובץ", "תמונה"), ("קטגוריה",)),
    "hi": (("चित्र",), ("श्रेणी",)),
    "hr": (("datoteka", "slika"), ("kategorija",)),
    "hu": (("fájl", "kép"), ("kategória",)),
    "hy": (("պատկեր",), ("կատեգորիա",)),
    "id": (("berkas", "gambar"), ("kategori",)),
    "is": (("mynd",), ("flokkur",)),
    "it": (("immagine",), ("categoria",)),
    "ja": (("ファイル", "画像"), ("カテゴリ",)),
    "ka": (("ფაილი", "სურათი"), ("კატეგორია",)),
    "km": (("ឯកសារ", "រូបភាព"), ("ចំណាត់ថ្នាក់ក្រុម", "ចំណាត់ក្រុម", "ចំនាត់ថ្នាក់ក្រុម")),
    "ko": (("파일", "그림"), ("분류",)),
    "la": (("fasciculus", "imago"), ("categoria",)),
    "lo": (("ຮູບ",), ("ໝວດ",)),
    "lt": (("vaizdas",), ("kategorija",)),
    "lv": (("attēls",), ("kategorija",)),
    "mk": (("податотека", "слика"), ("категорија",)),
    "ms": (("fail", "imej"), ("kategori",)),
    "my": (("ဖိုင်",), ("ကဏ္ဍ",)),
    "nb": (("fil", "bilde"), ("kategori",)),
    "nl": (("bestand", "afbeelding"), ("categorie",)),
    "nn": (("fil",), ("kategori",)),
    "no": (("fil", "bilde"), ("kategori",)),
    "pl": (("plik", "grafika"), ("kategoria",)),
    "pt": (("ficheiro", "imagem", "arquivo"), ("categoria",)),
    "ro": (("fișier", "imagine", "fişier"), ("categorie",)),
    "ru": (("файл", "изображение"), ("категория",)),
    "sh": (("datoteka",), ("kategorija",)),
    "sk": (("súbor", "obrázok"), ("kategória",)),
    "sl": (("slika",), ("kategorija",)),
    "sq": (("skeda", "figura"), ("kategoria", "kategori")),
    "sr": (("датотека", "слика", "datoteka", "slika"), ("категорија", "kategorija")),
    "sv": (("fil", "bild"), ("kategori",)),
    "ta": (("படிமம்",), ("பகுப்பு",)),
    "te": (("దస్త్రం", "బొమ్మ", "ఫైలు"), ("వర్గం",)),
    "th": (("ไฟล์", "ภาพ"), ("หมวดหมู่",)),
    "tl": (("talaksan",), ("kategorya", "kaurian")),
    "tr": (("dosya", "resim"), ("kategori",)),
    "uk": (("файл", "зображення", "изображение"), ("категорія", "категория")),
    "ur": (("فائل", "تصویر", "ملف"), ("زمرہ",)),
    "vi": (("tập tin", "hình"), ("thể loại",)),
    "zh": (("文件", "档案", "图像", "图片", "檔案", "圖像", "圖片"), ("分类", "分類")),
}
# Prefixes of links to the same article in another language: de, simple, zh-min-nan; always lower
# case. The short interwiki prefixes below are not languages.
LANGUAGE = re.compile(r"(?:[a-z]{2,3}|simple)(?:-[a-z]{2,8})*", re.ASCII)
NOT_LANGUAGES = frozenset(["doi", "git", "mw", "ol", "rfc", "wmf", "wp"])


Namespaces = Mapping[str, int]
"""Numbers by name or alias, lower-cased, with spaces between words."""


def namespaces(of_dump: Mapping[str, int], language: str) -> Namespaces:
    """Merge the names in a dump, which take precedence, with those known of a language."""
    files, categories = LOCALISED.get(base_language(language), ((), ()))
    known = CANONICAL | dict.fromkeys(files, FILE) | dict.fromkeys(categories, CATEGORY)
    return known | {normal(name): number for name, number in of_dump.items() if name}


def is_language(prefix: str) -> bool:
    """Whether a prefix makes a link to another language, which articles do not show."""
    return LANGUAGE.fullmatch(prefix) is not None and prefix not in NOT_LANGUAGES


def normal(name: str) -> str:
    """Return the name of a namespace as it is a key of `Namespaces`."""
    return name.replace("_", " ").strip().lower()
