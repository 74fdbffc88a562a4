"""The files next to the records, by name: all are made from results.json, and none outlives its campaign."""

import re
from pathlib import Path

from bounds.errors import InputError
from verify.paper import LABELS, OWN_PREFIXES, USER_PREFIX

RESULTS = "results.json"
TIMINGS = "timings.json"
REPORT = "report.html"
SUMMARY = "summary.md"
PLOTS = "plots"
INSTANCES = "instances"
RECORDS = "records"
PREFIXES = "|".join(sorted({label.partition(":")[0] for label in (*LABELS, *OWN_PREFIXES, USER_PREFIX)}))
# What we call a file about a claim: lem_VE--unit.json, lem_VE-curve.svg.
OURS = re.compile(rf"({PREFIXES})_.+(--.+\.(json|toml)|-.+\.(svg|png|pdf))")
# Labels and names of checks become names of files: nothing else may stand in a file of results.
LABEL = re.compile(rf"({PREFIXES}):[A-Za-z0-9_-]+")
CHECK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def bad(folder: Path, reason: str) -> InputError:
    """Return what is wrong with the folder of a campaign, to be raised."""
    return InputError("--out", str(folder), reason)


def refuse_links(folder: Path) -> None:
    """InputError if one of our folders below `folder` is a link: what we write stays inside `folder`."""
    for below in (PLOTS, INSTANCES, RECORDS):
        if (folder / below).is_symlink():
            raise bad(folder, f"{below} is a link; nothing is written through links")


def is_about_a_claim(path: Path) -> bool:
    """Return whether a file has the kind of name that we give; what others keep next to it has not."""
    return OURS.fullmatch(path.name) is not None and path.is_file()


def clear_derived(folder: Path) -> None:
    """Remove what an earlier campaign derived. Files of others, also in our folders, stay."""
    ours = [folder / name for name in (RESULTS, TIMINGS, REPORT, SUMMARY)]
    ours += [
        path for below in (PLOTS, INSTANCES) for path in (folder / below).glob("*") if is_about_a_claim(path)
    ]
    for path in ours:
        if path.is_file():
            path.unlink()
