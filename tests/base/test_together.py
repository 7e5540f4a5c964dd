import pandas as pd
import pytest

from cr5.base import contents, sealed
from cr5.base.errors import UserError
from cr5.base.kinds import BAGS, MODELS, TRAINED
from cr5.base.labels import fingerprint
from cr5.base.together import together


@pytest.fixture
def made(tmp_path):
    def make(name, kind, **fits):
        if kind is TRAINED:
            with sealed.written(kind, tmp_path / name, fits=fits) as path:
                pd.DataFrame({"concept": ["a"]}).to_parquet(path)
        else:
            with contents.written(kind, tmp_path / name, fits=fits):
                pass
        return tmp_path / name

    return make


def test_what_all_of_them_depend_on(made):
    paths = [made("m", MODELS, v="1"), made("b", BAGS, v="1", d="2"), made("t", TRAINED, draw="3")]
    assert together(paths) == {"d": "2", "draw": "3", "v": "1"}
    assert together([]) == {}


def test_two_that_were_not_made_of_each_other(made):
    paths = [made("b", BAGS, v="1"), made("t", TRAINED, draw="3"), made("m", MODELS, v="2")]
    message = f"{paths[0]} and {paths[2]} do not belong together: the v of one is not that of the"
    with pytest.raises(UserError, match=message) as error:
        together(paths)
    assert "Remove the one that is of another run, or both, and run again" in str(error.value)
    assert together(paths, but=["v"]) == {"draw": "3"}


def test_fingerprints_of_texts_in_their_order():
    every = [["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""], ["a,b"], ['a", "b'], []]
    assert len({fingerprint(x) for x in every}) == len(every)
    assert fingerprint(iter(["a", "b"])) == fingerprint(pd.Series(["a", "b"]))
