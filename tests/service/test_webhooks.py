"""Webhooks of circles: signed, repeated until taken, never to a private address, once whatever the number of nodes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from app.service.sending.webhooks import WebhookSender, is_public
from app.storage.archive.engine import Archive
from app.storage.archive.webhooks import hooks
from app.storage.archive.webhooks.deliveries import GIVEN_UP, PAUSES
from tests.api.conftest import (
    Player,
    StandingClock,
    app,
    archive,
    built,
    clock,
    empty_database,
    guest,
    http,
    live,
    one_database,
)
from tests.storage.archive.documents import finished, store_round

__all__ = ["app", "archive", "built", "clock", "empty_database", "guest", "http", "live", "one_database"]


class Receiver:
    """An HTTP server that keeps what it gets and answers with `status`."""

    def __init__(self) -> None:
        self.status = 200
        self.got: list[tuple[dict[str, str], str]] = []
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        self.got.append((headers, (await reader.readexactly(int(headers["content-length"]))).decode()))
        answer = f"HTTP/1.1 {self.status} x\r\nLocation: {self.url}/elsewhere\r\nContent-Length: 0\r\n\r\n"
        writer.write(answer.encode())
        await writer.drain()
        writer.close()


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    found = Receiver()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield found
    server.close()


class Told:
    """Keeps the users who heard that a webhook was disabled."""

    def __init__(self) -> None:
        self.users: list[str] = []

    async def __call__(self, user: str, circle: str, webhook: str) -> None:
        self.users.append(user)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def clock_of_now(clock: StandingClock) -> StandingClock:
    """A receiver compares the time of a signature with its own clock."""
    clock.at = datetime.now(UTC)
    return clock


@pytest.fixture
async def hook(archive: Archive, receiver: Receiver, guest: Any, clock_of_now: StandingClock) -> dict[str, Any]:
    """A circle's webhook for everything, and its owner."""
    owner: Player = await guest()
    circle = await owner.post("/circles", {"name": "老友圈"})
    secret = "whsec_" + "c2VjcmV0IGZvciB0aGUgdGVzdHM="
    every = ["round.ended", "match.ended", "room.opened", "room.closed", "application"]
    async with archive.begin() as db:
        added = await hooks.add(db, circle["id"], receiver.url, every, secret)
    return {**added, "secret": secret, "owner": owner, "circle": circle}


@pytest.fixture
def sender(archive: Archive, clock_of_now: StandingClock, told: Told) -> WebhookSender:
    return WebhookSender(archive, clock_of_now, told, allow_private=True)


async def log_of(hook: dict[str, Any]) -> list[dict[str, Any]]:
    """The delivery log, as the circle's owner reads it."""
    path = f"/circles/{hook['circle']['id']}/webhooks/{hook['id']}/deliveries"
    return list((await hook["owner"].get(path))["items"])


async def apply(guest: Any, hook: dict[str, Any]) -> Player:
    """An event: somebody applies to the circle."""
    player: Player = await guest()
    await player.post("/circles/join", {"code": hook["circle"]["code"]})
    return player


async def test_events_arrive_signed_and_name_people_by_id_only(
    hook: dict[str, Any], receiver: Receiver, sender: WebhookSender, archive: Archive, guest: Any
) -> None:
    applicant = await apply(guest, hook)
    people = (hook["owner"].id, applicant.id, None, None)
    room = {"circle": hook["circle"]["id"], "ranked": False}
    for _ in range(2):  # a document is handed over twice: one round
        await store_round(archive, finished(people, room=room, over="finished"))
    while await sender.send_due():
        pass
    events = {}
    for headers, body in receiver.got:
        event = Webhook(hook["secret"]).verify(body, headers)
        events[event["type"]] = event["data"]
        with pytest.raises(WebhookVerificationError):
            Webhook(hook["secret"]).verify(body.replace("circle", "square"), headers)
        assert "tiles" not in body and "hand" not in body and "name of" not in body and "token" not in body
    assert len(receiver.got) == len(events) == 3
    assert events["application"] == {"circle": hook["circle"]["id"], "user": applicant.id}
    assert [seat["net"] for seat in events["round.ended"]["seats"]] == [18, -6, -6, -6]
    assert events["match.ended"]["reason"] == "finished"
    assert all(line["status"] == 200 and line["next_at"] is None for line in await log_of(hook))


async def test_a_failed_delivery_comes_again_after_growing_pauses_also_from_another_process(
    hook: dict[str, Any], receiver: Receiver, archive: Archive, guest: Any, clock_of_now: StandingClock, told: Told
) -> None:
    await apply(guest, hook)
    receiver.status = 500
    for pause in PAUSES:
        assert await WebhookSender(archive, clock_of_now, told, allow_private=True).send_due() == 1
        assert await WebhookSender(archive, clock_of_now, told, allow_private=True).send_due() == 0, "not due yet"
        clock_of_now.at += pause
    receiver.status = 204
    assert await WebhookSender(archive, clock_of_now, told, allow_private=True).send_due() == 1
    (line,) = await log_of_later(hook)
    assert (line["attempts"], line["status"], line["error"]) == (len(PAUSES) + 1, 204, None)
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1, "so that a receiver knows a repetition"


