"""data: add or list the real data sets of the experiments."""

import argparse
import sys
from pathlib import Path

from bounds.errors import InputError, choose
from fedigw_extensions.neural.datasets import cache, mulan
from fedigw_extensions.neural.datasets.known import KNOWN

__all__: list[str] = []
EXAMPLE = "python -m verify data add bibtex bibtex.arff"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", metavar="{add,list}")
    parser.add_argument("name", nargs="?", metavar="NAME", help="bibtex or delicious")
    parser.add_argument(
        "path", nargs="?", metavar="PATH", type=Path, help="NAME.arff, or the folder it is in"
    )
    parser.add_argument("--xml", type=Path, help="the list of labels; next to the ARFF file if left out")
    parser.add_argument("--any-version", action="store_true", help="keep files that are not the ones we know")


def execute(given: argparse.Namespace) -> int:
    if choose("data", given.action, ("add", "list")) == "list":
        for name, extra in (("NAME", given.name), ("--xml", given.xml)):
            if extra is not None:
                raise InputError(name, str(extra), "is for `data add`; `data list` lists all")
        sys.stdout.write(_listed())
        return 0
    if given.name is None:
        raise InputError("data", given.action, "give the name of a data set: " + ", ".join(KNOWN))
    if not given.any_version:
        choose("data", given.name, KNOWN)
    if given.path is None:
        raise InputError("data", given.name, "give the path of its ARFF file")
    arff = given.path / f"{given.name}.arff" if given.path.is_dir() else given.path
    if arff.suffix != ".arff":
        raise InputError(
            "data", str(arff), f"must end in .arff: write data add {given.name} {given.name}.arff"
        )
    data = mulan.read(arff, given.xml or arff.with_suffix(".xml"), given.name, given.any_version)
    said = mulan.version(given.name, data.digest, given.any_version)
    path = cache.keep(data)
    sys.stdout.write(f"{said}\n{_facts(data.facts())}kept in {path} ({path.stat().st_size:,} bytes)\n")
    return 0


def _listed() -> str:
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
