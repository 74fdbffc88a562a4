"""A small checkout with one claim, and the bytes of a campaign in it that nothing disturbs."""

from pathlib import Path

import pytest
from campaign_process import UNITS, finish, results, tiny_checkout


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_checkout(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def undisturbed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("undisturbed") / "campaign"
    done = finish(home, folder, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert f"1/{UNITS}, ETA " in done.stderr
    return results(folder)
