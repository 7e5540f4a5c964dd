"""A rule is done anew when its script changes: its parameters hold the script's fingerprint."""

import re
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "workflow" / "rules"
RULE = r"^ *(?:rule|checkpoint|use rule (\w+) as) (\w+)(?::| with:)$"
SCRIPT = r'^ *script:\n *"\.\./scripts/(\w+\.py)"$'
TOLD = r'\*\*told\(\s*"\w+",\s*"(\w+\.py)"'


def rules():
    """(rule, scripts it runs, scripts whose fingerprint it has) of each file's rules."""
    ran = {}
    for path in sorted(RULES.glob("*.smk")):
        _, *parts = re.split(RULE, path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for base, name, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            ran[name] = re.findall(SCRIPT, text, re.MULTILINE) or ran.get(base, [])
            yield name, ran[name], re.findall(TOLD, text)


FOUND = [rule for rule in rules() if rule[1] or rule[2]]
BY_NETWORK = {"fetch", "pins", "download"}  # another version must not fetch gigabytes again


def test_no_script_is_overlooked():
    texts = "".join(path.read_text(encoding="utf-8") for path in RULES.glob("*.smk"))
    directives = re.findall(r"^ *script:$", texts, re.MULTILINE)
    assert len(re.findall(SCRIPT, texts, re.MULTILINE)) == len(directives)


@pytest.mark.parametrize(("name", "scripts", "told"), FOUND, ids=[rule[0] for rule in FOUND])
def test_a_rule_has_the_fingerprint_of_its_script(name, scripts, told):
    assert len(scripts) == 1
    assert told == ([] if name in BY_NETWORK else scripts)
