"""`./run docs`: an environment of its own, set up when it is first asked for."""

BUILD = ["--quiet", "--fresh-env", "--fail-on-warning", "--keep-going", "docs", "made/docs"]


def build(project, **variables):
    (project.root / "envs/docs.lock").write_text("sphinx==9.0.4\n")
    return project.run("docs", **variables)


def test_the_environment_is_set_up_once(project):
    for _ in range(2):
        done = build(project)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[2:] == ["-m", "sphinx", *BUILD]
    installed = [line for line in project.log() if line.startswith("pip")]
    assert len(installed) == 1
    assert installed[0].endswith("--require-hashes -r envs/docs.lock")


def test_a_failed_installation_is_begun_anew(project):
    assert build(project, DURING_INSTALL="exit 1").returncode != 0
    assert build(project).returncode == 0


def test_a_failed_build_is_told_by_the_exit_status(project):
    assert build(project).returncode == 0
    assert build(project, INNER_EXIT="2").returncode == 2
