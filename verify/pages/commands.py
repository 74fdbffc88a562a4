"""Generate docs/reference/commands.md, the help text of every command: python -m verify.pages.commands"""

import argparse
import sys
from functools import partial

from verify import verbs

INTRODUCTION = """# Commands

<!-- generated: make docs -->
Exit status: 0 every expectation met; 1 some not, or a guarantee violated; 2 bad input, one line on standard error;
130 after Ctrl-C, resumable. CLAIM is a label (`list --all` prints them), the short name of an
erratum, a number in print or, for `run`, a file of your own; `PAPER:LABEL` is a label in full. `--paper NAME`, or the
path of a folder, before a command chooses another paper: `python -m verify --paper squarecb list`.
"""


def page() -> str:
    lines = [INTRODUCTION]
    for name in verbs.names():
        verb = verbs.load(name)
        parser = argparse.ArgumentParser(
            prog=f"python -m verify {name}",
            description=verbs.about(verb),
            formatter_class=partial(argparse.HelpFormatter, width=98),  # the same page on every machine
        )
        verb.add_arguments(parser)
        example = ["", "Example:", "", "```sh", verbs.example(name), "```"]
        lines += [f"## {name}", "", "```text", parser.format_help().rstrip(), "```", *example, ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(page())
