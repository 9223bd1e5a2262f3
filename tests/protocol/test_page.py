"""The page from which strangers write clients says what the code does (A2)."""

import re

from app.api.gateway.rate_limit import BURST, PER_S
from app.kernel.play.shuffle import commitment, deal
from app.kernel.text.notation import EVENT_TYPES
from app.kernel.tiles import KINDS
from app.protocol.v1 import client, codec, schema, server
from app.protocol.v1.errors import CloseCode

PAGE = (schema.HERE / "README.md").read_text("utf-8")


def test_every_request_frame_and_event_is_on_the_page() -> None:
    rows = set(re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| `.*?\|", PAGE, re.MULTILINE))))
    silent = {"answered", "hold_ended"}
    assert rows >= {*client.ROOM_KINDS, *client.LOBBY_KINDS, *server.FRAMES, *(EVENT_TYPES.keys() - silent)}


def test_every_close_code_is_on_the_page() -> None:
    rows = dict(re.findall(r"^\| (\d{4}) \| (\w+) \|", PAGE, re.MULTILINE))
    assert rows == {str(int(code)): code.name.lower() for code in CloseCode}


def test_the_limits_are_those_of_the_code() -> None:
    assert f"at most {codec.FRAME_BYTES // 1024} KB" in PAGE
    assert f"{PER_S:.0f} requests a second with bursts of {BURST:.0f}" in PAGE


def test_the_vector_of_the_shuffle_holds() -> None:
    seed = re.search(r"`(0{63}1)`", PAGE)
    assert seed is not None
    dealt = deal(seed[1], ("", "abc", "", ""), KINDS, 2, 4)
    assert f"commitment `{commitment(seed[1])}`" in PAGE
    assert (
        f"`{''.join(dealt.wall[:20])}`, dice {dealt.dice[0]} and {dealt.dice[1]}, random seat {dealt.random_seat}"
        in PAGE
    )
