"""Convert LaTeX formulas to plain text as in docstrings: sqrt(K M T), gamma^{l-1} <= 14/9."""

import re

COMMAND = re.compile(r"[A-Za-z]+|.", re.DOTALL)
SIGNS = {
    "le": " <= ", "ge": " >= ", "ne": " != ", "to": " -> ", "gets": " <- ", "Rightarrow": " => ", "infty": "infinity",
    "varepsilon": "eps", "vartheta": "theta", "varphi": "phi", "ell": "l", "lfloor": "floor(", "rfloor": ")",
    "lceil": "ceil(", "rceil": ")", "in": " in ", "sim": " ~ ", "mid": " | ", "propto": " ~ ", "top": "'",
    "dots": "...", "nabla": "grad ", "forall": "for all ", "exists": "there is ", "cdot": " ", "times": " x ",
    ",": " ", " ": " ", ";": " ", ":": " ", "!": "", "quad": "  ", "qquad": "  ", "\\": "; ", "|": "||",
}  # fmt: skip
SILENT = {"left", "right", "bigl", "bigr", "Bigl", "Bigr", "big", "Big"}
SILENT |= {"textstyle", "displaystyle", "limits"}
ALPHABETS = {"text", "mathrm", "mathbb", "mathcal", "mathfrak", "mathbf", "operatorname"}
ACCENTS = {"hat": "hat", "widehat": "hat", "bar": "bar", "overline": "bar", "tilde": "tilde"}


def spelled(latex: str) -> str:
    return re.sub(r" +", " ", _spelled(latex)).replace("^'", "'").strip()


def _spelled(latex: str) -> str:
    out, place = "", 0
    while place < len(latex):
        letter = latex[place]
        if letter == "{":
            group, place = _argument(latex, place)
            out += f"{{{group}}}" if out.endswith(("^", "_")) and len(group) > 1 else group
        elif letter == "\\":
            name = COMMAND.match(latex, place + 1)
            if name is None:
                break
            place = name.end()
            found, place = _command(name[0], latex, place)
            apart = out[-1:].isalnum() and found[:1].isalpha() and name[0] not in ALPHABETS
            out += f" {found}" if apart else found
            joined = len(found) > 1 and found[-1].isalpha() and name[0] not in ALPHABETS
            out += " " if joined and latex[place : place + 1].isalnum() else ""
        else:
            out += " " if letter in "&~\n" else letter
            place += 1
    return out


def _command(name: str, latex: str, place: int) -> tuple[str, int]:
    if name in ("frac", "tfrac", "dfrac"):
        above, place = _argument(latex, place)
        below, place = _argument(latex, place)
        return f"({_bracketed(above)}/{_bracketed(below)})", place
    if name in ("sqrt", "^", "begin", "end", *ALPHABETS, *ACCENTS):
        inside, place = _argument(latex, place)
        changed = {"sqrt": f"sqrt({inside})", "^": "^", "begin": "", "end": ""}  # \^{}: the sign itself
        return changed.get(name, inside + ACCENTS.get(name, "")), place
    return "" if name in SILENT else SIGNS.get(name, name), place


def _bracketed(term: str) -> str:
    return term if re.fullmatch(r"[\w.]+|\w+\([^()]*\)", term) else f"({term})"


def _argument(latex: str, place: int) -> tuple[str, int]:
    while latex[place : place + 1] == " ":
        place += 1
    if latex[place : place + 1] == "\\":
        name = COMMAND.match(latex, place + 1)
        return ("", len(latex)) if name is None else _command(name[0], latex, name.end())
    if latex[place : place + 1] != "{":
        return latex[place : place + 1], place + 1
    depth, end = 0, place
    while end < len(latex):
        if latex[end] == "\\":
            end += 2
            continue
        depth += {"{": 1, "}": -1}.get(latex[end], 0)
        end += 1
        if depth == 0:
            break
    return _spelled(latex[place + 1 : end - 1]), end
