from cr5.corpora.parallel import Bundle, Place, bundles, fetched_name, is_remote
from cr5.tasks.sentences import Sentences

LANGUAGES = ["en", "da", "vi"]
MOSES = "{first}-{second}.{language}"


def options(**given):
    return Sentences(**given).model_dump(mode="json")


def places(**given):
    """Of each language in the one bundle of all."""
    [found] = bundles(options(**given), LANGUAGES)
    return found.places


def test_languages_without_pairs_are_one_bundle():
    flores = places(path="flores/{language}.devtest", codes={"da": "dan_Latn"})
    assert flores["en"] == Place("flores/en.devtest")
    assert flores["da"] == Place("flores/dan_Latn.devtest")
    columns = {"en": 2, "da": 3, "vi": 1}
    table = places(path="all.tsv", columns=columns)
    assert table == {x: Place("all.tsv", column=column) for x, column in columns.items()}
    elsewhere = places(address="http://host/{language}.txt.gz")
    assert elsewhere["da"] == Place("http://host/da.txt.gz")


def test_files_of_a_language_each_may_have_columns_and_be_compressed(tmp_path):
    (tmp_path / "da.tsv.xz").touch()
    found = places(path=f"{tmp_path}/{{language}}.tsv", columns={"da": 3})
    assert found["en"] == Place(f"{tmp_path}/en.tsv")
    assert found["da"] == Place(f"{tmp_path}/da.tsv.xz", column=3)


def test_pairs_are_those_whose_files_are_there_in_either_order(tmp_path):
    """As of Tatoeba, whose pairs are all with English."""
    for name in ("dan-eng.dan", "dan-eng.eng", "en-vi.vi", "en-vi.en"):
        (tmp_path / name).touch()
    found = bundles(options(path=f"{tmp_path}/{MOSES}"), LANGUAGES)
    assert [bundle.name for bundle in found] == ["en-vi"]
    codes = {"da": "dan", "en": "eng"}
    [danish] = bundles(options(path=f"{tmp_path}/{MOSES}", codes=codes), LANGUAGES)
    assert danish.name == "da-en"
    assert danish.places["en"] == Place(f"{tmp_path}/dan-eng.eng")


def test_the_order_of_languages_finds_the_same(tmp_path):
    for name in ("vi-da.vi", "vi-da.da", "en-da.en", "en-da.da"):
        (tmp_path / name).touch()
    given = options(path=f"{tmp_path}/{MOSES}")
    assert bundles(given, LANGUAGES) == bundles(given, LANGUAGES[::-1])
    assert [list(x.places) for x in bundles(given, LANGUAGES)] == [["en", "da"], ["vi", "da"]]


def test_columns_of_a_file_of_a_pair_are_its_languages_in_order(tmp_path):
    (tmp_path / "en-da.tsv").touch()
    path = f"{tmp_path}/{{first}}-{{second}}.tsv"
    [found] = bundles(options(path=path), LANGUAGES)
    file = str(tmp_path / "en-da.tsv")
    assert found.places == {"en": Place(file, column=1), "da": Place(file, column=2)}
    [found] = bundles(options(path=path, columns={"da": 5}), LANGUAGES)
    assert found.places["da"].column == 5


def test_europarl_is_a_member_of_an_archive_at_an_address():
    given = options(
        address="http://host/{first}-{second}.tgz", path=f"europarl-v7.{MOSES}", pairs=["da-en"]
    )
    [found] = bundles(given, LANGUAGES)
    assert found == Bundle(
        "da-en",
        {x: Place("http://host/da-en.tgz", f"europarl-v7.da-en.{x}") for x in ("da", "en")},
    )
    assert is_remote("http://host/da-en.tgz") and not is_remote("folder/da-en.tgz")
    assert fetched_name("http://host:80/v7/da-en.tgz?x=1") == "host_80_v7_da-en.tgz_x_1"
