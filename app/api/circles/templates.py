"""Room templates (玩法) of a circle: saved with all options, so that a table is one tap."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Response

from app.api.circles.bodies import SaveTemplate, TemplateOut, TemplatesOut
from app.api.circles.circle import FOR_MEMBERS, by_role
from app.api.people.identity import CurrentUser, ServicesDep
from app.api.play import opening
from app.api.services import Services
from app.refusal import ErrorCode
from app.rest.bodies import IdPath
from app.storage.archive.circles import circles

router = APIRouter(prefix="/circles/{circle}/templates", tags=["circles"])

_SAVING = by_role(ErrorCode.CONFLICT, ErrorCode.NAME_TAKEN, ErrorCode.INVALID, ErrorCode.BLOCKED_WORD)


@router.get("", responses=FOR_MEMBERS)
async def templates(circle: IdPath, me: CurrentUser, services: ServicesDep) -> TemplatesOut:
    """The circle's templates, by name."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "see")
        return TemplatesOut.model_validate({"items": await circles.templates(db, circle)})


@router.post("", status_code=201, responses=_SAVING)
async def save(circle: IdPath, asked: SaveTemplate, me: CurrentUser, services: ServicesDep) -> TemplateOut:
    """Save a template; a wrong option is named. All options are filled in, so later defaults do not change it."""
    content = await _content(services, asked)
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "templates", change=True)
        saved = TemplateOut.model_validate(await circles.save_template(db, circle, None, **content))
    await services.rooms.circle_changed(circle)
    return saved


@router.put("/{template}", responses=_SAVING)
async def replace(
    circle: IdPath, template: IdPath, asked: SaveTemplate, me: CurrentUser, services: ServicesDep
) -> TemplateOut:
    """Another content for a template. Rooms opened from it keep their rules."""
    content = await _content(services, asked)
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "templates", change=True)
        saved = TemplateOut.model_validate(await circles.save_template(db, circle, template, **content))
    await services.rooms.circle_changed(circle)
    return saved


@router.delete("/{template}", status_code=204, response_class=Response, responses=by_role())
async def drop(circle: IdPath, template: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Drop a template."""
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "templates", change=True)
        await circles.drop_template(db, circle, template)
    await services.rooms.circle_changed(circle)


async def _content(services: Services, asked: SaveTemplate) -> dict[str, Any]:
    """Name and checked options. Raises Refusal and MalformedInput naming the fault."""
    spec = opening.checked(services, opening.Wanted(asked.variant, asked.rules, dict(asked.settings)), None)
    return {
        "name": await services.words.name(asked.name),
        "variant": spec.variant,
        "rules": dict(spec.rules),
        "settings": asdict(spec.settings),
    }
