import pytest

from cr5.base.errors import UserError
from cr5.counts.columns import columns_of
from cr5.fitting import channels
from cr5.fitting.gather import training_set
from cr5.tasks import texts
from cr5.tasks.ad_hoc import AdHoc

WORDS = ["hund", "kat", "fugl"]
QRELS = "q1 0 d2 2\nq2 0 d1 1\nq2 0 d2 0\nq9 0 d1 1\n"


@pytest.fixture
def stored(tmp_path):
    """A function: the folder of a channel with some of the files, as a job writes it."""
    (tmp_path / "documents").write_text("d1\tkat og kat\nd2\tfugl, hund\n")
    (tmp_path / "queries").write_text("q1\thund\nq2\tukendt\n")
    (tmp_path / "qrels").write_text(QRELS)

    def store(*names):
        found = AdHoc().records({name: tmp_path / name for name in names}, "da")
        texts.save(tmp_path / "da", texts.count(found, "da", WORDS), {"language": "da"})
        return tmp_path / "da"

    return store


def test_text_alone(stored):
    channel = channels.load(stored("documents"), "da")
    assert channel.documents.toarray().tolist() == [[0, 2, 0], [1, 0, 1]]
    assert channel.queries is None
    assert channel.relevance is None


def test_queries_and_what_is_relevant_for_them_in_the_words_of_a_model(stored, tmp_path):
    folder = stored("documents", "queries")
    channel = channels.load(folder, "da", columns_of(["fugl", "hund"], WORDS), tmp_path / "qrels")
    assert channel.documents.toarray().tolist() == [[0, 0], [1, 1]]
    assert channel.queries.toarray().tolist() == [[0, 1], [0, 0]]
    assert channel.relevance.toarray().tolist() == [[0, 2], [1, 0]]  # not what has grade 0


def test_a_channel_of_another_language_is_refused(stored):
    with pytest.raises(UserError, match="'en'"):
        channels.load(stored("documents"), "en")


def test_systems_get_them_by_language(prepared, stored):
    channel = channels.load(stored("documents"), "da")
    bags, drawn, trained = prepared
    assert training_set(bags, drawn, trained, "raw", 0).channels == {}
    training = training_set(bags, drawn, trained, "raw", 0, channels={"da": channel})
    assert training.channels == {"da": channel}
