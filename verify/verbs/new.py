"""new: write a template for your own claim, protocol, policy, system or environment; or the folder of a paper."""

import argparse
import importlib.util
import json
import keyword
import sys
from pathlib import Path

from bounds.errors import InputError, choose
from verify import SIBLINGS

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
        "name",
        metavar="NAME",
        help="of what you will write, the file is NAME.py; of a claim about a paper the LABEL; FILE.tex of a paper",
    )


def execute(given: argparse.Namespace) -> int:
    sort = choose("sort", given.sort, (*SORTS, "paper"))
    if sort == "paper":
        from verify import new_paper

        folder, lines = new_paper.write(Path(given.name))
        commands = [
            f"python -m verify --paper ./{folder} {words}"
            for words in ("list", f"all --out build/{folder}", "new claim LABEL")
        ]
        sys.stdout.write(
            "\n".join(
                [
                    str(folder),
                    *lines,
                    f"list them: {commands[0]}",
                    f"a page:    {commands[1]}",
                    f"a claim:   {commands[2]}",
                    "",
                ]
            )
        )
        return 0
    if sort == "claim" and ":" in given.name:
        _write(*_claim_of_paper(given.name), given.name)
        return 0
    name = given.name.removesuffix(".py")
    if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name) or name != name.lower():
        raise InputError("name", given.name, "must be a Python name in small letters, e.g. my_protocol")
    if name in SIBLINGS or name == "verify":
        raise InputError("name", given.name, f"is a package of this program: choose another, e.g. my_{name}")
    path = Path(f"{name}.py")
    if not path.exists() and importlib.util.find_spec(name) is not None:
        said = (
            "is a module of Python or of a library, which a file of this name would replace: choose another"
        )
        raise InputError("name", given.name, f"{said}, e.g. my_{name}")
    text = (TEMPLATES / f"{sort}.txt").read_text(encoding="utf-8")
    text = text.replace("@name@", name).replace("@Name@", "".join(w.title() for w in name.split("_")))
    commands = [f"check it: python -m verify check {path}", f"use it:   {NEXT[sort].format(file=path)}"]
    _write(path, text, commands, given.name)
    return 0


def _claim_of_paper(label: str) -> tuple[Path, str, list[str]]:
    from verify.paper import BY_LABEL, FOLDER, NAME, OUTSIDE, command, file_name, is_label, plural, short

    label = short(label)
    if not OUTSIDE or not is_label(label):
        own = (
            "is a label of a paper: name its folder, --paper ./FOLDER, or a claim of your own, e.g. my_claim"
        )
        raise InputError("name", label, f"is not a statement of the paper {NAME}" if OUTSIDE else own)
    text = (TEMPLATES / "claim_of_paper.txt").read_text(encoding="utf-8").replace("@label@", label)
    about = BY_LABEL.get(label)
    words = (about.title, plural(about.kind).capitalize()) if about else (label, "Results of our own")
    for key, word in zip(("@title@", "@section@"), words, strict=True):
        text = text.replace(key, json.dumps(word, ensure_ascii=False))
    commands = [f"check it: {command(f'run {label}')}", f"record:   {command('all --record')}"]
    return FOLDER / "claims" / f"{file_name(label)}.py", text, commands


def _write(path: Path, text: str, commands: list[str], name: str) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError("name", name, f"{path} exists already; nothing was changed") from None
    sys.stdout.write("".join(f"{line}\n" for line in (path, *(f"  {command}" for command in commands))))
