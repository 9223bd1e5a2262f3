"""One list of error codes, one sentence for each, for every part of the server that says "no"."""

from typing import get_args

import pytest

from app.kernel.errors import RejectionCode
from app.protocol.v1 import errors
from app.refusal import MESSAGES, ErrorCode, Refusal, not_found


@pytest.mark.parametrize("code", ErrorCode)
def test_every_code_has_its_own_plain_sentence(code: ErrorCode) -> None:
    assert MESSAGES[code]
    assert Refusal(code).message == MESSAGES[code] == str(Refusal(code))


def test_a_more_exact_sentence_takes_the_place_of_the_general_one() -> None:
    refusal = Refusal(ErrorCode.INVALID, "a pair is two people", "b")
    assert (refusal.code, refusal.message, refusal.field) == ("invalid", "a pair is two people", "b")
    assert not_found("circle").message == "there is no such circle"


def test_the_rules_refuse_with_codes_of_the_same_list() -> None:
    assert set(get_args(RejectionCode)) <= {code.value for code in ErrorCode}


def test_the_protocol_publishes_the_same_list() -> None:
    assert errors.ErrorCode is ErrorCode
