"""Run the cells of the example notebooks, store their outputs, and convert the notebooks to pages of the documentation.

python -m verify.pages.notebooks runs examples/notebooks/*.ipynb in this process (make docs).
"""

import ast
import base64
import contextlib
import html
import io
import json
import re
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from verify.report.mathematics import mathml

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
KINDS = {"text/html": "_repr_html_", "text/latex": "_repr_latex_", "image/png": "_repr_png_"}
FORMULA = re.compile(r"\$([^$]+)\$")


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def load(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return document


def run(document: dict[str, Any], pictures: bool = True) -> list[list[dict[str, Any]]]:
    """Run the code cells of a notebook in order and return the outputs of each, in Jupyter's format. A cell that raises
    InputError outputs the error's one line. pictures: whether to draw pictures."""
    scope: dict[str, Any] = {}
    found: list[list[dict[str, Any]]] = []
    with contextlib.chdir(FOLDER):
        for cell in document["cells"]:
            if cell["cell_type"] == "code":
                found.append(_outputs("".join(cell["source"]), scope, len(found) + 1, pictures))
    return found


def _outputs(source: str, scope: dict[str, Any], count: int, pictures: bool) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    outputs: list[dict[str, Any]] = []
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "<cell>", "exec"), scope)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), scope)
    except InputError as error:
        row = {"output_type": "error", "ename": "InputError", "evalue": str(error)}
        outputs.append(row | {"traceback": [f"InputError: {error}"]})
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.insert(0, {"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        result = {"output_type": "execute_result", "execution_count": count, "metadata": {}}
        outputs.append(result | {"data": _shown(value, pictures)})
    return outputs


def _shown(value: Any, pictures: bool) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for kind, method in KINDS.items():
        if not hasattr(value, method) or (kind == "image/png" and not pictures):
            continue
        found = getattr(value, method)()
        if found is None:  # matplotlib's figures have no HTML
            continue
        data[kind] = _small(found) if kind == "image/png" else found.splitlines(keepends=True)
    text = f"<{type(value).__name__}>" if data or hasattr(value, "_repr_png_") else repr(value)
    return data | {"text/plain": text.splitlines(keepends=True)}


def _small(picture: bytes) -> str:
    from PIL import Image

    written = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(64).save(written, "png", optimize=True)
    return base64.b64encode(written.getvalue()).decode()


def page(name: str) -> tuple[str, dict[str, bytes]]:
    """Return a notebook with its stored outputs as a Markdown page, and its pictures as file name -> PNG."""
    lines: list[str] = []
    pictures: dict[str, bytes] = {}
    for cell in load(name)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            lines += [source, ""]
            continue
        lines += ["```python", source, "```", ""]
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                file = f"{name}-{len(pictures) + 1}.png"
                pictures[file] = base64.b64decode(data["image/png"])
                lines += [f"![what the cell shows]({file})", ""]
            elif "text/html" in data or "text/latex" in data:
                text = "".join(data.get("text/html") or data["text/latex"])
                text = FORMULA.sub(lambda found: mathml(html.unescape(found[1])), text)
                text = text.replace("\n\n", "\n&#8203;\n")  # an empty line would end the HTML
                lines += [f'<div class="result">{text}</div>', ""]
            else:
                text = "".join(output.get("text") or output.get("traceback") or data["text/plain"])
                lines += ["```text", text.rstrip(), "```", ""]
    return "\n".join(lines), pictures


if __name__ == "__main__":
    for name in names():
        document = load(name)
        cells = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
        for count, (cell, outputs) in enumerate(zip(cells, run(document), strict=True), start=1):
            cell |= {"outputs": outputs, "execution_count": count}
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        (FOLDER / f"{name}.ipynb").write_text(text, encoding="utf-8")
