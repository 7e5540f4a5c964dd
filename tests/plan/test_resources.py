from cr5.fitting.options import VectorOptions
from cr5.plan import resources
from cr5.systems.cr5.models import Cr5

MANY = [f"a{chr(ord('a') + i)}" for i in range(24)]


def config(memory_mb=16_000, minutes=60, **systems):
    settings = {"joint": {"languages": ["da", "en", "it", "vi"]}, "many": {"languages": MANY}}
    settings = {name: {"kind": "joint", "systems": ["cr5"]} | x for name, x in settings.items()}
    corpus = {"name": "any", "source": "libreoffice_help"}
    given = {"corpus": corpus, "systems": systems, "settings": settings, "tasks": {"documents": {}}}
    return {
        "memory_mb": memory_mb,
        "minutes": minutes,
        "vectors": VectorOptions().model_dump(),
    } | given


def test_ranking_more_directions_may_take_longer():
    """24 languages have 46 times the directions of four."""
    few, many = (resources.of_ranks(config(), name) for name in ("joint", "many"))
    assert many == (few[0], 46 * few[1])


def test_fits_ask_for_shares_of_the_configuration():
    for m, t in ((8000, 20), (16_000, 60)):
        found = resources.of_fit(config(memory_mb=m, minutes=t, cr5={}), "cr5")
        assert found == (m * Cr5.cost[0], t * Cr5.cost[1])


def test_a_first_look_has_the_first_system_of_each_module_that_needs_little():
    given = config(
        mine={"module": "cr5", "rank": 10},
        cr5={},
        own={"module": "lexical_overlap"},
        advrefine={},  # waits for vectors
        word_by_word={},  # for translation tables
        opca={},  # is fitted for each number of dimensions
    )
    assert resources.needing_little(given) == ["mine", "own"]
