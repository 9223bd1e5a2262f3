"""The settings as the command line takes them: a wrong value, or an unknown name, ends in one plain sentence.

Options and table are made from the declarations in `app/settings.py`; nothing about a single setting is said here.
"""

import argparse
import difflib
import os
import sys
from collections.abc import Mapping
from typing import Final, get_args

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import SettingsError

from app.embedded.places import StartError
from app.settings import SECRETS_VARIABLE, Settings

_PREFIX = "MJ_"
_OF_TESTS = frozenset({"MJ_LAWS_SCALE", "MJ_CHROMIUM", "MJ_ORACLE_HANDS", "MJ_GUIZHOU_ROUNDS"})
"""Settings that only the tests read."""


def _is_secret(field: FieldInfo) -> bool:
    return field.annotation is SecretStr or SecretStr in get_args(field.annotation)


OPTIONS: Final = {
    name: "--" + name.replace("_", "-") for name, field in Settings.model_fields.items() if not _is_secret(field)
}
"""The option of each setting. Secrets have none: other users of the machine can read a command line."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting. One that is not given is None, so that the environment may set it."""
    for name, option in OPTIONS.items():
        field = Settings.model_fields[name]
        says = f"{str(field.description).replace('%', '%%')} Default: {shown_default(field)}"
        if field.annotation is bool:
            parser.add_argument(option, action=argparse.BooleanOptionalAction, help=says)
        else:
            parser.add_argument(option, help=says, metavar=name.upper())


def shown_default(field: FieldInfo) -> str:
    """The default as a person would write it; `-` for none."""
    if field.default_factory is not None:
        return "made at the first start"
    if isinstance(field.default, bool):
        return "on" if field.default else "off"
    if isinstance(field.default, tuple):
        return ",".join(field.default) or "-"
    return "-" if field.default is None or field.default == "" else str(field.default)


def read_settings(given: Mapping[str, object], options: Mapping[str, str] | None = None) -> Settings:
    """Settings from options (`given`, by field name) and the environment; unknown names in it are warned of.

    `options`: the command's option for a field, where it has one. Raises StartError, naming the setting.
    """
    _warn_of_unknown_names()
    folder = os.environ.get(SECRETS_VARIABLE)
    if folder and not os.path.isdir(folder):
        raise StartError(f"{SECRETS_VARIABLE}: there is no folder {folder}.")
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
    known = [*(_PREFIX + field.upper() for field in Settings.model_fields), SECRETS_VARIABLE]
    for name in sorted(os.environ):
        if name.startswith(_PREFIX) and name not in known and name not in _OF_TESTS:
            near = difflib.get_close_matches(name, known, 1)
            meant = f"; did you mean {near[0]}?" if near else "."
            print(f"mj: the environment sets {name}, which is no setting{meant}", file=sys.stderr, flush=True)
