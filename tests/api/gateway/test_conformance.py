"""The cases of Autobahn's fuzzing client, 1 to 7, 9 and 10, against the real socket class. The numbers are Autobahn's.

`app/protocol/v1/CONFORMANCE.md` has the results as a table, and where a limit of ours comes before Autobahn's sizes.
"""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator, Sequence

import pytest
import pytest_asyncio

from tests.api.gateway.frames import (
    BINARY,
    CLOSE,
    CONT,
    PING,
    PONG,
    TEXT,
    client_frame,
    closing,
    echoing,
    fragments,
    talk,
)  # fmt: skip

OK = closing(1000)
Frames = list[tuple[int, bytes]]


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def port() -> AsyncIterator[int]:
    """An echo server on GameSocket."""
    async with echoing() as port:
        yield port


def code_of(frames: Frames) -> int | None:
    """The close code the server sent; 1005: a close without one; None: no close frame."""
    if not frames or frames[-1][0] != CLOSE:
        return None
    return struct.unpack("!H", frames[-1][1][:2])[0] if frames[-1][1] else 1005


def text(frame: str) -> tuple[int, bytes]:
    """An echoed text message."""
    return TEXT, frame.encode()


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
@pytest.mark.parametrize(
    ("size", "chop"), [(0, None), (125, None), (126, None), (127, None), (128, None), (65535, None), (65536, None),
                       (65536, 997)],
)  # fmt: skip
async def test_1_messages_of_every_size_come_back(port: int, opcode: int, size: int, chop: int | None) -> None:
    message = b"*" * size
    heard = await talk(port, [client_frame(opcode, message), OK], chop)
    assert heard == [(TEXT, message), (CLOSE, b"\x03\xe8")], "the server itself sends text only"


@pytest.mark.parametrize(
    ("sent", "heard"),
    [
        ([client_frame(PING)], [(PONG, b"")]),  # 2.1
        ([client_frame(PING, b"Hello, world!")], [(PONG, b"Hello, world!")]),  # 2.2
        ([client_frame(PING, b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff")], [(PONG, b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff")]),
        ([client_frame(PING, b"\xfe" * 125)], [(PONG, b"\xfe" * 125)]),  # 2.4
        ([client_frame(PONG)], []),  # 2.7
        ([client_frame(PONG, b"unsolicited")], []),  # 2.8
        ([client_frame(PONG, b"unsolicited"), client_frame(PING, b"ping")], [(PONG, b"ping")]),  # 2.9
        ([client_frame(PING, b"%d" % n) for n in range(10)], [(PONG, b"%d" % n) for n in range(10)]),  # 2.10
    ],
)  # fmt: skip
@pytest.mark.parametrize("chop", [None, 1])
async def test_2_pings_are_answered_in_order_and_pongs_ignored(
    port: int, sent: list[bytes], heard: Frames, chop: int | None
) -> None:
    assert await talk(port, [*sent, OK], chop) == [*heard, (CLOSE, b"\x03\xe8")]


async def test_2_5_a_ping_of_126_bytes_fails_the_socket(port: int) -> None:
    assert code_of(await talk(port, [client_frame(PING, b"\xfe" * 126)])) == 1002


HELLO = client_frame(TEXT, b"Hello")
RESERVED = [client_frame(opcode, b"x") for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)]


@pytest.mark.parametrize("chop", [None, 1])
@pytest.mark.parametrize(
    "bad",
    [
        client_frame(TEXT, b"x", rsv=1), client_frame(TEXT, b"x", rsv=2), client_frame(TEXT, b"x", rsv=3),
        client_frame(TEXT, b"x", rsv=4), client_frame(BINARY, b"x", rsv=5), client_frame(PING, b"x", rsv=6),
        client_frame(CLOSE, b"\x03\xe8", rsv=7), *RESERVED,
    ],
)  # fmt: skip
async def test_3_and_4_reserved_bits_and_opcodes_fail_the_socket_after_what_came_before(
    port: int, bad: bytes, chop: int | None
) -> None:
    heard = await talk(port, [HELLO + bad + client_frame(PING)], chop)
    assert heard[0] == text("Hello") and code_of(heard) == 1002 and len(heard) == 2