async def log_of_later(hook: dict[str, Any]) -> list[dict[str, Any]]:
    """`log_of`, when the owner's access token has expired meanwhile."""
    owner: Player = hook["owner"]
    fresh = await owner.http.post("/v1/guests", json={"device_token": owner.tokens["device_token"]})
    owner.tokens |= fresh.json()
    return await log_of(hook)


async def test_a_webhook_that_fails_for_days_is_disabled_and_its_managers_hear_of_it(
    hook: dict[str, Any], receiver: Receiver, sender: WebhookSender, guest: Any, clock_of_now: StandingClock, told: Told
) -> None:
    receiver.status = 500
    await apply(guest, hook)
    await sender.send_due()
    clock_of_now.at += GIVEN_UP
    await sender.send_due()
    assert told.users == [hook["owner"].id]
    await log_of_later(hook)  # signs in again
    path = f"/circles/{hook['circle']['id']}/webhooks"
    assert (await hook["owner"].get(path))["items"][0]["disabled_at"] is not None
    await apply(guest, hook)
    clock_of_now.at += timedelta(days=1)
    assert await sender.send_due() == 0
    receiver.status = 200
    await log_of_later(hook)
    await hook["owner"].post(f"{path}/{hook['id']}/resume")
    await apply(guest, hook)
    assert await sender.send_due() >= 1
    assert (await hook["owner"].get(path))["items"][0]["failing_since"] is None


@pytest.mark.parametrize("status", [301, 302, 307])
async def test_a_redirect_is_not_followed(
    hook: dict[str, Any], receiver: Receiver, sender: WebhookSender, guest: Any, status: int
) -> None:
    receiver.status = status
    await apply(guest, hook)
    await sender.send_due()
    assert len(receiver.got) == 1
    assert (await log_of(hook))[0]["error"] == f"answered {status}"


async def test_nothing_is_sent_to_a_private_address(
    hook: dict[str, Any], receiver: Receiver, archive: Archive, guest: Any, clock_of_now: StandingClock, told: Told
) -> None:
    await apply(guest, hook)
    await WebhookSender(archive, clock_of_now, told, allow_private=False).send_due()
    assert receiver.got == []
    assert (await log_of(hook))[0]["error"] == "the address is not public"


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
     "::1", "::", "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::"],
)  # fmt: skip
def test_addresses_within_a_network_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "64:ff9b::101:101"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


async def test_two_nodes_send_an_event_once(
    hook: dict[str, Any], receiver: Receiver, archive: Archive, guest: Any, clock_of_now: StandingClock, told: Told
) -> None:
    await apply(guest, hook)
    senders = [WebhookSender(archive, clock_of_now, told, allow_private=True) for _ in range(3)]
    await asyncio.gather(*[sender.send_due() for sender in senders])
    assert len(receiver.got) == 1


async def test_a_delivery_can_be_replayed_under_a_new_id(
    hook: dict[str, Any], receiver: Receiver, sender: WebhookSender, guest: Any
) -> None:
    await apply(guest, hook)
    await sender.send_due()
    (line,) = await log_of(hook)
    path = f"/circles/{hook['circle']['id']}/webhooks/{hook['id']}/deliveries/{line['id']}/replay"
    assert (await hook["owner"].call("POST", path)).status_code == 202
    await sender.send_due()
    (first, body), (second, again) = receiver.got
    assert json.loads(body) == json.loads(again) and first["webhook-id"] != second["webhook-id"]


async def test_a_webhook_is_added_over_rest_with_its_secret_shown_once(hook: dict[str, Any]) -> None:
    owner, path = hook["owner"], f"/circles/{hook['circle']['id']}/webhooks"
    added = await owner.post(path, {"url": "https://example.org/x", "events": ["application"]})
    assert added["secret"].startswith("whsec_")
    listed = (await owner.get(path))["items"]
    assert [line["url"] for line in listed][1:] == ["https://example.org/x"] and "secret" not in listed[1]
    for wrong in (
        "http://example.org",
        "https://me@example.org",
        "ftp://example.org",
        "https://例子.cn",
        "https://x:99999",
    ):
        assert await owner.refused("POST", path, {"url": wrong, "events": ["application"]}) == (422, "invalid", "url")
    for _ in range(3):
        await owner.post(path, {"url": "https://example.org/y", "events": ["application"]})
    answer = await owner.call("POST", path, {"url": "https://example.org/z", "events": ["application"]})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (409, "webhooks_full")
    assert (await owner.call("DELETE", f"{path}/{added['id']}")).status_code == 204
    assert len((await owner.get(path))["items"]) == 4
