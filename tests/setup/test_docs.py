"""`./run docs`: an environment of its own, set up when it is first asked for."""

BUILD = ["--quiet", "--fresh-env", "--fail-on-warning", "--keep-going", "docs", "made/docs"]


def build(project, **variables):
    (project.root / "envs/docs.lock").write_text("sphinx==9.0.4\n")
    return project.run("docs", **variables)


def test_the_environment_is_set_up_once_and_again_where_that_failed(project):
    assert build(project, DURING_INSTALL="exit 1").returncode != 0
    for _ in range(2):
        done = build(project)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[2:] == ["-m", "sphinx", *BUILD]
    installed = [line for line in project.log() if line.startswith("pip")]
    assert len(installed) == 2
    assert installed[1].endswith("--require-hashes -r envs/docs.lock")
    assert build(project, INNER_EXIT="2").returncode == 2
