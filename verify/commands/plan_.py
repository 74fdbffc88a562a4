"""plan: what is guaranteed, what to expect and what it costs, for a federation that is only thought of."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from bounds.errors import InputError, fraction
from verify.commands.run_ import _integer

EXAMPLE = "python -m verify plan --agents 50 --arms 5 --dimension 10 --horizon 1e5"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agents", required=True, metavar="M")
    parser.add_argument("--arms", required=True, metavar="K")
    parser.add_argument("--horizon", required=True, metavar="T", help="steps of every agent, e.g. 1e5")
    parser.add_argument("--dimension", metavar="d", help="linear rewards")
    parser.add_argument("--class-size", metavar="N", help="a finite class of N functions")
    parser.add_argument("--price", metavar="P", help="of sending one number, in units of regret")
    parser.add_argument("--rounds-limit", metavar="R", help="rounds of communication in a whole run, at most")
    parser.add_argument("--epsilon", metavar="E", help="the whole run must be (E, delta)-private")
    parser.add_argument("--delta", metavar="D", default="1e-5", help="of the privacy (default 1e-5)")
    parser.add_argument("--malicious", metavar="F", default="0", help="agents that lie (default 0)")
    parser.add_argument("--seed", default="0", help="of the simulation (default 0)")
    parser.add_argument(
        "--page", type=Path, metavar="FILE.html", help="an interactive page, to be opened offline"
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="bounds against the horizon, .svg, .png or .pdf"
    )
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(options: argparse.Namespace) -> int:
    from verify.planner.answer import answer
    from verify.planner.question import Question
    from verify.planner.words import text

    question = Question(
        _count("--agents", options.agents),
        _count("--arms", options.arms),
        _count("--horizon", options.horizon),
        None if options.dimension is None else _count("--dimension", options.dimension),
        None if options.class_size is None else _count("--class-size", options.class_size),
        None if options.price is None else _number("--price", options.price),
        None if options.rounds_limit is None else _count("--rounds-limit", options.rounds_limit),
        None if options.epsilon is None else _number("--epsilon", options.epsilon),
        _number("--delta", options.delta),
        0 if options.malicious == "0" else _count("--malicious", options.malicious),
    )
    for option in ("page", "plot"):
        path = getattr(options, option)
        if path is not None and os.path.lexists(path):
            raise InputError(f"--{option}", str(path), "exists already; nothing is overwritten")
    if options.plot is not None and options.plot.suffix not in (".svg", ".png", ".pdf"):
        raise InputError("--plot", str(options.plot), "must end in .svg, .png or .pdf")
    document = answer(question, _integer("--seed", options.seed, 0))
    if options.page is not None:
        from verify.planner.page import render

        _written(
            "--page", options.page, lambda: options.page.write_text(render(document["question"]), "utf-8")
        )
    if options.plot is not None:
        from verify.planner.picture import draw

        _written("--plot", options.plot, lambda: draw(question, document, options.plot))
    sys.stdout.write(json.dumps(document, indent=1) + "\n" if options.json else text(document))
    return 0


def _written(field: str, path: Path, write: Callable[[], object]) -> None:
    try:
        write()
    except OSError as error:
        raise InputError(field, str(path), f"cannot be written: {error.strerror}") from None
    except ValueError as error:  # a format that pictures do not have
        raise InputError(field, str(path), str(error)) from None


def _count(field: str, value: str) -> int:
    try:
        exact = fraction(value)
    except (ValueError, ZeroDivisionError):
        raise InputError(field, value, "must be a positive integer, e.g. 50 or 1e5") from None
    if exact.denominator != 1 or exact < 1:
        raise InputError(field, value, "must be a positive integer, e.g. 50 or 1e5")
    return int(exact)


def _number(field: str, value: str) -> float:
    try:
        return float(fraction(value))
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InputError(field, value, "must be a number of at least 0") from None
