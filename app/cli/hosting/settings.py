"""`mj settings`: every setting with its variable, option, default and meaning, from the declarations."""

import argparse
import json

from app.serving.configure import OPTIONS, shown_default
from app.settings import SECRETS_FOLDER, SECRETS_VARIABLE, Settings


def main(argv: list[str]) -> int:
    """Print the table. Returns the exit status."""
    given = parser().parse_args(argv)
    rows = [
        {
            "variable": f"MJ_{name.upper()}", "option": OPTIONS.get(name), "default": shown_default(field),
            "says": field.description,
        }
        for name, field in Settings.model_fields.items()
    ]  # fmt: skip
    if given.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return 0
    for row in rows:
        option = f"  or {row['option']} of `mj up`" if row["option"] else "  no option: it is a secret"
        print(f"{row['variable']}{option}  (default: {row['default']})\n    {row['says']}")
    print(
        f"\nA file of a variable's name in {SECRETS_FOLDER} ({SECRETS_VARIABLE}) sets it, unless the environment does."
    )
    return 0


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    settings = argparse.ArgumentParser(prog="mj settings", description="All settings, as they are declared.")
    settings.add_argument("--json", action="store_true", help="as JSON")
    return settings
