import pytest

from cr5.report.markup import Bold, count_cell, html, latex, markdown, score_cell

NAN = float("nan")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hà Nội – Việt Nam", "Hà Nội -- Việt Nam"),
        ("東京", "東京"),
        ("50% of A&B_c #1", r"50\% of A\&B\_c \#1"),
        (r"C:\dir {x}", r"C:\textbackslash{}dir \{x\}"),
        ("~$5 ^2", r"\textasciitilde{}\$5 \textasciicircum{}2"),
        ("[a]<b>|c", r"{[}a{]}\textless{}b\textgreater{}\textbar{}c"),
        ("two\n lines\tand\x00 more", "two lines and more"),
        (Bold("da→en"), r"\textbf{da$\rightarrow$en}"),
    ],
)
def test_latex(text, expected):
    assert latex(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hà Nội – Việt Nam", "Hà Nội – Việt Nam"),
        ("a|b", r"a\|b"),
        ("__init__ *x* `y`", r"\_\_init\_\_ \*x\* \`y\`"),
        ("<b>[x]</b> &amp; $y$", r"\<b\>\[x\]\</b\> \&amp; \$y\$"),
        ("a\\|b", r"a\\\|b"),
        ("two\r\nlines", "two lines"),
        (Bold("a_b"), r"**a\_b**"),
    ],
)
def test_markdown(text, expected):
    assert markdown(text) == expected


def test_html():
    assert html("Hà & <b>\n|") == "Hà &amp; &lt;b&gt; |"
    assert html(Bold('"x"')) == "<b>&quot;x&quot;</b>"


def test_numbers():
    counts = (0, 1234567, 12.4, NAN)
    assert [count_cell(count) for count in counts] == ["0", "1,234,567", "12", "–"]
    assert score_cell(0.96549, NAN) == "96.5"
    assert score_cell(0.0, 0.412) == "0.0 (41.2)"
    assert score_cell(NAN, 0.412) == "– (41.2)"
