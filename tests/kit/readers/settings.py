"""The reader of the configuration."""

from pathlib import Path

from cr5.plan import config, config_files
from tests.kit.readers.target import Target

YAML = """# mine
languages: [da, en]
corpus: {name: mine, source: files, path: "x/{language}.jsonl"}
systems:
  cr5: &a {ranks: [10, 20], ridges: [1.0e-2]}
  s2net: {<<: {max_words: 100}}
settings: {joint: }
seed: 7
results: |-
  lines
"""
JSON = (
    b'{"languages": ["da", "en"], "corpus": {"name": "m", "source": "files", "path": "{language}"}}'
)


def _config(path: Path) -> None:
    config.validated(config_files.read(path))


TOKENS = (b"&a ", b"*a", b"<<: ", b"!!python/name:", b"!!int ", b"? ", b"- ", b": ", b"|", b"%YAML")

TARGETS = [
    Target("yaml", "mine.yaml", _config, (YAML.encode(),), tokens=TOKENS),
    Target("json", "mine.json", _config, (JSON,), tokens=(b"\\ud800", b"1e999", b"NaN", b"[[[[")),
]
