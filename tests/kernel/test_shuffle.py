"""The fair shuffle: anybody can repeat it, nobody can steer it, and version 1 never changes."""

import hashlib
from collections import Counter

import pytest

from app.kernel.errors import MalformedInput
from app.kernel.play.shuffle import SHUFFLE_VERSION, commitment, deal
from app.kernel.tiles import KINDS

SEED = "00" * 31 + "01"


def test_version_1_never_changes() -> None:
    """Fixed vectors. If this fails, add a version 2: old records must still verify."""
    assert SHUFFLE_VERSION == 1
    dealt = deal(SEED, ("", "αβγ", "", "x" * 64), KINDS, 4, 4)
    digest = hashlib.sha256("".join(dealt.wall).encode()).hexdigest()
    assert (digest[:16], dealt.wall[:6], dealt.dice, dealt.random_seat) == (
        "27e5459cfce1c3ba", ("1s", "8m", "5s", "6z", "4m", "9s"), (4, 2, 3, 6), 1,
    )  # fmt: skip
    assert commitment(SEED) == "ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5"


def test_a_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment("ff00") == hashlib.sha256(b"\xff\x00").hexdigest()


def test_every_wall_is_whole() -> None:
    for number in range(20):
        wall = deal(f"{number:064x}", ("",) * 3, KINDS[9:27], 0, 3).wall
        assert Counter(wall) == dict.fromkeys(KINDS[9:27], 4)


def test_each_contribution_and_its_place_changes_the_deal() -> None:
    texts: list[tuple[str, ...]] = [("", "", ""), ("a", "", ""), ("", "a", ""), ("aa", "", ""), ("a", "a", "")]
    assert len({deal(SEED, contributions, KINDS, 2, 3) for contributions in texts}) == len(texts)


def test_where_one_contribution_ends_and_the_next_begins_matters() -> None:
    assert deal(SEED, ("ab", "c"), KINDS, 2, 2) != deal(SEED, ("a", "bc"), KINDS, 2, 2)


def test_no_place_favours_a_kind_and_no_face_a_number() -> None:
    """3,000 deals of eight kinds: each kind about 375 times in front, each face about 500 times a die."""
    first, last, dice, seats = Counter[str](), Counter[str](), Counter[int](), Counter[int]()
    for number in range(3_000):
        dealt = deal(f"{number:064x}", ("",), KINDS[:8], 1, 4)
        first[dealt.wall[0]] += 1
        last[dealt.wall[-1]] += 1
        dice[dealt.dice[0]] += 1
        seats[dealt.random_seat] += 1
    assert len(first) == len(last) == 8 and set(dice) == set(range(1, 7)) and set(seats) == {0, 1, 2, 3}
    for counted, expected in ((first, 375), (last, 375), (dice, 500), (seats, 750)):
        chi_square = sum((n - expected) ** 2 / expected for n in counted.values())
        assert chi_square < 25, counted


def test_a_seed_that_is_no_hex_text_is_refused() -> None:
    with pytest.raises(MalformedInput, match="seed"):
        commitment("zz")
