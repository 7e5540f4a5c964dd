from cr5.corpora.wikimedia.wikitext.brackets import DEEPEST, Tally, resolve


def angle(text, tally=None):
    return resolve(text, "{{", "}}", lambda p: f"<{''.join(p)}>", tally or Tally())


def test_innermost_first():
    assert angle("a{{b{{c}}d}}e{{f}}") == "a<b<c>d>e<f>"


def test_what_lacks_its_other_half_stays_as_text_and_is_counted():
    tally = Tally()
    assert angle("a}}b{{c{{d}}e", tally) == "abc<d>e"
    assert tally.unclosed == 2


def test_a_heading_ends_what_is_open():
    tally = Tally()
    assert angle("{{a{{b\n== H ==\ntext}} {{c}}", tally) == "ab\n== H ==\ntext <c>"
    assert tally.unclosed == 3


def test_beyond_the_deepest_only_the_brackets_go():
    depth = DEEPEST + 3
    assert angle("{{" * depth + "x" + "}}" * depth) == "<" * DEEPEST + "x" + ">" * DEEPEST


def test_the_work_grows_with_the_length_not_with_the_depth():
    steps = []
    for depth in (1_000, 2_000, 4_000):
        tally = Tally()
        angle("{{a" * depth + "}}" * depth, tally)
        steps.append(tally.steps)
    assert steps == [2 * depth + 1 for depth in (1_000, 2_000, 4_000)]


def test_the_work_of_rendering_is_bounded_by_the_deepest():
    rendered = []
    resolve("{{a" * 5_000 + "}}" * 5_000, "{{", "}}", lambda p: rendered.append(p) or "", Tally())
    assert len(rendered) == DEEPEST
    assert sum(map(len, rendered)) < 5 * 10_000
