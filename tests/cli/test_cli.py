"""The command line itself: what it lists, what it says to a wrong word, and that it starts quickly."""

import subprocess
import sys

import pytest

from app.cli import check, main
from app.embedded.places import ROOT


def test_help_lists_the_commands_that_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main([]) == 0
    said = capsys.readouterr().out
    for name in ("up", "test", "check", "migrate"):
        assert f"\n  {name} " in said


def test_an_unknown_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pu"]) == 2
    assert "there is no command 'pu'" in capsys.readouterr().err


def test_what_keeps_a_command_from_starting_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MJ_PORT", "-1")
    assert main.main(["up"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("mj: --port (MJ_PORT): ")
    assert len(said.splitlines()) == 1


def test_every_command_takes_its_arguments_from_the_command_line() -> None:
    for module, _ in main.COMMANDS.values():
        if main.importlib.util.find_spec(module):
            assert callable(main.importlib.import_module(module).main), module


@pytest.mark.parametrize("words", [["rules", "tianjin"], ["--help"]])
def test_a_command_whose_output_nobody_reads_on_ends_without_a_word(words: list[str]) -> None:
    """As in `mj rules tianjin | head -1`."""
    run = f"import sys; from app.cli.main import main; sys.exit(main({words!r}))"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", run], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 141, "as a process that SIGPIPE ended"


def test_help_imports_nothing_heavy() -> None:
    asked = "import sys; from app.cli.main import main; main([]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split("\n")[-2].split()}
    assert not loaded & {"fastapi", "pydantic", "sqlalchemy", "redis", "uvicorn", "alembic", "pytest"}


def test_check_names_a_step_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        check.main(["tpyes"])
    assert "no step 'tpyes'" in capsys.readouterr().err
