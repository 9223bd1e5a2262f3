"""`@quezhuo/client`, assembled as `mj sdk js` does, installed into an empty project, used there for whole matches."""

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from app.sdk import js_package
from app.variants import VARIANTS
from tests.integration.nodes import RunningNode
from tests.integration.test_strangers import check, played
from tests.tools import node as program

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has nothing but the package, as npm packs and installs it."""
    made: Path = tmp_path_factory.mktemp("project")
    assert main(["sdk", "js", str(made / "package")]) == 0
    (made / "package.json").write_text('{"name": "project", "private": true}')
    npm = shutil.which("npm")
    assert npm is not None
    quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"]
    packed = subprocess.run(
        [npm, "pack", "--silent", "./package"], cwd=made, check=True, capture_output=True, text=True
    )
    subprocess.run([npm, "install", *quiet, packed.stdout.strip()], cwd=made, check=True, capture_output=True)
    for script in (HERE / "sdk" / "play.mjs", HERE.parent / "protocol" / "stranger" / "socket.mjs"):
        shutil.copy(script, made)
    return made


@pytest.mark.javascript
@pytest.mark.parametrize("variant", list(VARIANTS))
async def test_the_package_plays_a_match(project: Path, node: RunningNode, variant: str) -> None:
    check(await played(str(program()), project / "play.mjs", node.url, variant))


@pytest.mark.javascript
async def test_the_types_name_what_the_modules_export_and_nothing_else(project: Path) -> None:
    installed = project / "node_modules" / "@quezhuo" / "client"
    for entry, paths in json.loads((installed / "package.json").read_text())["exports"].items():
        if "default" not in paths:
            continue
        script = f"import('@quezhuo/client{entry[1:]}').then((m) => console.log(JSON.stringify(Object.keys(m))))"
        asked = await asyncio.create_subprocess_exec(
            str(program()), "-e", script, cwd=project, stdout=asyncio.subprocess.PIPE
        )
        exported = set(json.loads((await asked.communicate())[0]))
        assert exported - _declared(installed, paths["types"]) == set(), entry
        assert _declared(installed, paths["types"]) - exported == set(), entry


def _declared(installed: Path, path: str) -> set[str]:
    text = (installed / path).read_text()
    inside = re.findall(r"^export \* from \"(\./\w+)\.js\"", text, re.MULTILINE)
    own = set(re.findall(r"^export (?:function|class|const) (\w+)", text, re.MULTILINE))
    return own.union(*[_declared(installed, f"{name}.d.ts") for name in inside])


def test_the_page_serves_the_very_modules_of_the_package(tmp_path: Path) -> None:
    js_package.assemble(tmp_path, "1.0.0", "")
    for name in js_package.MODULES:
        assert (tmp_path / name).read_bytes() == (js_package.PAGE / name).read_bytes()


def test_every_part_of_the_schema_has_a_type(tmp_path: Path) -> None:
    js_package.assemble(tmp_path, "1.0.0", "")
    text = (tmp_path / "protocol.d.ts").read_text("utf-8")
    types: Any = re.findall(r"^export type (\w+) = (.+);$", text, re.MULTILINE)
    named = {name for name, _ in types}
    assert {"Event", "TableView", "OutSync", "InAct", "EventTileDrawn", "Frame"} <= named
    assert [name for name, is_ in types if "unknown" in is_ or "any" in is_.split()] == []
