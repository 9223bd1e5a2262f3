"""The settings as the command line takes them: a wrong value, or an unknown name, ends in one plain sentence."""

import difflib
import os
import sys
from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_settings import SettingsError

from app.embedded.places import StartError
from app.settings import Settings

_PREFIX = "MJ_"
_OF_TESTS = frozenset({"MJ_LAWS_SCALE", "MJ_CHROMIUM", "MJ_ORACLE_HANDS", "MJ_GUIZHOU_ROUNDS"})
"""Settings that only the tests read."""


def read_settings(given: Mapping[str, object], options: Mapping[str, str] | None = None) -> Settings:
    """Settings from options (`given`, by field name) and the environment; unknown names in it are warned of.

    `options`: the command's option for a field, where it has one. Raises StartError, naming the setting.
    """
    _warn_of_unknown_names()
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        problem = error.errors()[0]
        field = str(problem["loc"][0]) if problem["loc"] else "settings"
        said = str(problem["msg"]).removeprefix("Value error, ")
        raise StartError(f"{_named(field, options or {})}: {said}.") from None
    except SettingsError as error:
        raise StartError(f"The environment cannot be read: {error}.") from None


def _named(field: str, options: Mapping[str, str]) -> str:
    variable = _PREFIX + field.upper()
    return f"{options[field]} ({variable})" if field in options else variable


def _warn_of_unknown_names() -> None:
    known = [_PREFIX + field.upper() for field in Settings.model_fields]
    for name in sorted(os.environ):
        if name.startswith(_PREFIX) and name not in known and name not in _OF_TESTS:
            near = difflib.get_close_matches(name, known, 1)
            meant = f"; did you mean {near[0]}?" if near else "."
            print(f"mj: the environment sets {name}, which is no setting{meant}", file=sys.stderr, flush=True)
