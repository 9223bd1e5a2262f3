"""The Lua scripts, one file each, and their digests. They are the only place where a live table is written."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Script:
    """A script's text and the digest under which the store knows it."""

    name: str
    text: str
    sha: str


def _read(name: str) -> Script:
    text = files(__name__).joinpath(f"{name}.lua").read_text("utf-8")
    return Script(name, text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


CREATE = _read("create")
ACQUIRE = _read("acquire")
APPEND = _read("append")
TURN_PAGE = _read("turn_page")
RELEASE = _read("release")
CLOSE = _read("close")
SWAP = _read("swap")
CLAIM_SEAT = _read("claim_seat")
FREE_SEAT = _read("free_seat")
STRIKE_CLAIM = _read("strike_claim")
LIST_ROOMS = _read("list_rooms")
NEWS = _read("news")
ENLIST = _read("enlist")
ISSUE_TICKET = _read("issue_ticket")
REDEEM_TICKET = _read("redeem_ticket")
SPEND = _read("spend")
LISTEN = _read("listen")