PARTS = fragments(TEXT, b"fragment1fragment2", 9)


@pytest.mark.parametrize("chop", [None, 1])
@pytest.mark.parametrize(
    ("sent", "heard", "code"),
    [
        ([client_frame(PING, b"f", fin=False), client_frame(CONT, b"f")], [], 1002),  # 5.1
        ([client_frame(PONG, b"f", fin=False), client_frame(CONT, b"f")], [], 1002),  # 5.2
        (PARTS, [text("fragment1fragment2")], 1000),  # 5.3 to 5.5
        ([PARTS[0], client_frame(PING, b"p"), PARTS[1]], [(PONG, b"p"), text("fragment1fragment2")], 1000),  # 5.6
        ([client_frame(CONT, b"non"), HELLO], [], 1002),  # 5.9 to 5.11
        ([client_frame(CONT, b"non", fin=False), HELLO], [], 1002),  # 5.12 to 5.14
        ([*PARTS, client_frame(CONT, b"f", fin=False), HELLO], [text("fragment1fragment2")], 1002),  # 5.15
        ([client_frame(CONT, b"f", fin=False), *PARTS], [], 1002),  # 5.16, 5.17
        ([PARTS[0], client_frame(TEXT, b"fragment2")], [], 1002),  # 5.18
        ([client_frame(TEXT, b"a", fin=False), client_frame(CONT, b"b", fin=False), client_frame(PING, b"1"),
          client_frame(CONT, b"c", fin=False), client_frame(PING, b"2"), client_frame(CONT, b"d")],
         [(PONG, b"1"), (PONG, b"2"), text("abcd")], 1000),  # 5.19, 5.20
    ],
)  # fmt: skip
async def test_5_fragments(port: int, sent: list[bytes], heard: Frames, code: int, chop: int | None) -> None:
    frames = await talk(port, [*sent, OK], chop)
    assert frames[:-1] == heard and code_of(frames) == code


GREEK = "Hello-µ@ßöäüàá-UTF-8!!"
VALID = [
    "", GREEK, "κόσμε", "\x00", "\x80", "\u0800", "\U00010000", "\x7f", "\u07ff", "\uffff", "\U0010ffff", "\ud7ff",
    "\ue000", "\ufffd", "\ufffe", "\ufdd0", "\U0001fffe", "\U0010fffe",
]  # fmt: skip
INVALID = [
    b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited", b"\xf8\x88\x80\x80\x80",
    b"\xfc\x84\x80\x80\x80\x80", b"\xf7\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf", b"\xf4\x90\x80\x80", b"\x80", b"\xbf",
    b"\x80\xbf", b"\xc0 \xc1 ", b"\xe0 \xef ", b"\xf0 \xf7 ", b"\xf8 \xfb ", b"\xfc \xfd ", b"\xc0", b"\xe0\x80",
    b"\xf0\x80\x80", b"\xfe", b"\xff", b"\xfe\xfe\xff\xff", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf",
    b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xc0\x80", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xed\xbf\xbf",
    b"\xed\xa0\x80\xed\xb0\x80",
]  # fmt: skip


@pytest.mark.parametrize("message", VALID)
@pytest.mark.parametrize("size", [1, 100])
async def test_6_utf8_cut_anywhere_into_frames_comes_back(port: int, message: str, size: int) -> None:
    heard = await talk(port, [*fragments(TEXT, message.encode(), size), OK])
    assert heard == [text(message), (CLOSE, b"\x03\xe8")]


@pytest.mark.parametrize("message", INVALID)
@pytest.mark.parametrize("size", [1, 100])
async def test_6_text_that_is_no_utf8_reaches_the_listener_whole_and_it_may_fail_the_socket(
    port: int, message: bytes, size: int
) -> None:
    """Autobahn's echo servers close with 1007. Our protocol answers `not_text` instead (`test_bad_input`)."""
    assert code_of(await talk(port, fragments(TEXT, message, size))) == 1007


