"""A file that breaks a rule is refused when the catalogue is built: one line that names it, exit status 2."""

import subprocess
import sys
from pathlib import Path

import pytest
from campaign_process import CLAIMS, tiny_checkout

CLAIM = """
'''A statement.'''
from verify.claim import Claim, Variant, Verdict

claim = Claim(
    label="{label}", title="new", section="new", statement=__doc__,
    variants={{"printed": Variant("1", (), Verdict.Z3)}}, depends=("{depends}",),
)
claim.check("printed", control={control}, about="about")(print)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with one claim, already read once."""
    return tiny_checkout(tmp_path_factory.mktemp("copy"))


def listed(place: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "verify", "list"]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("label", "control", "words"),
    [("lem:new", "repr", "not in the paper's list"), ("own:new", "None", "no negative control")],
)
def test_a_bad_file_is_named_by_list(copy: Path, label: str, control: str, words: str) -> None:
    file = f"{label.replace(':', '_')}.py"
    (copy / CLAIMS / file).write_text(CLAIM.format(label=label, control=control, depends="lem:VE"))
    try:
        for _ in range(2):  # what was refused once is not remembered as read
            done = listed(copy)
            assert done.returncode == 2
            assert len(done.stderr.splitlines()) == 1
            assert str(CLAIMS / file) in done.stderr
            assert words in done.stderr
    finally:
        (copy / CLAIMS / file).unlink()
    assert listed(copy).returncode == 0
