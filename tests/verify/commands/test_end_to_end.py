"""The two commands of the README, and every figure that it shows."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from verify.cli import main
from verify.report.verdict_table import BEGIN, END, table

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text()


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """What `make verify` does."""
    folder = tmp_path_factory.mktemp("campaign") / "out"
    command = [sys.executable, "-m", "verify", "all", "--profile", "quick", "--out", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert max(len(line) for line in done.stdout.splitlines() if "report:" not in line) <= 100
    return folder, json.loads((folder / "results.json").read_text())


def test_every_expectation_is_met_and_every_control_told_apart(campaign: tuple[Path, dict[str, Any]]) -> None:
    folder, results = campaign
    figures = results["summary"]
    assert figures["expectations_met"] == figures["expectations"] > 80
    assert figures["controls_told_apart"] == figures["controls"] > 200
    assert (folder / "report.html").stat().st_size > 100_000
    assert (folder / "plots" / "col_finite-regret.svg").is_file()
    assert (folder / "plots" / "lem_finite_error-curve.png").is_file()


def test_no_vacuous_comparison_carries_a_verdict(campaign: tuple[Path, dict[str, Any]]) -> None:
    for claim in campaign[1]["claims"]:
        for variant in claim["variants"]:
            carrying = [c for c in variant["checks"] if c["evidence"]["kind"] == variant["verdict"]]
            assert any(not c["evidence"]["vacuous"] for c in carrying), (claim["label"], variant["variant"])


def test_the_table_of_the_readme_is_what_the_campaign_finds(campaign: tuple[Path, dict[str, Any]]) -> None:
    shown = README.partition(BEGIN)[2].partition(END)[0]
    run = "run `python -m verify.report.verdict_table` on the results of a quick campaign"
    assert shown == table(campaign[1]), run


def console_examples() -> list[tuple[str, list[str]]]:
    """Command lines of the README with the lines that it shows of their output."""
    examples: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ python -m verify "):
                examples.append((line.removeprefix("$ python -m verify "), []))
            else:
                examples[-1][1].append(line)
    return examples


@pytest.mark.parametrize(("command", "lines"), console_examples())
def test_the_readme_shows_what_is_printed(
    command: str, lines: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out.splitlines()
    assert lines
    for line in lines:
        assert line in printed


def test_the_readme_factor() -> None:
    """70 times below the trivial regret."""
    from bounds.col_finite import FiniteRegret

    report = FiniteRegret().evaluate("best", "regret", None, {"M": 100, "K": 10, "T": 10**6, "F": 1000})
    assert round(report.trivial / report.value) == 70
