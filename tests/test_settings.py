"""The settings: bounds, what may be written in how many ways, and that secrets do not show."""

import pytest
from pydantic import ValidationError

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


def test_secrets_do_not_show() -> None:
    assert "s" * 32 not in repr(Settings(secret="s" * 32))  # type: ignore[arg-type]


def test_nobody_changes_them_later() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]


def test_without_a_secret_each_process_makes_one_up() -> None:
    assert Settings().secret != Settings().secret
