"""Previews of links: the tags that messengers read, and a room's link as a picture to scan.

A room's preview is made from the code alone. It never shows whether there is such a room: nobody can guess codes by it.
"""

from __future__ import annotations

import html
import io
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Final

import segno

ReplayLine = Callable[[str], Awaitable[str | None]]
"""Share code → one line about the round for those who have the code; None: there is none, or it cannot be read now."""

NAME: Final = "雀桌"
_KEPT: Final = 512
"""Pictures that are kept: making one costs some milliseconds of the event loop."""
_INK: Final = "#0a2429"
_PNG_SCALE: Final = 18
"""Pixels a module: about 600 × 600, which messengers show in full."""


@lru_cache(maxsize=_KEPT)
def link_picture(link: str) -> bytes:
    """The QR code of a link as SVG."""
    out = io.BytesIO()
    segno.make(link, error="m").save(out, kind="svg", scale=4, border=2, dark=_INK, light="#ffffff")
    return out.getvalue()


@lru_cache(maxsize=_KEPT)
def link_card(link: str) -> bytes:
    """The same as PNG for previews: messengers read no SVG."""
    out = io.BytesIO()
    segno.make(link, error="m").save(out, kind="png", scale=_PNG_SCALE, border=4, dark=_INK, light="#f8f3e6")
    return out.getvalue()


def room_tags(origin: str, code: str) -> str:
    """Tags of `/join/<code>`."""
    return _tags(
        f"来{NAME}打一局 · 房间 {code[:3]} {code[3:]}", "点开就坐下，不用安装，不用注册。", f"{origin}/join/{code}",
        f"{origin}/join/{code}.png",
    )  # fmt: skip


def replay_tags(origin: str, code: str, line: str | None) -> str:
    """Tags of `/replay/<code>`. `line`: the played round, for those who have the code."""
    return _tags(
        f"{NAME}回放", line or "一步一步看这一局，洗牌可以自己校验。", f"{origin}/replay/{code}",
        f"{origin}/replay/{code}.png",
    )  # fmt: skip


def with_tags(page: bytes, tags: str) -> bytes:
    """The page with these tags in its head."""
    return page.replace(b"</head>", tags.encode() + b"</head>", 1)


def _tags(title: str, description: str, url: str, image: str) -> str:
    found = {
        "og:type": "website", "og:site_name": NAME, "og:title": title, "og:description": description, "og:url": url,
        "og:image": image, "twitter:card": "summary",
    }  # fmt: skip
    return "".join([f'<meta property="{name}" content="{html.escape(value)}" />\n' for name, value in found.items()])
