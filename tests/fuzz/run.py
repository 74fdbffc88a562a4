"""Run the program on random files, sizes and bounds; only its own input error may come out.

    python tests/fuzz/run.py --seed 0 --files 10000 --sizes 1000 --bounds 30000
    python tests/fuzz/run.py --planted      ten faults put into the parser one by one: each must be found

It prints one line of JSON with the counts. Exit status is 1 if anything else than an answer or an input error came
out.
"""

import argparse
import contextlib
import io
import json
import math
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

import commands  # noqa: E402
import mutations  # noqa: E402
import planted  # noqa: E402

CPU = 10.0  # seconds after which a command is cut short, as by Ctrl-C; loading a file or a bound must end by then
MEMORY = 2 << 30  # bytes of addresses beyond those of the libraries
MOST_SHOWN = 40


class Overrun(BaseException):
    """Raised in a call that takes too long. No handler of the program may catch it."""


class Findings:
    """What came out of the calls."""

    def __init__(self) -> None:
        self.answers = self.refusals = self.cut_short = 0
        self.out_of_memory: list[str] = []
        self.slowest, self.slow = 0.0, ""
        self.by_command: dict[str, int] = {}
        self.faults: list[dict[str, str]] = []

    def attempt(self, call: Callable[[], Any], about: Any, kind: str = "load") -> None:
        """Make a call and record what comes out. The call returns False for a refusal."""
        from bounds.errors import InputError
        from fedigw.discovery import CatalogueError

        before = time.process_time()
        self.by_command[kind] = self.by_command.get(kind, 0) + 1
        signal.signal(signal.SIGVTALRM, _overrun)
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU)
        try:
            answered = call() is not False
            self.answers, self.refusals = self.answers + answered, self.refusals + (not answered)
        except (InputError, CatalogueError) as error:
            self.refusals += 1
            if "\n" in str(error):
                self._fault(error, about)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            if isinstance(error, (Overrun, commands.Stopped)) and kind != "load":
                self.cut_short += 1  # large work may take long or run out of memory, and ends with one line
                if "memory" in str(error):  # each is named, for somebody to see that it was large
                    self.out_of_memory.append(str(about)[:500])
            else:
                self._fault(error, about)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            spent = time.process_time() - before
            if spent > self.slowest:
                self.slowest, self.slow = spent, str(about)[:2000]

    def _fault(self, error: BaseException, about: Any) -> None:
        trace = [f for f in traceback.extract_tb(error.__traceback__) if "site-packages" not in f.filename]
        place = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in trace[:-5:-1])
        said = f"{type(error).__name__}: {error}"[:300]
        self.faults.append({"error": said, "at": place, "input": str(about)[:4000]})
        if len(self.faults) <= MOST_SHOWN:  # a long run shows what it finds while it goes on
            sys.stderr.write(json.dumps(self.faults[-1]) + "\n")
            sys.stderr.flush()

    def document(self) -> dict[str, Any]:
        kinds = {(f["error"][:40], f["at"]): f for f in self.faults}
        return {
            "answers": self.answers,
            "refusals": self.refusals,
            "cut_short": self.cut_short,
            "out_of_memory": self.out_of_memory[:MOST_SHOWN],
            "commands": self.by_command,
            "faults": len(self.faults),
            "slowest_cpu_seconds": round(self.slowest, 2),
            "slowest": self.slow,
            "shown": list(kinds.values())[:MOST_SHOWN],
        }


def files(count: int, rng: random.Random, found: Findings, large: bool = False) -> None:
    """Run commands on mutated instance files, or on worlds of large sizes."""
    texts, data = mutations.seeds(), mutations.datasets()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutant.toml"
        for _ in range(count):
            of_data = not large and rng.random() < 0.12
            refuse = False
            if large:
                path.write_text(mutations.world(rng), encoding="utf-8")
            else:
                refuse = mutant(rng.choice(data if of_data else texts), rng, path)
            chosen = commands.words(str(path), rng, of_data)
            about = " ".join(chosen) + "\n" + path.read_text(encoding="utf-8")
            call = partial(commands.carry_out, chosen, refuse and chosen[0] != "plan")
            found.attempt(call, about, chosen[0])


def mutant(text: str, rng: random.Random, path: Path) -> bool:
    """Write a mutant of the text, and return whether it must be refused."""
    if rng.random() < 0.2:
        path.write_text(mutations.by_tokens(text, rng), encoding="utf-8")
        return False
    table, refuse = mutations.by_structure(text, rng)
    path.write_text(mutations.file_of(table), encoding="utf-8")
    return refuse


