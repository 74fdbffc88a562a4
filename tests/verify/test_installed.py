"""What a wheel holds works away from the checkout, in a folder that cannot be written."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = (
    "list",
    "show lem:V_upper",
    "bound col:finite --variant best --set M=10 K=5 T=1e6 F=100",
    "exact examples/erratum_E6.toml",
    "simulate examples/federation.toml --replications 2",
    "fit examples/dataset.toml --protocol fedavg --set rounds=20 step_size=0.02",
    "plan --agents 3 --arms 2 --dimension 2 --horizon 16",
    "sweep examples/linear.toml --vary horizon=8,16 --out sweep",
    "new protocol mine",
    "check mine.py",
    "check examples/own/heavy_ball.py",
    "simulate examples/linear.toml --protocol examples/own/heavy_ball.py --set learning_rate=9 --replications 2",
    "run E6",
    "run lem:V_upper --out campaign",
    "report --out campaign",
)
CALLS = """
import contextlib, io, json, sys
from verify.cli import main
found = []
for command in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(command.split())
    found.append([command, status, err.getvalue()])
import verify
found.append(["digest", verify.__file__, __import__("verify.campaign.provenance", fromlist=["x"]).code_digest()])
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a folder with what a wheel of this checkout would install, without rights to write."""
    source, target = tmp_path_factory.mktemp("source") / "copy", tmp_path_factory.mktemp("site")
    left_out = shutil.ignore_patterns(
        ".git", ".venv", "build", "*.egg-info", "__pycache__", ".*_cache", "docs", "tests"
    )
    shutil.copytree(ROOT, source, ignore=left_out)
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=300)
    for path in [target, *target.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    return target


@pytest.mark.fedigw
def test_every_command_works_from_a_read_only_installation(installed, tmp_path):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("COV")}
    environment |= {
        "PYTHONPATH": str(installed),
        "PYTHONDONTWRITEBYTECODE": "1",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    call = [sys.executable, "-c", CALLS, json.dumps(COMMANDS)]
    done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    *commands, (_, place, digest) = json.loads(done.stdout.splitlines()[-1])
    assert place.startswith(str(installed))
    assert [found for found in commands if found[1] != 0] == []
    from verify.campaign.provenance import code_digest

    assert digest == code_digest(), "an installation is another program than its checkout"
