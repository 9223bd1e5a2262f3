"""Every point is a line from one seat to another; sums are sums of lines and always zero together."""

from hypothesis import given
from hypothesis import strategies as st

from app.kernel.ledger import Line, net, plain_lines, reversal

lines = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 3), st.integers(1, 1000)).map(
        lambda t: Line("win", "X-1", t[0], (t[0] + t[1]) % 4, t[2])
    ),
    max_size=20,
)


@given(lines)
def test_sums_are_zero_together(booked: list[Line]) -> None:
    assert sum(net(booked, 4)) == 0


@given(lines)
def test_a_reversal_takes_everything_back(booked: list[Line]) -> None:
    back = reversal(booked, "X-9")
    assert net([*booked, *back], 4) == (0, 0, 0, 0)
    assert all(line.reason == "void" and line.clause == "X-9" and line.points > 0 for line in back)


def test_the_payer_loses_and_the_receiver_gains() -> None:
    assert net([Line("win", "X-1", 2, 0, 5), Line("win", "X-1", 1, 0, 3)], 3) == (8, -3, -5)


def test_a_printed_line_has_five_keys() -> None:
    assert plain_lines([Line("win", "X-1", 2, 0, 5, (("long", 4),))]) == [
        {"reason": "win", "clause": "X-1", "source": 2, "target": 0, "points": 5}
    ]
