"""The calculator: settle written-down hands by a variant's `score`, for `mj score` and the API alike.

All entries are evaluated before anything is answered: a malformed one refuses the whole document, naming the place.
Answers written into a document (`expect` and others) never reach the rules as input; that is each variant's duty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.kernel.errors import MalformedInput
from app.kernel.variant import Variant

CASES_FORMAT: Final = 1
NOT_LISTS: Final = frozenset(("format", "variant", "notes", "procedural_clauses"))
"""Keys of a document that hold no entries."""


def score_document(document: object, variants: Mapping[str, Variant[Any]]) -> list[dict[str, object]]:
    """Results `{"list", "id", "result"}` in document order. `document` has a `variant`, and lists of entries.

    Raises MalformedInput; its field names the entry (`cases[3] (tj-c-04)`) and the part of it.
    """
    if not isinstance(document, dict):
        raise MalformedInput("document", f"expected an object, got {_kind(document)}")
    slug = document.get("variant")
    if not isinstance(slug, str) or slug not in variants:
        raise MalformedInput("variant", f"expected one of {', '.join(variants)}, got {slug!r}")
    number = document.get("format", CASES_FORMAT)
    if type(number) is not int or number != CASES_FORMAT:
        raise MalformedInput("format", f"expected {CASES_FORMAT}, got {number!r}")
    lists = {name: entries for name, entries in document.items() if name not in NOT_LISTS}
    return score_lists(variants[slug], lists)


def score_lists(variant: Variant[Any], lists: Mapping[str, object]) -> list[dict[str, object]]:
    """Results of named lists of entries, in order. Raises MalformedInput naming list, entry and field."""
    results: list[dict[str, object]] = []
    for name, entries in lists.items():
        if not isinstance(entries, list):
            raise MalformedInput(name, f"expected a list of entries, got {_kind(entries)}")
        results += [
            {"list": name, "id": _id(name, place, entry), "result": _score(variant, name, place, entry)}
            for place, entry in enumerate(entries)
        ]
    return results


def _id(name: str, place: int, entry: object) -> str:
    if not isinstance(entry, dict):
        raise MalformedInput(f"{name}[{place}]", f"expected an object, got {_kind(entry)}")
    found = entry.get("id")
    if not isinstance(found, str) or not found:
        raise MalformedInput(f"{name}[{place}].id", f"expected a text, got {found!r}")
    return found


def _score(variant: Variant[Any], name: str, place: int, entry: dict[str, object]) -> dict[str, object]:
    try:
        return variant.score(name, entry)
    except MalformedInput as error:
        where = f"{name}[{place}] ({entry['id']})"
        raise MalformedInput(f"{where}.{error.field}" if error.field else where, error.problem) from error


def _kind(value: object) -> str:
    return {dict: "an object", list: "a list", str: "a text", type(None): "null"}.get(type(value), repr(value))
