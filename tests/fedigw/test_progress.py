"""Loops of a command end on Ctrl-C with what they have, and show a bar on a terminal; elsewhere nothing is caught."""

import io
import json
import signal
from pathlib import Path
from typing import Any

import pytest

from fedigw import progress, replications
from verify import cli

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def heard():
    """Ctrl-C is heard: a shell gives its background jobs an ignored one."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def loop(presses: int, inner: int = 1) -> list[tuple[int, int]]:
    seen = []
    for i in progress.turns(range(5), 5, "turns"):
        for j in progress.turns(range(inner), inner, "inner turns"):
            seen.append((i, j))
            for _ in range(presses if (i, j) == (2, 0) else 0):
                signal.raise_signal(signal.SIGINT)
    return seen


def test_ctrl_c_ends_the_outermost_loop_after_its_turn(capsys):
    with progress.shown():
        assert loop(1, inner=2) == [(i, j) for i in range(3) for j in range(2)]
        assert progress.stopped()
    assert "interrupted after 3 of 5 turns" in capsys.readouterr().err
    assert not progress.stopped()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_twice_or_outside_a_command_it_ends_at_once():
    with pytest.raises(KeyboardInterrupt):
        loop(1)
    with progress.shown(), pytest.raises(KeyboardInterrupt):
        loop(2)
    assert loop(0) == [(i, 0) for i in range(5)]


def test_a_command_answers_for_the_replications_that_are_done(monkeypatch, capsys):
    whole, seen = replications.run, []

    def run(*given: Any) -> Any:
        seen.append(1)
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)
        return whole(*given)

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(replications, "run", run)
    assert cli.main(["simulate", "examples/lying_agents.toml", "--set", "horizon=16", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["replications"] == len(seen) == 3


def test_a_bar_is_shown_on_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(progress, "AFTER", -1.0)
    monkeypatch.setattr(progress, "LONG", 0.0)
    for stream, bars in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with progress.shown():
            loop(0)
        assert ("5/5" in stream.getvalue()) == bars
