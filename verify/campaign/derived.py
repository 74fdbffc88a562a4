"""Name the files that a campaign of checks derives from results.json, and remove those of an earlier campaign."""

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
# What we call a file about a claim: lem_x--unit.json, lem_x-curve.svg.
OURS = re.compile(rf"({PREFIXES})_.+(--.+\.(json|toml)|-.+\.(svg|png|pdf))")
# Labels and names of checks become names of files: nothing else may stand in a file of results.
LABEL = re.compile(rf"({PREFIXES}):[A-Za-z0-9_-]+")
CHECK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def bad(folder: Path, reason: str) -> InputError:
    return InputError("--out", str(folder), reason)


def refuse_links(folder: Path) -> None:
    """Raise InputError if a subfolder of `folder` into which a campaign writes is a symbolic link."""
    for below in (PLOTS, INSTANCES, RECORDS):
        if (folder / below).is_symlink():
            raise bad(folder, f"{below} is a link; nothing is written through links")


def is_about_a_claim(path: Path) -> bool:
    """Return whether a file exists and its name has the form that campaigns of checks use for files about one claim."""
    return OURS.fullmatch(path.name) is not None and path.is_file()


def clear_derived(folder: Path) -> None:
    """Remove the results of a campaign of checks, and the files derived from them, from its folder."""
    ours = [folder / name for name in (RESULTS, TIMINGS, REPORT, SUMMARY)]
    below = [*(folder / PLOTS).glob("*"), *(folder / INSTANCES).glob("*")]
    for path in (*ours, *filter(is_about_a_claim, below)):
        if path.is_file():
            path.unlink()
