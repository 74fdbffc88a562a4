"""new: write a template for your own claim, protocol, policy, system or environment; or the folder of a paper."""

import argparse
import keyword
import sys
from pathlib import Path

from bounds.errors import InputError, choose

__all__: list[str] = []
EXAMPLE = "python -m verify new protocol my_protocol"
TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
SORTS = ("claim", "protocol", "policy", "system", "environment")
NEXT = {
    "claim": "python -m verify run {file}",
    "protocol": "python -m verify simulate examples/linear.toml --set learning_rate=9 --protocol {file}",
    "policy": "python -m verify simulate examples/linear.toml --policy {file}",
    "system": "python -m verify simulate examples/rivals.toml --system {file}",
    "environment": """python -m verify simulate INSTANCE.toml, where environment = {{name = "{file}"}}""",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sort", metavar="SORT", help=", ".join((*SORTS, "paper")))
    parser.add_argument(
        "name", metavar="NAME", help="of what you will write, the file is NAME.py; FILE.tex of a paper"
    )


def execute(given: argparse.Namespace) -> int:
    sort = choose("sort", given.sort, (*SORTS, "paper"))
    if sort == "paper":
        from verify import new_paper

        folder, lines = new_paper.write(Path(given.name))
        commands = [
            f"python -m verify --paper ./{folder} {words}" for words in ("list", f"all --out build/{folder}")
        ]
        sys.stdout.write(
            "\n".join([str(folder), *lines, f"list them: {commands[0]}", f"a page:    {commands[1]}", ""])
        )
        return 0
    name = given.name.removesuffix(".py")
    if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name) or name != name.lower():
        raise InputError("name", given.name, "must be a Python name in small letters, e.g. my_protocol")
    path = Path(f"{name}.py")
    text = (TEMPLATES / f"{sort}.txt").read_text(encoding="utf-8")
    text = text.replace("@name@", name).replace("@Name@", "".join(w.title() for w in name.split("_")))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError("name", given.name, f"{path} exists already; nothing was changed") from None
    sys.stdout.write(f"{path}\n  check it: python -m verify check {path}\n")
    sys.stdout.write(f"  use it:   {NEXT[sort].format(file=path)}\n")
    return 0