@pytest.mark.parametrize(
    ("sent", "heard"),
    [
        ([HELLO, OK], [text("Hello"), (CLOSE, b"\x03\xe8")]),  # 7.1.1
        ([OK, OK], [(CLOSE, b"\x03\xe8")]),  # 7.1.2
        ([OK, client_frame(PING)], [(CLOSE, b"\x03\xe8")]),  # 7.1.3
        ([OK, HELLO], [(CLOSE, b"\x03\xe8")]),  # 7.1.4
        ([client_frame(TEXT, b"x" * 200_000), OK, client_frame(PING)],
         [(TEXT, b"x" * 200_000), (CLOSE, b"\x03\xe8")]),  # 7.1.6, within our size
        ([closing()], [(CLOSE, b"")]),  # 7.3.1
        ([closing(1000, b"")], [(CLOSE, b"\x03\xe8")]),  # 7.3.3
        ([closing(1000, b"Hello World!")], [(CLOSE, b"\x03\xe8Hello World!")]),  # 7.3.4
        ([closing(1000, b"*" * 123)], [(CLOSE, b"\x03\xe8" + b"*" * 123)]),  # 7.3.5
    ],
)  # fmt: skip
async def test_7_a_close_is_answered_and_nothing_after_it(port: int, sent: Sequence[bytes], heard: Frames) -> None:
    assert await talk(port, [b"".join(sent)]) == heard


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ([client_frame(TEXT, b"f1", fin=False), OK, client_frame(CONT, b"f2")], 1002),  # 7.1.5: see the page
        ([client_frame(CLOSE, b"a")], 1002),  # 7.3.2
        ([closing(1000, b"*" * 124)], 1002),  # 7.3.6
        ([closing(1000, b"\xce\xba\xe1\xbd\xb9\xed\xa0\x80")], 1007),  # 7.5.1
        *[([closing(code)], code) for code in (
            1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999)],  # 7.7
        *[([closing(code)], 1002) for code in (0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999)],  # 7.9
        *[([closing(code)], 1002) for code in (5000, 65535)],  # 7.13
    ],
)  # fmt: skip
async def test_7_close_codes_are_echoed_or_refused(port: int, sent: Sequence[bytes], code: int) -> None:
    assert code_of(await talk(port, sent)) == code


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
@pytest.mark.parametrize("chop", [None, 64, 128, 256, 512, 1024])
async def test_9_large_messages_in_whatever_pieces_of_tcp(port: int, opcode: int, chop: int | None) -> None:
    """9.1, 9.2, 9.5, 9.6, up to our size."""
    size = 65536 if chop else 262_144
    assert (await talk(port, [client_frame(opcode, b"*" * size), OK], chop))[0] == (TEXT, b"*" * size)


@pytest.mark.parametrize("size", [256, 1024, 4096, 16384, 65536])
async def test_9_large_messages_in_frames_of_every_size(port: int, size: int) -> None:
    """9.3, 9.4: 64 KB; smaller frames are more than a client may send."""
    message = b"*" * 65536
    assert (await talk(port, [*fragments(TEXT, message, size), OK]))[0] == (TEXT, message)


@pytest.mark.parametrize("sent", [
    [client_frame(TEXT, b"*" * 262_145)], [client_frame(TEXT, b"*" * 1_048_576)],
    fragments(BINARY, b"*" * 262_145, 65536),
])  # fmt: skip
async def test_9_beyond_our_size_the_socket_is_closed_with_1009(port: int, sent: list[bytes]) -> None:
    assert code_of(await talk(port, sent)) == 1009


@pytest.mark.parametrize("size", [0, 16, 64, 256, 512])
async def test_9_many_messages_come_back_in_order(port: int, size: int) -> None:
    """9.7, 9.8 with 250 messages: more at once are more than a client may send."""
    messages = [(b"%d" % number).ljust(size, b"*") for number in range(250)]
    heard = await talk(port, [*[client_frame(TEXT, message) for message in messages], OK])
    assert heard[:-1] == [(TEXT, message) for message in messages]


async def test_10_a_message_in_frames_of_1300_bytes(port: int) -> None:
    message = b"*" * 65536
    assert (await talk(port, [*fragments(TEXT, message, 1300), OK]))[0] == (TEXT, message)
