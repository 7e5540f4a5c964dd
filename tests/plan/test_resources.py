from cr5.plan import resources
from cr5.plan.config import validated
from cr5.systems.cr5.models import Cr5

MANY = [f"a{chr(ord('a') + i)}" for i in range(24)]


def config(**changes):
    settings = {"joint": {"languages": MANY[:4]}, "many": {"kind": "joint"}}
    corpus = {"name": "any", "source": "libreoffice_help"}
    given = {"corpus": corpus, "languages": MANY, "settings": settings, "systems": {"cr5": {}}}
    return validated(given | changes)


def test_ranking_more_directions_may_take_longer():
    """24 languages have 46 times the directions of four."""
    few, many = (resources.of_ranks(config(), name) for name in ("joint", "many"))
    assert many == (few[0], 46 * few[1])


def test_fits_ask_for_shares_of_the_configuration():
    for m, t in ((8000, 20), (16_000, 60)):
        found = resources.of_fit(config(memory_mb=m, minutes=t), "cr5")
        assert found == (m * Cr5.cost[0], t * Cr5.cost[1])


def test_a_first_look_has_the_first_system_of_each_module_that_needs_little():
    systems = {
        "mine": {"module": "cr5", "rank": 10, "title": "Mine"},
        "cr5": {},
        "own": {"module": "lexical_overlap"},
        "advrefine": {},  # waits for vectors
        "word_by_word": {},  # for translation tables
        "opca": {},  # is fitted for each number of dimensions
    }
    given = config(systems=systems, alignments={"aligner": "eflomal"})
    assert resources.needing_little(given) == ["mine", "own"]
