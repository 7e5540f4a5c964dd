import pytest

from cr5.base.errors import UserError
from cr5.base.options import complete
from cr5.corpora.parallel import Bundle, Place, bundles, fetched_name, is_remote
from cr5.tasks.sentences import OPTIONS

LANGUAGES = ["en", "da", "vi"]
MOSES = "{first}-{second}.{language}"


def options(**given):
    return complete(OPTIONS, given)


def test_a_file_for_each_language_is_one_bundle_of_all():
    given = options(path="flores/{language}.devtest", codes={"da": "dan_Latn"})
    assert bundles(given, LANGUAGES) == [
        Bundle(
            "all",
            {
                "en": Place("flores/en.devtest"),
                "da": Place("flores/dan_Latn.devtest"),
                "vi": Place("flores/vi.devtest"),
            },
        )
    ]


def test_files_of_a_language_each_may_have_columns_and_be_compressed(tmp_path):
    (tmp_path / "da.tsv.xz").touch()
    given = options(path=f"{tmp_path}/{{language}}.tsv", columns={"da": 3})
    [found] = bundles(given, ["en", "da"])
    assert found.places == {
        "en": Place(f"{tmp_path}/en.tsv"),
        "da": Place(f"{tmp_path}/da.tsv.xz", column=3),
    }


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


def test_one_file_of_all_languages_has_its_columns_named():
    columns = {"en": 2, "da": 3, "vi": 1}
    [found] = bundles(options(path="all.tsv", columns=columns), LANGUAGES)
    assert {x: place.column for x, place in found.places.items()} == columns
    with pytest.raises(UserError, match=r"say which column each has.* missing: vi$"):
        bundles(options(path="all.tsv", columns={"en": 2, "da": 3}), LANGUAGES)


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


def test_a_pair_may_be_a_list():
    given = (["vi-en"], [["vi", "en"]])
    one, other = (bundles(options(path=MOSES, pairs=x), LANGUAGES) for x in given)
    assert one == other and one[0].name == "vi-en"


def test_an_address_without_a_path_is_the_text_itself():
    [found] = bundles(options(address="http://host/{language}.txt.gz"), ["en", "da"])
    assert found.places["da"] == Place("http://host/da.txt.gz")
