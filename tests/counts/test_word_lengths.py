from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from cr5.counts import bags
from cr5.counts.assembly import assemble
from cr5.counts.counting import count
from cr5.counts.rules import Rules
from cr5.counts.tokens import tokenise
from cr5.counts.word_lengths import WordLengths

TEXTS = {
    "zh": "她每天早上坐火车去城里上班。火车经过一座古老的石桥，桥下的河水流得很慢。",
    "ja": "彼女は毎朝電車で町へ通っています。電車は古い石の橋を渡り、川はゆっくりと流れています。",
    "th": "เธอนั่งรถไฟเข้าเมืองไปทำงานทุกเช้า รถไฟแล่นผ่านสะพานหินเก่าแก่",
    "km": "ប្រជាជនភាគច្រើនរស់នៅតាមជនបទ និងធ្វើស្រែចម្ការ។",
    "lo": "ນະຄອນຫຼວງວຽງຈັນເປັນເມືອງຫຼວງຂອງປະເທດລາວ",
    "my": "နေပြည်တော်သည် မြန်မာနိုင်ငံ၏ မြို့တော်ဖြစ်သည်။",
}


def warning(tokens, language="xx"):
    counted = Counter(tokens)
    lengths = WordLengths()
    for part in (list(counted.items())[::2], list(counted.items())[1::2]):
        words, frequencies = zip(*part, strict=True) if part else ((), ())
        lengths.add(pa.array(words, pa.string()), np.array(frequencies, np.int64))
    return lengths.warning(language)


@pytest.mark.parametrize("language", TEXTS)
def test_text_without_spaces_is_told_where_it_was_not_cut(language):
    pytest.importorskip("icu4py")
    text = TEXTS[language]
    assert "'jp': its words look wrong" in warning(tokenise(text, "jp"), "jp")
    assert warning(tokenise(text, language), language) == ""


def test_the_mean_the_limit_and_the_most_frequent_example_by_hand():
    # 3 x 5 + 2 characters in 4 words of Chinese characters, of 17 + 3 characters in all
    found = warning(["一二三四五"] * 2 + ["六七八九十", "一二", "abc"], "cn")
    assert found.startswith(
        "Language 'cn': its words look wrong: 4.2 characters on average, such as '一二三四五', "
        "where words of this script have fewer than 4; "
    )
    assert "zh_tw" in found


def test_a_mean_at_the_limit_is_no_mistake():
    assert warning(["一二三四", "一二三四五六", "一二"]) == ""


def test_foreign_names_in_other_text_do_not_count():
    assert warning(["一二三四五六七八"] + ["word"] * 7) == ""
    assert warning(["一二三四五六七八"] + ["word"] * 5) != ""


def test_long_words_of_any_script_are_told_and_a_long_example_is_cut():
    assert "such as 'qqqqqqqqqqqqqqqqqqqq...'" in warning(["q" * 30, "word"])
    assert warning(["q" * 15]) == ""
    assert warning([]) == ""


def test_bags_warn_whole_or_in_parts(tmp_path, caplog):
    tokens = tokenise(TEXTS["zh"], "cn")
    rules = Rules(min_documents=1, max_words=99, unique_words=(1, 99))
    bags.build([("Q1", "One", tokens), ("Q2", "Two", tokens)], rules, "cn")
    text = " ".join(tokens)
    records = [(1, "Q1", "One", text), (2, "Q2", "Two", text)]
    count(tmp_path / "part", records, language="cn")
    assemble([tmp_path / "part"], tmp_path / "bags", rules, "cn")
    told = [x.getMessage() for x in caplog.records if x.levelname == "WARNING"]
    assert len(told) == 2
    assert told[0] == told[1]
    assert told[0].startswith("Language 'cn': its words look wrong")


SPACED = [
    ("da", "Hver morgen tager hun toget ind til byen, hvor hendes værksted ligger."),
    ("de", "Die Straßenbahnhaltestelle liegt neben der alten Steinbrücke am Fluss."),
    ("hi", "वह हर सुबह रेलगाड़ी से शहर जाती है और पुराने पुल को देखती है।"),
    ("ru", "Каждое утро она едет на поезде в город, мимо старого каменного моста."),
    ("vi", "Mỗi sáng chị đi tàu vào thành phố, qua một cây cầu đá rất cũ."),
]


@pytest.mark.parametrize(("language", "text"), SPACED)
def test_text_with_spaces_is_not_told(language, text):
    assert warning(tokenise(text, language), language) == ""
