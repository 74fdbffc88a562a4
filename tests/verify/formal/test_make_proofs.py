"""`make proofs` on machines where it cannot succeed: it says why, and never passes."""

import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from verify.formal.statements import PROOFS

TOOLS = (
    "sh", "dirname", "id", "grep", "sed", "find", "sort", "wc", "cat", "mv", "rm", "mkdir", "cmp", "cp",
    "basename",
)  # fmt: skip


@pytest.fixture
def tools(tmp_path):
    """A PATH with the usual tools but without Coq and without apt-get."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None, name
        (folder / name).symlink_to(found)
    return folder


@pytest.fixture
def proofs(tmp_path):
    return Path(shutil.copytree(PROOFS, tmp_path / "proofs"))


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def check(proofs: Path, tools: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(tools / "sh"), str(proofs / "check.sh"), str(proofs.parent / "build")],
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )


COQ = "echo 'The Coq Proof Assistant, version {}'"
MAKEFILE = "echo 'all:' > Makefile.coq"
GOOD = {"coq_makefile": MAKEFILE, "make": "exit 0", "coqchk": "echo '* Axioms:'"}
CHEAT = "Axioms:\\nCheat.everything : False\\n"
CHEATS = f"case $1 in --version) echo 'version 8.16.1';; *) printf '{CHEAT}';; esac"


@pytest.mark.parametrize(
    ("programs", "status", "said"),
    [
        ({}, 3, "coqc is missing"),
        ({"apt-get": "exit 100"}, 3, "coqc is missing"),
        ({"coqc": COQ.format("8.16.1"), "coq_makefile": MAKEFILE, "make": "exit 2"}, 1, "does not compile"),
        (
            {"coqc": COQ.format("8.19.2"), "coq_makefile": "exit 1"},
            1,
            "written for Coq 8.16, trying with 8.19.2",
        ),
        (GOOD | {"coqc": CHEATS}, 1, "the axiom Cheat.everything is not in assumptions.allowed"),
    ],
    ids=["no coq", "no way to get it", "not compiled", "another version", "an axiom outside the list"],
)
def test_what_cannot_succeed_says_why(programs, status, said, proofs, tools):
    for name, text in programs.items():
        program(tools, name, text)
    done = check(proofs, tools)
    assert done.returncode == status
    assert said in done.stderr


def test_something_admitted_fails_with_its_line(proofs, tools):
    program(tools, "coqc", COQ.format("8.16.1"))
    path = proofs / "Errata.v"
    path.write_text(path.read_text() + "Lemma wish : 1 = 2.\nProof. Admitted.\n")
    done = check(proofs, tools)
    assert done.returncode == 1
    assert "Errata.v" in done.stdout
    assert "Admitted" in done.stdout
    assert "without proof" in done.stderr


@pytest.mark.parametrize("status", [0, 1])
def test_a_record_that_is_not_what_coq_answers_fails(status, proofs, tools):
    """The last word of check.sh is that of verify.formal.record, which test_record.py tests."""
    answers = "case $1 in --version) echo 'version 8.16.1';; *) echo 'Closed';; esac"
    for name, text in (GOOD | {"coqc": answers, "python3": f'echo "$@"; exit {status}'}).items():
        program(tools, name, text)
    done = check(proofs, tools)
    assert done.returncode == status, done.stderr
    assert done.stdout.splitlines()[-1] == f"-m verify.formal.record {proofs.parent / 'build'} {proofs}"
