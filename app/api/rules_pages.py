"""The rules pages of the games as they are sent: made once from each RULES.md and the game's words.

Nothing of a table and nothing of a person is in them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from fastapi import Request, Response

import app.variants
from app.kernel.text.rules_page import sections_of
from app.kernel.variant import Variant

_FOLDERS: Final = Path(app.variants.__file__).parent


@dataclass(frozen=True, slots=True)
class RulesPage:
    """One page: its JSON, the same compressed, and its ETag."""

    body: bytes
    packed: bytes
    etag: str


def rules_pages(variants: Mapping[str, Variant[Any]]) -> dict[str, RulesPage]:
    """The page of each game that has a RULES.md."""
    found: dict[str, RulesPage] = {}
    for slug, variant in variants.items():
        page = _FOLDERS / slug / "RULES.md"
        if page.is_file():
            plain = rules_data(variant, page.read_text(encoding="utf-8"))
            body = json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()
            etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
            found[slug] = RulesPage(body, gzip.compress(body, 9, mtime=0), etag)
    return found


def rules_data(variant: Variant[Any], page: str) -> dict[str, Any]:
    """The fields of `RulesOut`."""
    words = variant.words
    sections = [
        {"title": part.title, "blocks": [{"clause": block.clause, "text": block.for_people} for block in part.blocks]}
        for part in sections_of(page)
    ]
    return {
        "slug": variant.meta.slug, "rules_version": variant.meta.rules_version, "sections": sections,
        "digest_en": words.digest_en,
        "reasons": {code: asdict(text) for code, text in words.reasons.items()},
        "offers": {key: asdict(offer) for key, offer in words.offers.items()},
        "silence": {clock: asdict(silence) for clock, silence in words.silence.items()},
    }  # fmt: skip


def send(page: RulesPage, request: Request) -> Response:
    """The page, or that the asker has it already."""
    headers = {"ETag": page.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == page.etag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(page.packed, media_type="application/json", headers={**headers, "Content-Encoding": "gzip"})
    return Response(page.body, media_type="application/json", headers=headers)
