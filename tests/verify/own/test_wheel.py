"""A wheel holds what the program reads at run time: templates, pages, schemas, kept instances."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("bounds", "fedigw", "finite_class", "linear", "verify", "fedigw_extensions")
READ = (".txt", ".html", ".j2", ".json", ".toml")


@pytest.mark.long
def test_a_wheel_holds_every_file_that_is_read(tmp_path):
    command = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    subprocess.run([sys.executable, *command, str(tmp_path), str(ROOT)], check=True, timeout=600)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*"):
            if path.suffix in (*READ, ".py") and not {"__pycache__", "tests"} & set(path.parts):
                assert path.relative_to(ROOT).as_posix() in names
    assert any(name.endswith("entry_points.txt") for name in names)
