"""Start uv with what pip is told on this machine: `python envs/uv.py path/to/uv pip install ...`.

`./run` brings uv by pip, so its user has set up pip, if anything: by files and by variables PIP_*,
all of which `pip config list` prints.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

SECTIONS = ("global.", "install.", ":env:.")  # in pip's order: the last one that is set wins
OPTIONS = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "constraint": "--constraints",
    "trusted-host": "--allow-insecure-host",
}
"""Options that take a value; in pip's settings several are parted by spaces."""
FLAGS = {"no-index": "--no-index", "no-cache-dir": "--no-cache"}
VARIABLES = {
    "client-cert": ("SSL_CLIENT_CERT",),
    "proxy": ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"),
    "default-timeout": ("UV_HTTP_TIMEOUT",),
    "timeout": ("UV_HTTP_TIMEOUT",),
}
CERTIFICATES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")  # which pip reads, too
YES = ("y", "yes", "t", "true", "on", "1")


def told_to_pip(listed: str) -> dict[str, str]:
    """Return pip's settings of an installation by name, from what `pip config list` prints."""
    settings = {}
    for section in SECTIONS:
        for line in listed.splitlines():
            name, _, value = line.partition("=")
            if name.startswith(section) and ast.literal_eval(value):
                settings[name.removeprefix(section)] = ast.literal_eval(value)
    return settings


def options(settings: Mapping[str, str]) -> Iterator[str]:
    """Yield uv's options for them."""
    # pip takes a package from any index; uv by itself from the first one that has its name.
    yield from ("--index-strategy", "unsafe-best-match")
    for name, option in OPTIONS.items():
        for value in settings.get(name, "").split():
            yield from (option, value)
    for name, flag in FLAGS.items():
        if settings.get(name, "").lower() in YES:
            yield flag


def variables(settings: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of uv: what it has no option for."""
    changed = dict(environment)
    for name, targets in VARIABLES.items():
        for target in targets:
            if name in settings:
                changed[target] = settings[name]
    given = [settings.get("cert"), *map(environment.get, CERTIFICATES)]
    certificate = next(filter(None, given), "")
    if not certificate:
        changed.setdefault("UV_SYSTEM_CERTS", "true")
    elif Path(certificate).is_dir():
        changed["SSL_CERT_DIR"] = certificate
    else:
        changed["SSL_CERT_FILE"] = certificate
    return changed


def of_a_lock(command: list[str], settings: Mapping[str, str]) -> list[str]:
    """Return a command that has pip's meaning of `--require-hashes`.

    uv wants hashes of the user's constraints, too, which have none. It checks all hashes that a
    lock has, and without dependencies installs nothing that the lock has not.
    """
    if "constraint" not in settings:
        return command
    return ["--no-deps" if word == "--require-hashes" else word for word in command]


def main(command: list[str]) -> None:
    """Replace this process by uv."""
    pip = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(pip, stdout=subprocess.PIPE, text=True, check=True).stdout
    settings = told_to_pip(listed)
    environment = variables(settings, os.environ)
    command = [*of_a_lock(command, settings), *options(settings)]
    os.execve(command[0], command, environment)


if __name__ == "__main__":
    main(sys.argv[1:])
