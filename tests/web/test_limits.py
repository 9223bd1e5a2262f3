"""The fields of the page have the server's limits, so that nothing is typed in vain (W6)."""

import re
from typing import Any, get_args

import pytest

from app.api.circles.bodies import ChangeCircle
from app.api.people.bodies import MakeAccount
from app.rest.bodies import Text200
from app.service.words.names import WIDTH
from app.web.pages import STATIC

_SAID = dict(re.findall(r"(\w+): (\d+),", (STATIC / "limits.js").read_text()))


def _lengths(model: Any, field: str = "") -> tuple[int | None, int | None]:
    """Least and most letters of a bounded text, or of a model's field."""
    found = [*get_args(model)[1:]] if not field else list(model.model_fields[field].metadata)
    for part in get_args(model.model_fields[field].annotation) if field else ():
        if hasattr(part, "__metadata__"):
            found += part.__metadata__
    least = next((x.min_length for x in found if getattr(x, "min_length", None)), None)
    return least, next((x.max_length for x in found if getattr(x, "max_length", None)), None)


@pytest.mark.parametrize(
    ("name", "server"),
    [
        ("name", WIDTH[-1]),
        ("passwordLeast", _lengths(MakeAccount, "password")[0]),
        ("password", _lengths(MakeAccount, "password")[1]),
        ("text", _lengths(Text200)[1]),
        ("notice", _lengths(ChangeCircle, "notice")[1]),
    ],
)
def test_the_page_knows_the_servers_limit(name: str, server: int) -> None:
    assert int(_SAID[name]) == server


def test_no_field_has_a_limit_of_its_own() -> None:
    for path in STATIC.rglob("*.js"):
        found = re.findall(r"(?:max|min)length: ?(\d+)", path.read_text())
        assert found == [], f"{path.name}: take it from limits.js"
