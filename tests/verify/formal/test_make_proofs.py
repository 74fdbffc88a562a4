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
def tools(tmp_path: Path) -> Path:
    """A PATH with the usual tools but without Coq and without apt-get."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None, name
        (folder / name).symlink_to(found)
    return folder


@pytest.fixture
def proofs(tmp_path: Path) -> Path:
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


def test_without_coq_and_without_a_way_to_get_it(proofs: Path, tools: Path) -> None:
    done = check(proofs, tools)
    assert done.returncode == 3
    assert "coqc is missing" in done.stderr


def test_apt_that_fails_is_named(proofs: Path, tools: Path) -> None:
    program(tools, "apt-get", "exit 100")
    done = check(proofs, tools)
    assert done.returncode == 3
    assert "coqc is missing" in done.stderr


def test_something_admitted_fails_with_its_line(proofs: Path, tools: Path) -> None:
    program(tools, "coqc", "echo 'The Coq Proof Assistant, version 8.16.1'")
    path = proofs / "Errata.v"
    path.write_text(path.read_text() + "Lemma wish : 1 = 2.\nProof. Admitted.\n")
    done = check(proofs, tools)
    assert done.returncode == 1
    assert "Errata.v" in done.stdout
    assert "Admitted" in done.stdout
    assert "without proof" in done.stderr


def test_a_file_that_does_not_compile_fails(proofs: Path, tools: Path) -> None:
    program(tools, "coqc", "echo 'The Coq Proof Assistant, version 8.16.1'")
    program(tools, "coq_makefile", "echo 'all:' > Makefile.coq")
    program(tools, "make", "echo 'Error: cannot unify' >&2; exit 2")
    done = check(proofs, tools)
    assert done.returncode == 1
    assert "does not compile" in done.stderr


def test_another_version_is_said(proofs: Path, tools: Path) -> None:
    program(tools, "coqc", "echo 'The Coq Proof Assistant, version 8.19.2'")
    program(tools, "coq_makefile", "exit 1")
    done = check(proofs, tools)
    assert done.returncode == 1
    assert "written for Coq 8.16, trying with 8.19.2" in done.stderr


def test_an_axiom_outside_the_list_fails_by_name(proofs: Path, tools: Path) -> None:
    answer = "Axioms:\\nCheat.everything : False"
    program(tools, "coqc", f"case $1 in --version) echo 'version 8.16.1';; *) printf '{answer}\\n';; esac")
    program(tools, "coq_makefile", "echo 'all:' > Makefile.coq")
    program(tools, "make", "exit 0")
    program(tools, "coqchk", "echo '* Axioms:'")
    done = check(proofs, tools)
    assert done.returncode == 1
    assert "the axiom Cheat.everything is not in assumptions.allowed" in done.stderr


@pytest.mark.parametrize("status", [0, 1])
def test_a_record_that_is_not_what_coq_answers_fails(status: int, proofs: Path, tools: Path) -> None:
    """The last word of check.sh is that of verify.formal.record, which test_record.py tests."""
    program(tools, "coqc", "case $1 in --version) echo 'version 8.16.1';; *) echo 'Closed';; esac")
    program(tools, "coq_makefile", "echo 'all:' > Makefile.coq")
    program(tools, "make", "exit 0")
    program(tools, "coqchk", "echo '* Axioms:'")
    program(tools, "python3", f'echo "$@"; exit {status}')
    done = check(proofs, tools)
    assert done.returncode == status, done.stderr
    assert done.stdout.splitlines()[-1] == f"-m verify.formal.record {proofs.parent / 'build'} {proofs}"
