"""completion: print a script that completes commands, options and statements in bash or zsh."""

import argparse
import sys

from bounds.errors import choose
from verify import verbs
from verify.catalogue import index
from verify.paper import STATEMENTS

__all__: list[str] = []
EXAMPLE = "python -m verify completion bash"
BEFORE = {"bash": "", "zsh": "autoload -U +X bashcompinit && bashcompinit\n"}
SCRIPT = """# eval "$(verify completion {shell})", in the shell's start-up file
{before}_fedigw_verify() {{
  local words="{names}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _fedigw_verify verify fedigw-verify
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", help=", ".join(BEFORE))


def execute(given: argparse.Namespace) -> int:
    shell = choose("shell", given.shell, BEFORE)
    printed = [s.number.split()[-1] for s in STATEMENTS if s.numbered]
    errata = [label.removeprefix("erratum:") for label in index() if label.startswith("erratum:")]
    cases = []
    for name in verbs.names():
        parser = argparse.ArgumentParser(add_help=False)
        verbs.load(name).add_arguments(parser)
        words = [option for action in parser._actions for option in action.option_strings]
        if any(action.metavar == "CLAIM" for action in parser._actions):
            words += [*dict.fromkeys(printed), *errata]
        cases.append(f'      {name}) words="{" ".join(words)}" ;;')
    filled = {"shell": shell, "before": BEFORE[shell], "names": " ".join(verbs.names())}
    sys.stdout.write(SCRIPT.format(cases="\n".join(cases), **filled))
    return 0