def loads(count: int, rng: random.Random, found: Findings) -> None:
    """Load mutated instance files without running them: the parser must refuse what is wrong, and accept only what
    the theory allows."""
    from verify.instances import load

    texts = mutations.seeds()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutant.toml"
        for _ in range(count):
            refuse = mutant(rng.choice(texts), rng, path)

            def call(must_refuse: bool = refuse) -> None:
                federation = load(path)
                if must_refuse:
                    raise commands.Nonsense("a key that nobody knows was taken")
                _sensible(federation)

            found.attempt(call, path.read_text(encoding="utf-8"))


def _sensible(federation: Any) -> None:
    """Raise Nonsense unless a loaded federation has what the theory takes for granted."""
    if federation.plan.epochs < 1 or not all(min(row) >= 0 < max(row) for row in federation.plan.full):
        raise commands.Nonsense("an epoch without steps")
    agents = getattr(federation.world, "agents", ())
    for agent in agents if isinstance(agents, (tuple, list)) else ():
        law = getattr(agent, "contexts", None)
        if isinstance(law, tuple) and (sum(law) != 1 or min(law) < 0):
            raise commands.Nonsense(f"a law of contexts with sum {float(sum(law))}")
    for table in getattr(federation.world, "functions", ()):
        if any(not 0 <= value <= 1 for row in table for value in row):
            raise commands.Nonsense("a function with a value outside [0,1]")


EDGES = (*mutations.WORDS["edges"], str(2**62), "", "9" * 400)


def bounds(count: int, rng: random.Random, found: Findings) -> None:
    """Run `bound --set` at edge values, for every claim, variant, quantity and protocol in turn."""
    from bounds.theorems import theorems

    calls = [
        (label, variant, quantity, protocol, theorem)
        for label, theorem in theorems().items()
        for variant in theorem.variants
        for quantity in theorem.quantities
        for protocol in (None, *theorem.protocols)
    ]
    rng.shuffle(calls)
    for index in range(count):
        label, variant, quantity, protocol, family = calls[index % len(calls)]
        words = _words(family, rng)
        about = [label, variant, quantity, protocol, *words]
        found.attempt(lambda: _bound(*about[:4], words), about)  # noqa: B023


def _words(family: Any, rng: random.Random) -> list[str]:
    from bounds.report import COUNTS, FLAGS

    names = [*family.required, *(name for name in family.optional if rng.random() < 0.3)]
    usual = {
        n: ("2", "10", "100") if n in COUNTS else ("1",) if n in FLAGS else ("0.5", "0.1", "1") for n in names
    }
    given = {name: rng.choice(values) for name, values in usual.items()}
    for name in rng.sample(names, min(len(names), rng.choice((1, 1, 2, 3)))):
        given[name] = rng.choice(EDGES)
    return [f"{name}={value}" for name, value in given.items()]


def _bound(label: str, variant: str, quantity: str, protocol: str | None, words: list[str]) -> None:
    from verify.verbs.bound import of_parameters

    given = dict(word.split("=", 1) for word in words)
    found = of_parameters(given, label, variant, None, None, quantity=quantity, protocol=protocol)
    document = found.document
    str(found)
    if not math.isfinite(document["value"]) or document["value"] < 0:
        raise commands.Nonsense(f"value {document['value']}")


@contextlib.contextmanager
def _limits() -> Iterator[None]:
    from verify import guard

    guard.limit_memory(MEMORY)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        yield


def _overrun(*_: Any) -> None:
    raise Overrun(f"over {CPU} s of CPU")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--files", type=int, default=0)
    parser.add_argument("--sizes", type=int, default=0)
    parser.add_argument("--bounds", type=int, default=0)
    parser.add_argument("--planted", action="store_true")
    options = parser.parse_args()
    document = {}
    with _limits():
        if options.planted:
            document = {"planted": planted.search(lambda r, f: loads(60, r, f), Findings)}
        for name, count, fuzz in (
            ("files", options.files, files),
            ("sizes", options.sizes, partial(files, large=True)),
            ("bounds", options.bounds, bounds),
        ):
            if count:
                found = Findings()
                fuzz(count, random.Random(options.seed), found)
                document[name] = found.document()
    sys.stdout.write(json.dumps(document, indent=1) + "\n")
    bad = any(part.get("faults") for part in document.values()) if not options.planted else False
    return int(bad or not all(document.get("planted", {"": True}).values()))


if __name__ == "__main__":
    sys.exit(main())
