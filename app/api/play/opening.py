"""Opening a table: check the options, draw a code, write the room down, start it. One way for all kinds of rooms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.api.services import Services
from app.kernel.errors import MalformedInput
from app.kernel.variant import rule_pairs
from app.refusal import ErrorCode, Refusal
from app.storage.archive.paging import Row
from app.storage.archive.play import rooms
from app.storage.archive.schema.columns import new_id
from app.storage.archive.webhooks import hooks
from app.tables.ports import Person, Summary
from app.tables.settings import TableSpec, make_spec


@dataclass(frozen=True, slots=True)
class Wanted:
    """The requested room, unchecked."""

    variant: str | None
    rules: Mapping[str, Any]
    settings: dict[str, Any]
    circle: str | None = None
    ranked: bool = False


def from_template(template: Row, circle: str | None) -> Wanted:
    """The room that a circle's template describes."""
    return Wanted(template["variant"], template["rules"], dict(template["settings"]), circle)


def checked(services: Services, wanted: Wanted, host: Person | None) -> TableSpec:
    """The table's description with every option filled in; no code yet.

    Raises Refusal invalid for an unknown variant, MalformedInput naming a wrong option (`rules.…`, `settings.…`).
    """
    variant = services.variants.get(wanted.variant or "")
    if variant is None:
        raise Refusal(ErrorCode.INVALID, f"known variants are {', '.join(services.variants)}", "variant")
    spec = make_spec(
        variant,
        table_id=new_id(),
        code="",
        rules=wanted.rules,
        settings=wanted.settings,
        host=host.user if host else None,
        host_name=host.name if host else "",
        circle=wanted.circle,
        ranked=wanted.ranked,
    )
    return replace(spec, rules=dict(rule_pairs(variant.parse_rules(wanted.rules))))


async def open_room(services: Services, wanted: Wanted, host: Person | None, address: str) -> Summary:
    """Start a table; it counts for its maker's `address`.

    Raises as `checked`, and Refusal: busy, too_many_tables; then nothing stays.
    """
    spec = checked(services, wanted, host)
    await services.rooms.count_room(spec.table_id, address)
    async with services.archive.begin() as db:
        await rooms.keep_room(db, spec)
        opened = {"room": spec.table_id, "variant": spec.variant, "host": spec.host}
        await hooks.queue(db, spec.circle, "room.opened", opened, services.now())
    try:
        spec = replace(spec, code=await services.rooms.reserve_code(spec.table_id))
        return await services.rooms.create(spec)
    except BaseException:
        await rooms.close_room(services.archive, spec.table_id, "not_opened", services.now())
        raise


def preset_rules(services: Services, slug: str, rules: Mapping[str, Any], players: int | None) -> dict[str, Any]:
    """The rules of a quick match: a preset, with the number of people where the variant leaves a choice.

    Raises Refusal invalid: unknown variant, or a number of people it is not played with.
    """
    variant = services.variants.get(slug)
    if variant is None:
        raise Refusal(ErrorCode.INVALID, f"known variants are {', '.join(services.variants)}", "variant")
    if players is None:
        return dict(rules)
    if players not in variant.meta.players:
        raise Refusal(
            ErrorCode.INVALID, f"this game is for {', '.join(map(str, variant.meta.players))} people", "players"
        )
    leaves_choice = any(option.name == "players" for option in variant.meta.options)
    if not leaves_choice:
        return dict(rules)
    if rules.get("players", players) != players:
        raise MalformedInput("rules.players", "contradicts `players`")
    return {**rules, "players": players}
