import pytest

from cr5.texts.wikimedia.wikitext.namespaces import (
    CATEGORY,
    FILE,
    Namespaces,
    is_language,
)


@pytest.mark.parametrize(
    ("language", "file", "category"),
    [
        ("de", "Datei", "Kategorie"),
        ("fr", "Fichier", "Catégorie"),
        ("vi", "Tập_tin", "Thể loại"),
        ("vi", "hình", "THỂ LOẠI"),
        ("ru", "Изображение", "категория"),
        ("no", "Bilde", "Kategori"),
        ("el", "Εικόνα", "Κατηγορία"),
        ("zh", "檔案", "分类"),
        ("zh_tw", "檔案", "分类"),
        ("pt-BR", "Imagem", "Categoria"),
        ("be_x_old", "Выява", "Катэгорыя"),
        ("nb", "Bilde", "Kategori"),
        ("en", "image", "Category"),
        ("xx", "File", "Category"),
    ],
)
def test_localised_names_and_english_ones_are_known(language, file, category):
    namespaces = Namespaces.from_siteinfo({}, language)
    assert namespaces.number(file) == FILE
    assert namespaces.number(f" {category} ") == CATEGORY
    assert namespaces.number("Berlin") is None


def test_which_prefixes_are_languages_of_wikipedias():
    assert all(map(is_language, ("de", "nds-nl", "simple", "zh-min-nan", "war")))
    others = ("w", "wikt", "commons", "doi", "mw", "CSI", "Star Trek", "")
    assert not any(map(is_language, others))
