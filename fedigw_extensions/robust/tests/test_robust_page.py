"""docs/robust.md: every command on it prints what stands below it, and every rule and attack is on it."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from fedigw.parts import aggregators, attacks
from verify.cli import main

PAGE = (Path(__file__).parents[3] / "docs" / "robust.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^    \$ (.+)\n((?:    .+\n)*)", PAGE, re.MULTILINE)


def printed(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    words = shlex.split(command)
    if words[:3] == ["python", "-m", "verify"]:
        main(words[3:])
        captured = capsys.readouterr()
        return captured.out + captured.err
    assert words[:2] == ["python", "-c"]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(words[2], {})
    return out.getvalue()


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command[:90] for command, _ in BLOCKS])
def test_a_command_prints_what_stands_below_it(
    command: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(command, capsys).splitlines()
    expected = [line[4:] for line in shown.splitlines()]
    assert expected
    for line in expected:
        # whole numbers: "regret 13411" is not the beginning of another one
        assert any(found == line or re.match(re.escape(line) + r"(?![\w.])", found) for found in lines), (
            line,
            lines,
        )


def test_no_number_stands_alone() -> None:
    """Numbers of runs in the text are in a block, or computed here."""
    assert len(BLOCKS) == 7
    blocks = "".join(command + shown for command, shown in BLOCKS)
    loose = re.sub(r"^    .*$", "", PAGE, flags=re.MULTILINE)
    numbers = set(re.findall(r"\b\d{4,}(?:\.\d+)?\b", loose))
    assert numbers == {"524288", "419430"}
    assert 8 * 65536 == 524288
    assert int(0.8 * 524288) == 419430
    assert "419430" not in blocks


def test_every_rule_and_attack_is_on_the_page() -> None:
    for name in (*aggregators(), *attacks()):
        assert f"| `{name}` |" in PAGE
