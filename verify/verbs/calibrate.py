"""calibrate: estimate by simulation how often the statistical checks refute true claims, and how often false ones."""

import argparse
import sys
from typing import Any

from fedigw.maxima import refuse_larger
from verify import options

__all__: list[str] = []
EXAMPLE = "python -m verify calibrate --campaigns 200"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--campaigns", default="2000", help="simulated campaigns of true claims")
    parser.add_argument("--repetitions", default="1100", help="of every false claim")
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(given: argparse.Namespace) -> int:
    from verify.statistics.calibration import false_alarms, power

    campaigns = options.integer("--campaigns", given.campaigns, 1)
    repetitions = options.integer("--repetitions", given.repetitions, 1)
    seed = options.integer("--seed", given.seed, 0)
    refuse_larger("campaigns", campaigns, "--campaigns")
    refuse_larger("repetitions", repetitions, "--repetitions")
    alarms = false_alarms(campaigns, seed, _tick("campaigns"))
    found = power(repetitions, seed, _tick("false claims"))
    options.show({"seed": seed, "false_alarms": alarms, "power": found}, _text, given.json)
    return 0 if alarms["shown"] and found["shown"] else 1


def _tick(what: str) -> Any:
    def tick(done: int, total: int) -> None:
        if done == total or done % max(1, total // 10) == 0:
            sys.stderr.write(f"{done}/{total} {what}\n")

    return tick


def _text(document: dict[str, Any]) -> str:
    alarms, power = document["false_alarms"], document["power"]
    confident = f"with {alarms['confidence']:.0%} confidence"
    lines = [
        f"False alarms: {alarms['alarms']} of {alarms['campaigns']} campaigns of {alarms['claims']} true claims;"
        f" the rate is at most {alarms['upper']:.4f} {confident}.",
        f"  level {alarms['level']}: {'kept' if alarms['shown'] else 'NOT SHOWN to be kept'}",
        f"Power: bounds {power['beyond']:.0%} below the truth, with budgets of up to {power['budget']} values"
        f" (a campaign's are smaller), refuted with probability at least {power['least']:.4f},"
        f" all {len(power['rows'])} rows together {confident}.",
        f"  above {power['wanted']}: {'shown' if power['shown'] else 'NOT SHOWN'}",
    ]
    lines += [
        f"  {row['claim']:32} {row['refuted']}/{row['of']}  at least {row['lower']:.4f}, budget {row['budget']}"
        for row in power["rows"]
    ]
    return "\n".join(lines) + "\n"
