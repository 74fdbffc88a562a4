"""Every package is importable and says what it is; every import contract can be broken."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


# One import against each contract of pyproject.toml.
FORBIDDEN = {
    "extensions, verify, worlds, fedigw, bounds": ("fedigw/discovery.py", "import verify.paper"),
    "inside verify": ("verify/statistics/level.py", "import verify.campaign.units"),
    "inside bounds": ("bounds/lem_finite_error.py", "import bounds.theorems.col_finite"),
}


def test_every_contract_is_broken_by_an_import_against_it(tmp_path):
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert len(contracts) == len(FORBIDDEN)
    for package in ("bounds", "fedigw", "finite_class", "linear", "verify", "fedigw_extensions"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file, line in FORBIDDEN.values():
        with (tmp_path / file).open("a") as stream:
            stream.write(f"\n{line}\n")
    program = (
        "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as c; c()"
    )
    command = [sys.executable, "-c", program, "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"Contracts: 0 kept, {len(FORBIDDEN)} broken." in done.stdout, done.stdout
