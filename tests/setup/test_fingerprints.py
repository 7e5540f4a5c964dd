"""A rule is done anew when its script changes: its parameters hold the script's fingerprint."""

import re
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "workflow" / "rules"
RULE = r"^ *(?:rule|checkpoint|use rule (?P<base>\w+) as) (?P<name>\w+)(?::| with:)$"
SCRIPT = r'^ *script:\n *"\.\./scripts/(\w+\.py)"$'
CODE = r'^ *params:(?:\n .*)*?\n *code=(?:lambda w: )?\[?\s*code\("(\w+\.py)"\)'
REASON = r"^ +# No code: .+\.$"


def first(pattern, text):
    found = re.search(pattern, text, re.MULTILINE)
    return found and found[1]


def rules_of(text):
    """(name, script, script whose fingerprint it has, text) of each rule with a script."""
    starts = [*re.finditer(RULE, text, re.MULTILINE)]
    ends = [start.start() for start in starts[1:]] + [len(text)]
    scripts = {}
    for start, end in zip(starts, ends, strict=False):  # a file may have no rule
        block = text[start.start() : end]
        script = first(SCRIPT, block) or scripts.get(start["base"])
        if script:
            scripts[start["name"]] = script
            yield start["name"], script, first(CODE, block), block


FILES = {path: path.read_text(encoding="utf-8") for path in sorted(RULES.glob("*.smk"))}
FOUND = [rule for text in FILES.values() for rule in rules_of(text)]


def test_no_script_is_overlooked():
    directives = sum(len(re.findall(r"^ *script:", x, re.MULTILINE)) for x in FILES.values())
    assert sum(first(SCRIPT, block) is not None for *_, block in FOUND) == directives


@pytest.mark.parametrize(
    ("script", "code", "block"), [rule[1:] for rule in FOUND], ids=[rule[0] for rule in FOUND]
)
def test_a_rule_has_the_fingerprint_of_its_script_or_says_why_not(script, code, block):
    assert code == script or (code is None and re.search(REASON, block, re.MULTILINE))


def test_only_what_asks_the_network_has_none():
    assert {name for name, _, code, _ in FOUND if code is None} == {"pins", "download", "fetch"}
