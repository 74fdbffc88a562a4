"""Run `make bench`: measure speed, regret, growth and memory, and compare them with the numbers committed last.

    python benchmarks/bench.py [--out build/bench] [--quick] [--keep]     measure; write a page with a picture
    python benchmarks/bench.py --page                                     only write the page and its picture again

--keep writes the measured numbers to benchmarks/last.json and the page with its picture to docs/, to be committed.
"""

import argparse
import json
import platform
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # this checkout, whatever is installed

from fedigw.threads import one_thread  # noqa: E402

one_thread()

import measures  # noqa: E402
import picture  # noqa: E402
import race  # noqa: E402
from page import page  # noqa: E402

LAST = HERE / "last.json"
PAGE = HERE.parent / "docs" / "benchmarks.md"
COMPARED = ("race", "floors", "growth", "scale")


def measured(quick: bool, last: dict[str, Any]) -> dict[str, Any]:
    """Run all benchmarks and return the measured numbers as JSON values. last: the numbers committed last, which the
    result contains under the key `before`."""
    peers = race.peers(quick)
    rows = [*race.ours(quick), *peers.pop("rows")]
    return {
        "machine": f"Python {platform.python_version()}, {platform.machine()}",
        **peers,
        "race": [asdict(row) for row in rows],
        "floors": measures.floors(),
        "rounds": measures.rounds(),
        "growth": measures.growth(quick),
        "scale": measures.scale(),
        "largest": measures.largest(),
        "before": {key: last[key] for key in COMPARED if key in last},
    }


def write(figures: dict[str, Any], path: Path) -> str:
    """Write the Markdown page of the measured numbers to `path` and its picture next to it. Return the page."""
    text = page(figures)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    picture.draw(figures, path.with_suffix(".svg"))
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=HERE.parent / "build" / "bench")
    parser.add_argument("--quick", action="store_true", help="fewer steps and repetitions, smaller classes")
    parser.add_argument(
        "--keep", action="store_true", help="make these figures and their page the committed ones"
    )
    parser.add_argument(
        "--page", action="store_true", help="measure nothing, write the page of the committed figures"
    )
    options = parser.parse_args()
    last = json.loads(LAST.read_text()) if LAST.exists() else {}
    if options.page:
        write(last, PAGE)
        return
    figures = measured(options.quick, last)
    print(write(figures, options.out / "benchmarks.md"))
    (options.out / "benchmarks.json").write_text(json.dumps(figures, indent=1) + "\n")
    if options.keep:
        LAST.write_text(json.dumps(figures, indent=1) + "\n")
        write(figures, PAGE)


if __name__ == "__main__":
    main()
