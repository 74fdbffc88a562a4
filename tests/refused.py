"""Commands that must be refused, and commands that must answer."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from verify.cli import main


def refused(capture: pytest.CaptureFixture[str], words: Sequence[str], *said: str) -> str:
    """Return the error of a command: it ends with 2, prints nothing, and its one line of error contains `said`."""
    assert main(list(words)) == 2
    out, error = capture.readouterr()
    assert out == ""
    assert error.count("\n") == 1
    for text in said:
        assert text in error
    return error


def answered(capture: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return the document that a command prints with --json; it ends with 0."""
    assert main([*words, "--json"]) == 0
    return json.loads(capture.readouterr().out)
