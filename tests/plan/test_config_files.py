import pytest

from cr5.base.errors import UserError
from cr5.plan import config_files


@pytest.fixture
def read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_and_read(content, name="mine.yaml"):
        content = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(content)
        return config_files.read(name)

    return write_and_read


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a: {b: [1, x]}\nc: 1.5\n", {"a": {"b": [1, "x"]}, "c": 1.5}),
        ("\ufeffa: ü\n", {"a": "ü"}),
        # A key of what is merged may be given again: that is what merging is for.
        ("x: &x {a: 1, b: 2}\ny: {<<: *x, a: 3}\nz: *x\n",
         {"x": {"a": 1, "b": 2}, "y": {"a": 3, "b": 2}, "z": {"a": 1, "b": 2}}),
        ("a: 0\nb: 0.5\nc: 0x1f\nd: 10:30x\n", {"a": 0, "b": 0.5, "c": 31, "d": "10:30x"}),
        ("a: {x: 1}\nb: {x: 1}\n", {"a": {"x": 1}, "b": {"x": 1}}),
    ],
)  # fmt: skip
def test_what_is_right_is_read(read, content, expected):
    assert read(content) == expected


def test_json_is_read_with_tabs(read):
    assert read('{\n\t"a": {"b": 1}\n}', "mine.json") == {"a": {"b": 1}}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "mine.yaml: the file is empty"),
        ("# nothing\n", "mine.yaml: the file is empty"),
        ("- a\n- b\n", "mine.yaml: found a list; expected keys and values"),
        ("wikipedia", "mine.yaml: found the single value 'wikipedia'; expected keys and values"),
        ("a: 1\nb: 2\n\na: 3\n", "mine.yaml, line 4, column 1: the key 'a' was already on line 1"),
        ("a:\n  b: 1\n  'b': 2\n", "line 3, column 3: the key 'b' was already on line 2"),
        ("{a: 1, a: 2}", "line 1, column 8: the key 'a' was already on line 1"),
        ("a: 1\nb: c: d\n", "mine.yaml, line 2, column 5: mapping values are not allowed here"),
        ("a:\n\tb: 1\n", "line 2, column 1: .*cannot start any token"),
        ("path: {language}.jsonl\n", "mine.yaml, line 1, column 17"),
        ("a: [1, 2\nb: 3\n", "mine.yaml, line 2"),
        ("a: 1\n--- \nb: 2\n", "mine.yaml, line 2"),
        ("a: 1\ndate: 2026-13-01\n", "line 2, column 7: '2026-13-01' cannot be read"),
        ("a: 1\nseed: 0123\n", "mine.yaml, line 2, column 7: YAML reads 0123 as 83; write"),
        ("a: 1:30\n", "mine.yaml, line 1, column 4: YAML reads 1:30 as 90"),
        ("a: 1:30.5\n", "YAML reads 1:30.5 as 90.5"),
        ("a: 1\nb: &x {c: *x}\n", "mine.yaml, line 2, column 4: what has an anchor here holds it"),
        ("a: &x [1, *x]\n", "mine.yaml, line 1, column 4: what has an anchor here holds itself"),
        ("a: !!binary aGFsbG8=\n", "mine.yaml, line 1, column 4: found .*binary; write plain"),
        ("a: !!set {x, y}\n", "mine.yaml, line 1, column 4: found .*set; write plain"),
        ("a: !!python/name:os.system x\n", "mine.yaml, line 1"),
        ("a: 1\nb: \x07\n", "mine.yaml, line 2"),
        ("a: 1\nb: Größe\n".encode("latin-1"), "mine.yaml, line 2: the byte 0xf6 is no UTF-8"),
        ("a: 1\n".encode("utf-16"), "mine.yaml, line 1: the byte 0xff is no UTF-8"),
    ],
)  # fmt: skip
def test_a_mistake_has_file_and_line(read, content, expected):
    with pytest.raises(UserError, match=expected):
        read(content)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "mine.json: the file is empty"),
        ('{"a": 1,\n "b" 2}', "mine.json, line 2, column 6: not JSON: Expecting ':' delimiter"),
        ('{"a": {"b": 1, "b": 2}}', "mine.json: the key 'b' stands there twice"),
    ],
)
def test_so_has_one_in_json(read, content, expected):
    with pytest.raises(UserError, match=expected):
        read(content, "mine.json")


def test_what_is_no_file_is_named_with_where_it_was_sought(read, tmp_path, monkeypatch):
    with pytest.raises(UserError) as raised:
        config_files.read("none.yaml")
    assert str(raised.value) == (
        f"There is no configuration file none.yaml. Relative paths start at {tmp_path}."
    )
    (tmp_path / "called" / "from").mkdir(parents=True)
    (tmp_path / "called" / "mine.yaml").touch()
    monkeypatch.setenv("CR5_CALLED_FROM", str(tmp_path / "called" / "from"))
    with pytest.raises(
        UserError, match=rf"start at {tmp_path}\. Did you mean {tmp_path}/called/mi"
    ):
        config_files.read("../mine.yaml")
    with pytest.raises(UserError, match=r"^\.: expected a configuration file \(Is a directory\)"):
        config_files.read(".")
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="file/x: expected a configuration file"):
        config_files.read("file/x")
