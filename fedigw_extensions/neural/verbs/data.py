"""data: add, fetch or list the real data sets of the experiments."""

import argparse
import sys
import tempfile
from pathlib import Path

from bounds.errors import InputError, choose
from fedigw_extensions.neural.datasets import cache, mulan
from fedigw_extensions.neural.datasets.known import BASE, KNOWN

__all__: list[str] = []
EXAMPLE = "python -m verify data add bibtex bibtex.arff"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("add", "fetch", "list"))
    parser.add_argument("name", nargs="?", metavar="NAME", help="bibtex or delicious")
    parser.add_argument(
        "path", nargs="?", metavar="PATH", type=Path, help="NAME.arff, or the folder it is in"
    )
    parser.add_argument("--xml", type=Path, help="the list of labels; next to the ARFF file if left out")
    parser.add_argument("--any-version", action="store_true", help="keep files that are not the ones we know")
    parser.add_argument("--from", default=BASE, dest="base", metavar="URL", help="fetch from another address")


def execute(given: argparse.Namespace) -> int:
    if given.action == "list":
        sys.stdout.write(_listed())
        return 0
    if given.name is None:
        raise InputError("data", given.action, "give the name of a data set: " + ", ".join(KNOWN))
    if not given.any_version:
        choose("data", given.name, KNOWN)
    if given.action == "add":
        if given.path is None:
            raise InputError("data", given.name, "give the path of its ARFF file")
        arff = given.path / f"{given.name}.arff" if given.path.is_dir() else given.path
        return _keep(given.name, arff, given.xml or arff.with_suffix(".xml"), given.any_version)
    from fedigw_extensions.neural.datasets.fetch import fetch

    with tempfile.TemporaryDirectory() as folder:
        known = KNOWN[choose("data", given.name, KNOWN)]
        files = fetch(known, Path(folder), given.base, given.any_version)
        return _keep(given.name, files["arff"], files["xml"], given.any_version)


def _keep(name: str, arff: Path, xml: Path, any_version: bool) -> int:
    data = mulan.read(arff, xml, name, any_version)
    said = mulan.version(name, data.digest, any_version)
    path = cache.keep(data)
    sys.stdout.write(f"{said}\n{_facts(data.facts())}kept in {path} ({path.stat().st_size:,} bytes)\n")
    return 0


def _listed() -> str:
    """Return the text that lists the known data sets and those stored on this machine."""
    kept, lines = cache.kept(), []
    for name in sorted({*KNOWN, *kept}):
        if name not in kept:
            lines.append(f"{name}: not on this machine; python -m verify data add {name} PATH\n")
            continue
        try:
            data = cache.load(name)
        except InputError as error:
            lines.append(f"{name}: {error.allowed}\n")
            continue
        lines.append(f"{mulan.version(data.name, data.digest, any_version=True)}, {cache.path_of(name)}\n")
        lines.append(_facts(data.facts()))
    return "".join(lines)


def _facts(facts: dict[str, float]) -> str:
    lines = [
        f"  {facts['rows']:,} rows, {facts['features']:,} features, {facts['labels']:,} labels",
        f"  {facts['features_per_row']:.1f} features and {facts['labels_per_row']:.2f} labels a row,"
        f" {facts['unlabelled_rows']} rows without a label",
        f"  uniform reward {facts['uniform_reward']:.4f}, best constant arm {facts['best_constant_arm']:.4f}",
    ]
    return "".join(line + "\n" for line in lines)
