"""Faults of a whole `mj up` under play (R1, R5, R6, R7): got over by itself, nothing acknowledged lost. A sample."""

import random

import pytest

from app.lab.chaos import hosted


@pytest.mark.timeout(400)
def test_a_server_gets_over_its_faults_by_itself_and_loses_nothing() -> None:
    found = hosted.run(["store-kill", "postgres-recovers", "half-data"], 2, 3, 0.03, random.Random(14))
    assert found.clean and found.acked > 100, found


@pytest.mark.timeout(400)
def test_a_node_that_dies_at_birth_again_and_again_takes_nobody_with_it() -> None:
    found = hosted.run(["bad-birth"], 1, 3, 0.03, random.Random(6))
    assert found.clean, found
