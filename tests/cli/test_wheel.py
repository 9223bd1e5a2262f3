"""A14: the installed wheel, as pipx and uvx install it, is a server: migrations, pages, a data folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import httpx
import pytest

from tests.architecture.tree import built_wheel
from tests.cli.processes import Up

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def installed(folder: Path, tmp_path: Path) -> Path:
    """The programs' folder of an empty environment with the wheel in it; its dependencies are lent by ours."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", python, "install", "--no-deps", "--no-index"]
    subprocess.run([*pip, built_wheel(tmp_path)], check=True)
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    (Path(site) / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "venv" / "bin"


def test_a14_the_wheel_serves_and_keeps_its_data_in_the_users_folder(folder: Path, installed: Path) -> None:
    home = folder / "home"
    home.mkdir(mode=0o755)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_DATA_HOME": str(home / "share")}
    with Up.started([str(installed / "mj"), "up", "--port", "0"], env, home) as server:
        data = Path(server.until("Data folder").partition(": ")[2])
        assert data.is_relative_to(home) and data.name == "quezhuo"
        health = server.until("health").split()[-1]
        assert httpx.get(health, timeout=30).json()["status"] == "ok"
        assert "雀桌" in httpx.get(health.replace("/healthz", "/"), timeout=30).text
        assert httpx.post(health.replace("/healthz", "/v1/guests"), json={}, timeout=30).status_code == 200
        server.process.terminate()
        server.gone()
    missing = subprocess.run(
        [installed / "mj", "chaos"], env=env, cwd=home, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert "belongs to the test kit" in missing.stderr
