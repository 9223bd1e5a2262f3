"""The settings: bounds, what may be written in how many ways, and that secrets do not show."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.cli.hosting.settings import main as list_settings
from app.cli.hosting.starting import parser
from app.embedded.places import StartError
from app.serving.configure import read_settings
from app.settings import Settings


@pytest.mark.parametrize("written", ["postgresql://u@h/d", "postgres://u@h/d", "postgresql+asyncpg://u@h/d"])
def test_a_database_address_may_be_written_as_people_do(written: str) -> None:
    assert Settings(database_url=written).database_url == "postgresql+asyncpg://u@h/d"


def test_a_valkey_address_may_say_valkey() -> None:
    assert Settings(valkey_url="valkey://valkey:6379/0").valkey_url == "redis://valkey:6379/0"
    assert Settings(valkey_url="valkeys://h").valkey_url == "rediss://h"


def test_a_sentinel_address_names_its_service() -> None:
    url = "valkey+sentinel://a:26379,b:26379/tables"
    assert Settings(valkey_url=url, valkey_replicas=1).valkey_url == url.replace("valkey", "redis")
    with pytest.raises(ValidationError, match="must name the service"):
        Settings(valkey_url="redis+sentinel://a:26379")


def test_a_cluster_may_have_replicas_that_are_waited_for() -> None:
    assert Settings(valkey_url="redis://h/?cluster=true", valkey_replicas=1).valkey_replicas == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"port": -1},
        {"nodes": 0},
        {"node": "N 1"},
        {"secret": "short"},
        {"max_tables": 0},
        {"valkey_url": "http://h"},
        {"unknown": 1},
    ],
)
def test_a_value_out_of_bounds_is_refused_by_name(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        Settings(**wrong)  # type: ignore[arg-type]


def test_the_environment_sets_every_field_and_an_empty_variable_sets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MJ_MAX_TABLES", "7")
    monkeypatch.setenv("MJ_PORT", "")
    assert (Settings().max_tables, Settings().port) == (7, 8000)


def test_a_file_in_the_folder_of_secrets_sets_a_field_and_the_environment_goes_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "MJ_ADMIN_TOKEN").write_text("f" * 32 + "\n")
    (tmp_path / "mj_max_tables").write_text("7")
    monkeypatch.setenv("MJ_SECRETS_DIR", str(tmp_path))
    found = read_settings({})
    assert found.admin_token is not None and found.admin_token.get_secret_value() == "f" * 32
    assert found.max_tables == 7
    monkeypatch.setenv("MJ_MAX_TABLES", "8")
    assert read_settings({}).max_tables == 8


def test_a_folder_of_secrets_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MJ_SECRETS_DIR", str(tmp_path / "none"))
    with pytest.raises(StartError, match="MJ_SECRETS_DIR: there is no folder"):
        read_settings({})


def test_every_setting_is_listed_and_all_but_secrets_are_options_of_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert list_settings(["--json"]) == 0
    rows = {row["variable"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows.keys() == {f"MJ_{name.upper()}" for name in Settings.model_fields}
    assert {name for name, row in rows.items() if row["option"] is None} == {"MJ_SECRET", "MJ_ADMIN_TOKEN"}
    told = parser().parse_args(["--max-tables", "9", "--no-embedded", "--trusted-proxies", "10.0.0.0/8"])
    assert (told.max_tables, told.embedded, told.trusted_proxies, told.host) == ("9", False, "10.0.0.0/8", None)


def test_secrets_do_not_show() -> None:
    assert "s" * 32 not in repr(Settings(secret="s" * 32))  # type: ignore[arg-type]


def test_nobody_changes_them_later() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]


def test_without_a_secret_each_process_makes_one_up() -> None:
    assert Settings().secret != Settings().secret


def test_a13_a_wrong_setting_is_one_sentence_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MJ_PORT", "x"), ("MJ_SECRET", "short"), ("MJ_DATABASE_URL", "mysql://h")):
        with monkeypatch.context() as context:
            context.setenv(name, value)
            with pytest.raises(StartError, match=f"^{name}: ") as said:
                read_settings({})
            assert len(str(said.value).splitlines()) == 1
    with pytest.raises(StartError, match=r"^--port \(MJ_PORT\): "):
        read_settings({"port": "x"}, {"port": "--port"})


def test_a13_origins_are_a_plain_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MJ_ALLOWED_ORIGINS", "https://a.example, https://b.example")
    assert read_settings({}).allowed_origins == ("https://a.example", "https://b.example")


def test_a13_an_unknown_name_is_warned_of_with_the_nearest_known_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MJ_MAXTABLES", "5")
    read_settings({})
    assert "MJ_MAXTABLES, which is no setting; did you mean MJ_MAX_TABLES?" in capsys.readouterr().err
