"""The list of games, and the calculator: the same that `mj score` runs, off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from app.api.people.identity import RemoteAddress, ServicesDep
from app.api.play.bodies import RulesOut, ScoreEntries, ScoresOut, VariantsOut, option_out
from app.api.rules_pages import send
from app.kernel.errors import MalformedInput
from app.kernel.variant import Variant
from app.refusal import ErrorCode, Refusal, not_found
from app.rest.bodies import SlugPath
from app.rest.errors import anywhere
from app.tables.settings import SETTINGS_OPTIONS

router = APIRouter(prefix="/variants", tags=["variants"])

_SECONDS = 20.0
"""Time limit of a calculation; 50 of the worst entries take a tenth of it."""


@router.get("", responses=anywhere())
async def variants(services: ServicesDep) -> VariantsOut:
    """All games with the options that a room can choose, as data for forms."""
    return VariantsOut.model_validate(
        {
            "variants": [_shown(variant) for variant in services.variants.values()],
            "settings": [option_out(option) for option in SETTINGS_OPTIONS],
        }
    )


def _shown(variant: Variant[Any]) -> dict[str, Any]:
    meta = variant.meta
    return {
        "slug": meta.slug, "name_zh": meta.name_zh, "name_en": meta.name_en, "rules_version": meta.rules_version,
        "players": list(meta.players), "kinds": list(meta.kinds), "dice": meta.dice, "first_dealer": meta.first_dealer,
        "options": [option_out(option) for option in meta.options],
        "clocks": dict(meta.clocks), "auto_ready_s": meta.auto_ready_s, "pattern_names": dict(meta.pattern_names),
        "reason_names": dict(meta.reason_names), "names_en": dict(meta.names_en),
        "ladder": [{"level": row.level, "name": row.name, "threshold": row.threshold} for row in meta.ladder],
    }  # fmt: skip


@router.get("/{slug}/rules", response_model=RulesOut, responses=anywhere(ErrorCode.NOT_FOUND))
async def rules(slug: SlugPath, request: Request, services: ServicesDep) -> Response:
    """The rules of a game by clause, and its texts for people who learn it. Revalidated by ETag."""
    page = services.rules.get(slug)
    if page is None:
        raise not_found("variant")
    return send(page, request)


@router.post("/{slug}/score", responses=anywhere(ErrorCode.NOT_FOUND))
async def score(slug: SlugPath, asked: ScoreEntries, services: ServicesDep, remote: RemoteAddress) -> ScoresOut:
    """Settle up to 50 entries of one list. One that makes no sense is named by place and field: `entries.3.hand`."""
    variant = services.variants.get(slug)
    if variant is None:
        raise not_found("variant")
    await services.limiter.spend("score", address=remote)
    work = asyncio.get_running_loop().run_in_executor(
        services.calculators, score_all, variant.score, asked.list_name, asked.entries
    )
    try:
        results, wrong = await asyncio.wait_for(work, _SECONDS)
    except TimeoutError:
        raise Refusal(ErrorCode.BUSY, "the calculator is busy; try again") from None
    if wrong is not None:
        raise MalformedInput(*wrong)
    return ScoresOut(results=results)


def score_all(
    calculate: Callable[[str, Mapping[str, object]], dict[str, object]],
    list_name: str,
    entries: list[dict[str, Any]],
) -> tuple[list[dict[str, object]], tuple[str, str] | None]:
    """Run the calculator over the entries: the results, or the field (place first) and problem of the first wrong one.

    Plain values both ways, so that it may run in another process.
    """
    results: list[dict[str, object]] = []
    for place, entry in enumerate(entries):
        try:
            results.append(calculate(list_name, entry))
        except MalformedInput as wrong:
            return [], (".".join(filter(None, ("entries", str(place), wrong.field))), wrong.problem)
    return results, None
