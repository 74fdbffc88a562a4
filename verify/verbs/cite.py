"""cite: cite the verdict on a claim, as BibTeX or JSON with an identifier, or check if a cited verdict has changed.

--format formalization exports instead which Coq theorem proves which statement, as formalization.yaml.
"""

import argparse
import sys

from bounds.errors import InputError, choose
from verify import options
from verify.report.citation import bibtex, changes, cited

__all__: list[str] = []
EXAMPLE = "python -m verify cite CLAIM --variant best"
FORMATS = ("bibtex", "formalization")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    about = "a label, a number in print, an id that was cited, or a file of cite --json"
    parser.add_argument("claim", metavar="CLAIM", nargs="?", help=about)
    parser.add_argument(
        "--variant", help="by default the strongest form: best, sharpened, repaired or printed"
    )
    parser.add_argument("--json", action="store_true", help="machine-readable, with a hash of each part")
    about = f"{' or '.join(FORMATS)}; the last takes no CLAIM: which Coq theorem states what, as formalization.yaml"
    parser.add_argument("--format", default=FORMATS[0], help=about)


def execute(given: argparse.Namespace) -> int:
    if choose("--format", given.format, FORMATS) == "formalization":
        from verify.report import formalization

        if given.claim is not None:
            raise InputError("claim", given.claim, "--format formalization exports all of them: name none")
        options.show(formalization.document(), formalization.yaml, given.json)
        return 0
    if given.claim is None:
        raise InputError("claim", None, "name one: a label, a number in print, or an id that was cited")
    document = cited(given.claim, given.variant)
    if said := changes(document, given.claim):
        sys.stderr.write(said)
        return 1
    options.show(document, bibtex, given.json)
    return 0
