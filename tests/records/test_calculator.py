"""`mj score`: one line per entry in file order, or nothing at all and one sentence about what is wrong."""

import json
from pathlib import Path

import pytest

from app.cli import score
from app.kernel.errors import MalformedInput
from app.records.calculator import score_document
from app.variants import VARIANTS
from tests.laws.toy import TOY

GAMES = {"toy": TOY}
DOCUMENT = {
    "format": 1, "variant": "toy", "notes": ["anything"], "procedural_clauses": ["TOY-1"],
    "sums": [{"id": "b", "tiles": "1s2s", "expect": {"size": 99}}, {"id": "a", "tiles": ""}],
}  # fmt: skip


def test_results_come_in_file_order_and_skip_what_is_no_list() -> None:
    assert score_document(DOCUMENT, GAMES) == [
        {"list": "sums", "id": "b", "result": {"size": 2}},
        {"list": "sums", "id": "a", "result": {"size": 0}},
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"variant": "chess"}, "variant"), ({"variant": None}, "variant"), ({"variant": ["toy"]}, "variant"),
        ({"format": 2}, "format"), ({"format": True}, "format"), ({"sums": {}}, "sums"), ({"sums": [5]}, "sums[0]"),
        ({"sums": [{"tiles": "1s"}]}, "sums[0].id"), ({"sums": [{"id": 7, "tiles": "1s"}]}, "sums[0].id"),
        ({"sums": [{"id": "x", "tiles": "1s"}, {"id": "y"}]}, "sums[1] (y).tiles"),
        ({"others": [{"id": "x"}]}, "others[0] (x).others"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_named(change: dict[str, object], field: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        score_document({**DOCUMENT, **change}, GAMES)
    assert caught.value.field == field


@pytest.mark.parametrize("document", [None, [], "text", 5])
def test_a_document_is_an_object(document: object) -> None:
    with pytest.raises(MalformedInput, match="object"):
        score_document(document, GAMES)


@pytest.fixture
def with_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command knows the toy as well."""
    monkeypatch.setattr(score, "VARIANTS", GAMES)


@pytest.mark.usefixtures("with_toy")
def test_the_command_prints_one_object_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    assert score.main([str(path)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["b", "a"]


@pytest.mark.usefixtures("with_toy")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (json.dumps({**DOCUMENT, "sums": [{"id": "good", "tiles": "1s"}, {"id": "bad"}]}), "sums[1] (bad).tiles"),
        (json.dumps({**DOCUMENT, "sums": [{"id": "good\nevil"}]}), "tiles"),
        ('{"variant": "toy", "variant": "toy"}', "variant: stands twice"),
        ('{"variant": "toy", "sums": [{"id": "x", "tiles": "1s", "tiles": "2s"}]}', "tiles: stands twice"),
        ('{"variant": "toy", "sums": [{"id": "x", "tiles": NaN}]}', "NaN"),
        ("[" * 100_000, "not JSON"), ("{", "not JSON"), ("", "not JSON"), ("[]", "object"),
    ],
)  # fmt: skip
def test_one_wrong_entry_spoils_the_file(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.json"
    path.write_text(text, encoding="utf-8")
    assert score.main([str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1 and told in err


def test_an_unreadable_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "latin.json").write_bytes(b'{"variant": "\xff"}')
    for path in (tmp_path / "missing.json", tmp_path, tmp_path / "latin.json"):
        assert score.main([str(path)]) == 2
        out, err = capsys.readouterr()
        assert out == "" and len(err.splitlines()) == 1 and path.name in err


@pytest.mark.parametrize("slug", list(VARIANTS))
def test_the_answers_of_the_golden_cases_come_out_of_the_command(
    slug: str, capsys: pytest.CaptureFixture[str], pytestconfig: pytest.Config
) -> None:
    path = Path(pytestconfig.rootpath) / "tests" / "variants" / slug / "cases.json"
    document = json.loads(path.read_bytes())
    assert score.main([str(path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    entries = [
        (name, entry) for name, entries in document.items() if isinstance(entries, list) for entry in entries
        if isinstance(entry, dict)
    ]  # fmt: skip
    assert [(line["list"], line["id"]) for line in lines] == [(name, entry["id"]) for name, entry in entries]
    for line, (_, entry) in zip(lines, entries, strict=True):
        for key, value in (entry.get("expect") or {}).items():
            assert _contains(line["result"][key], value), (line["id"], key)


def _contains(found: object, expected: object) -> bool:
    """An expected object lists only what its case is about; anything else is compared whole."""
    if isinstance(found, dict) and isinstance(expected, dict):
        return all(key in found and _contains(found[key], value) for key, value in expected.items())
    return found == expected
