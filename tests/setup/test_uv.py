"""`envs/uv.py`: what pip is told on a machine reaches uv, whose resolver reads an index with it."""

import functools
import http.server
import importlib.util
import os
import shutil
import ssl
import subprocess
import sys
import threading
import zipfile

import pytest

from tests.kit.run import ROOT, ended

PROGRAM = ROOT / "envs" / "uv.py"
UV = shutil.which("uv") or shutil.which("uv", path=ROOT / ".venv" / "uv" / "bin")
BEST = ["--index-strategy", "unsafe-best-match"]


@pytest.fixture(scope="module")
def module():
    spec = importlib.util.spec_from_file_location("envs_uv", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_of_settings_that_contradict_each_other_the_one_that_pip_takes_counts(module):
    listed = """:env:.index-url='of a variable'
global.index-url='of a file'
global.proxy='of a file'
global.retries='5'
install.index-url='of a file, for installing'
install.proxy='of a file, for installing'
list.proxy='of another command'
:env:.proxy=''
"""
    settings = module.told_to_pip(listed)
    assert settings["index-url"] == "of a variable"
    assert settings["proxy"] == "of a file, for installing"  # an empty one does not count


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, []),
        ({"index-url": "https://a/simple"}, ["--default-index", "https://a/simple"]),
        ({"extra-index-url": "a\n b"}, ["--index", "a", "--index", "b"]),
        ({"find-links": "/a b"}, ["--find-links", "/a", "--find-links", "b"]),
        ({"constraint": "a.txt"}, ["--constraints", "a.txt"]),
        ({"trusted-host": "a:1 b"}, ["--allow-insecure-host", "a:1", "--allow-insecure-host", "b"]),
        ({"no-index": "True", "no-cache-dir": "0"}, ["--no-index"]),
        ({"no-index": "off", "no-cache-dir": "1"}, ["--no-cache"]),
    ],
)
def test_options(module, settings, expected):
    assert list(module.options(settings)) == [*BEST, *expected]


@pytest.mark.parametrize(
    ("settings", "environment", "expected"),
    [
        ({}, {}, {"UV_SYSTEM_CERTS": "true"}),
        ({"cert": "a.pem"}, {"CURL_CA_BUNDLE": "b.pem"}, {"SSL_CERT_FILE": "a.pem"}),
        ({}, {"CURL_CA_BUNDLE": "b", "REQUESTS_CA_BUNDLE": "a"}, {"SSL_CERT_FILE": "a"}),
        ({"cert": "envs"}, {}, {"SSL_CERT_DIR": "envs"}),
        (
            {"client-cert": "c.pem", "cert": "a.pem"},
            {},
            {"SSL_CLIENT_CERT": "c.pem", "SSL_CERT_FILE": "a.pem"},
        ),
        (
            {"proxy": "http://p:1", "cert": "a.pem"},
            {"HTTPS_PROXY": "of others"},
            dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://p:1")
            | {"SSL_CERT_FILE": "a.pem"},
        ),
        (
            {"default-timeout": "60", "timeout": "90", "cert": "a.pem"},
            {},
            {"UV_HTTP_TIMEOUT": "90", "SSL_CERT_FILE": "a.pem"},
        ),
    ],
)
def test_variables(module, monkeypatch, settings, environment, expected):
    monkeypatch.chdir(ROOT)
    assert module.variables(settings, environment) == environment | expected


def test_constraints_without_hashes_do_not_stop_what_is_locked(module):
    command = ["uv", "--require-hashes", "-r", "a.lock"]
    assert module.of_a_lock(command, {}) == command
    without = ["uv", "--no-deps", "-r", "a.lock"]
    assert module.of_a_lock(command, {"constraint": "a.txt"}) == without


def certificate(folder, name):
    """Make one for the loopback address, in one file with its key."""
    key = folder / f"{name}.key"
    made = folder / f"{name}.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    for extension in ("subjectAltName=IP:127.0.0.1", "basicConstraints=critical,CA:FALSE"):
        command += ["-addext", extension]
    command += ["-keyout", str(key), "-out", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    both = folder / f"{name}_with_key.pem"
    both.write_text(made.read_text() + key.read_text())
    return made, both


@pytest.fixture
def index(tmp_path):
    """Serve an index of one package, to who shows a certificate; its address and the options."""
    if not shutil.which("openssl"):
        pytest.skip("the program openssl is not there")
    place = tmp_path / "index" / "cr5-nothing"
    place.mkdir(parents=True)
    with zipfile.ZipFile(place / "cr5_nothing-1.2-py3-none-any.whl", "w") as wheel:
        about = "cr5_nothing-1.2.dist-info"
        wheel.writestr(
            f"{about}/METADATA", "Metadata-Version: 2.1\nName: cr5-nothing\nVersion: 1.2"
        )
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any")
        wheel.writestr(f"{about}/RECORD", "")
    of_server, with_key = certificate(tmp_path, "server")
    of_client, client_with_key = certificate(tmp_path, "client")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=of_client)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(with_key)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Handler, directory=tmp_path / "index")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda *_: None  # a client without a certificate
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield {
        "PIP_INDEX_URL": f"https://127.0.0.1:{server.server_port}/",
        "PIP_CERT": str(of_server),
        "PIP_CLIENT_CERT": str(client_with_key),
    }
    server.shutdown()
    server.server_close()


@pytest.mark.skipif(not UV, reason="uv is not there: it is in a .venv that ./run has set up")
def test_an_index_on_this_machine_with_a_certificate_of_its_own_is_read(index, tmp_path):
    (tmp_path / "asked").write_text("cr5-nothing")
    (tmp_path / "constraints").write_text("cr5-nothing <2")
    nobody = {"PIP_CONFIG_FILE": os.devnull, "UV_NO_CONFIG": "1", "UV_HTTP_RETRIES": "0"}
    command = [sys.executable, PROGRAM, UV, "pip", "compile", "--no-header", "asked"]

    def resolved(**environment):
        names = (*os.environ, *environment)
        cleared = {name: "" for name in names if name.startswith("PIP_")}
        caches = {"UV_CACHE_DIR": str(tmp_path / "cache")}
        return ended(command, tmp_path, **cleared | nobody | caches | environment)

    done = resolved(**index, PIP_CONSTRAINT="constraints")
    assert done.returncode == 0 and "cr5-nothing==1.2" in done.stdout.splitlines(), done.stdout
    (tmp_path / "constraints").write_text("cr5-nothing <1")
    assert resolved(**index, PIP_CONSTRAINT="constraints").returncode != 0
    for missing in ("PIP_CERT", "PIP_CLIENT_CERT"):
        shutil.rmtree(tmp_path / "cache")  # which has the answer
        assert resolved(**index | {missing: ""}).returncode != 0
    trusted = index | {"PIP_CERT": "", "PIP_TRUSTED_HOST": "127.0.0.1"}
    assert resolved(**trusted).returncode == 0
