"""A small checkout with one claim, and the bytes of an undisturbed campaign in it."""

from pathlib import Path

import pytest
from campaign_process import UNITS, finish, results, tiny_checkout
from made_once import made_once


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    return made_once(tmp_path_factory, "tiny", tiny_checkout)


@pytest.fixture(scope="session")
def undisturbed(home, tmp_path_factory):
    def make(folder: Path) -> None:
        done = finish(home, folder, "--jobs", "1")
        assert done.returncode == 0, done.stderr
        assert f"1/{UNITS}, ETA " in done.stderr

    return results(made_once(tmp_path_factory, "undisturbed", make))
