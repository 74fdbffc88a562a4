"""One row of the race, as JSON: python benchmarks/one_row.py FOLDER MODULE ENTRY BATCH STEPS SEEDS, by race.py."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # this checkout, whatever is installed

from fedigw.threads import one_thread

one_thread()

import race  # noqa: E402


def main() -> None:
    folder, module, *numbers = sys.argv[1:]
    entry, batch, steps, seeds = map(int, numbers)
    peer = race.load(Path(folder) / f"{module}.py")
    print(json.dumps(asdict(race.run(peer.ENTRIES[entry], peer.LIBRARY, batch, steps, seeds))))


if __name__ == "__main__":
    main()
