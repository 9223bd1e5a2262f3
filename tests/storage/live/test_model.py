"""The protocol of owning and appending, model-checked: it keeps its promises, and each check left out breaks one.

Two nodes, two requests, three acquisitions, two sends each, a crash at any moment; a heartbeat may run out at any
moment too, and requests arrive as late as they like. All of it takes half a minute and 300 MB.
"""

import pytest

from tests.storage.live.model import Bounds, Flaw, explore

WHOLE = Bounds()
CALM = Bounds(crashes=0)
SHORT = Bounds(crashes=0, acquisitions=2)
FLUSHED = Bounds(flushes=1, crashes=0, acquisitions=2)


@pytest.mark.timeout(600)  # 28 s of a core of one's own
def test_every_interleaving_keeps_every_promise() -> None:
    explored = explore(WHOLE)
    assert explored.broken is None, explored
    assert explored.whole and explored.states == 566_392, "the model or its bounds have changed: say so here"


def test_losing_all_data_lets_no_stale_append_in() -> None:
    """Acks are lost with the data; but nobody who is not the owner gets in."""
    explored = explore(FLUSHED)
    assert explored.broken is None, explored
    assert explored.whole and explored.states > 10_000


@pytest.mark.parametrize(
    ("flaw", "bounds", "what"),
    [
        ("no_length", CALM, "decided on|twice"),
        ("no_checks", CALM, "decided on|twice|not the owner"),
        ("not_atomic", CALM, "decided on|twice|not the owner"),
        ("no_nonce", FLUSHED, "not the owner|decided on"),
        ("no_tail_told", CALM, "told refused and is done"),
        ("read_alone", CALM, "told refused and is done|decided on"),
    ],
)
def test_leaving_a_check_out_breaks_a_promise(flaw: Flaw, bounds: Bounds, what: str) -> None:
    import re

    explored = explore(bounds, flaw)
    assert explored.broken is not None, f"{flaw} broke nothing in {explored.states} states"
    assert re.search(what, explored.broken), explored
    assert explored.way


@pytest.mark.parametrize(
    "flaw",
    [
        # Without the comparison of the last entry a retry looks like a conflict. An owner that then stops and acquires
        # again (and answers no client "refused") is safe, only slower; the answer breaks the promise, see above.
        "no_tail",
    ],
)
def test_what_may_be_left_out_by_those_who_stop_and_acquire_again(flaw: Flaw) -> None:
    explored = explore(SHORT, flaw)
    assert explored.broken is None and explored.whole


def test_without_the_token_a_loser_goes_on_though_the_length_protects_the_log() -> None:
    """Length and tail alone are a compare-and-set on the log: an accepted entry was decided on exactly the stored log.
    But it may come from an owner that lost the table and would go on sending; the token stops it.
    """
    explored = explore(CALM, "no_token")
    assert explored.broken is not None and "not the owner" in explored.broken, explored
