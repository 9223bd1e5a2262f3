"""The end of a right ends its streams: sockets are checked again after a change of their user (S8)."""

from __future__ import annotations

from tests.api.gateway.world import world


async def test_a_spectator_who_may_not_watch_any_more_is_closed_at_once() -> None:
    """S8."""
    async with world() as gate, gate.seated("ann", role="spectator") as ann, gate.seated("bob") as bob:
        await gate.gateway.recheck("ann")
        await gate.gateway.recheck("nobody")
        gate.doubles.outsiders.add("ann")
        await gate.gateway.recheck("bob")
        await gate.gateway.recheck("ann")
        code, bye = await ann.code()
        assert code == 4005 and bye is not None and bye["reason"] == "not_allowed"
        await bob.say("ping", {"t": 1})
        assert (await bob.hear())["kind"] == "pong"


async def test_a_ticket_to_watch_is_worth_nothing_when_the_right_has_ended_since() -> None:
    """S8."""
    async with world() as gate, gate.socket() as client:
        gate.doubles.outsiders.add("ann")
        answer = await client.hello(gate.ticket("ann", role="spectator"))
        assert (answer["kind"], answer["data"]["code"]) == ("error", "not_allowed")
        assert (await client.code())[0] == 4005 and gate.desk.attached == []
