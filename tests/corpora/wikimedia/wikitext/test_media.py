import pytest

from cr5.corpora.wikimedia.wikitext.media import caption


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("thumb|250px|left|A view", "A view"),
        ("thumb|A view|250x300px|alt=Tree", "A view"),
        ("mini|hochkant=1.2|Blick auf Berlin", "Blick auf Berlin"),
        ("nhỏ|phải|Quang cảnh", "Quang cảnh"),
        ("мини|слева|Вид", "Вид"),
        ("サムネイル|右|景色", "景色"),
        ("thumb|E = mc2", "E = mc2"),  # no option of that name
        ("thumb|upright", ""),
        ("x20px", ""),
        ("", ""),
    ],
)
def test_the_caption_is_the_last_part_that_is_no_option(options, expected):
    assert caption(options.split("|")) == expected
