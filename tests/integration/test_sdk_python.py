"""`quezhuo-client`, assembled as `mj sdk python` does, built, installed by itself, and used there for whole matches."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from app.cli.main import main
from app.variants import VARIANTS
from tests.integration.nodes import RunningNode
from tests.integration.test_strangers import check, played

HERE = Path(__file__).parent
_BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the built package is installed, without the server."""
    made: Path = tmp_path_factory.mktemp("project")
    assert main(["sdk", "python", str(made / "source")]) == 0
    built = [sys.executable, "-c", _BUILD, str(made)]
    subprocess.run(built, cwd=made / "source", check=True, capture_output=True)
    (wheel,) = made.glob("quezhuo_client-*.whl")
    zipfile.ZipFile(wheel).extractall(
        made
    )  # all that an installer does with a wheel without scripts; pip may be missing
    (made / "play.py").write_text((HERE / "sdk" / "play.py").read_text())
    return made


@pytest.mark.parametrize("variant", list(VARIANTS))
async def test_the_package_plays_a_match(project: Path, node: RunningNode, variant: str) -> None:
    check(await played(sys.executable, project / "play.py", node.url, variant))


def test_the_package_is_typed_and_names_nothing_of_the_server(project: Path) -> None:
    installed = project / "quezhuo_client"
    assert (installed / "py.typed").exists()
    named = [
        path for path in installed.rglob("*.py") if "import app" in (text := path.read_text()) or "from app" in text
    ]
    assert named == []
