"""Every command and every piece of Python that the documentation shows is run; every link leads somewhere."""

import json
import re
import shlex
import sys
from pathlib import Path

import jsonschema
import pytest

from verify.cli import main
from verify.pages import api, commands, instance_files

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
GENERATED = {
    "commands.md": commands.page,
    "api.md": api.page,
    "instance_files.md": instance_files.page,
    "instance.schema.json": lambda: json.dumps(instance_files.schema(), indent=1) + "\n",
}


def shown() -> list[tuple[str, str, list[str]]]:
    """(page, command, lines of its output that the page shows)."""
    found: list[tuple[str, str, list[str]]] = []
    for path in PAGES:
        for block in re.findall(r"```console\n(.*?)```", path.read_text(), flags=re.DOTALL):
            for line in block.splitlines():
                if line.startswith("$ python "):
                    found.append((str(path.relative_to(ROOT / "docs")), line.removeprefix("$ python "), []))
                else:
                    found[-1][2].append(line)
    return found


@pytest.mark.parametrize(("page", "command", "lines"), shown())
def test_a_page_shows_what_is_printed(page, command, lines, capfd, monkeypatch):
    """The page may leave out the end of a line after a whole word, and whole lines."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "200")
    option, *words = shlex.split(command)
    if option == "-c":
        exec(words[0], {})
    else:
        assert main(words[1:]) == (2 if lines and lines[0].startswith("verify: ") else 0)
    printed = "".join(capfd.readouterr())
    for line in lines:
        assert re.search(rf"^{re.escape(line)}(?![\w.])", printed, re.MULTILINE), f"{page}: {line}"


@pytest.mark.parametrize("path", [*PAGES, ROOT / "README.md"], ids=lambda p: str(p.relative_to(ROOT)))
def test_the_python_of_a_page_runs(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    for block in re.findall(r"```python\n(.*?)```", path.read_text(), flags=re.DOTALL):
        exec(compile(block, str(path), "exec"), {})


@pytest.mark.parametrize("path", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([\w./-]+\.\w+(?:#[\w-]+)?)\)", path.read_text()):
        assert (path.parent / target.partition("#")[0]).exists(), f"{path.name}: {target}"


TOP = ("bounds", "fedigw", "fedigw_extensions", "finite_class", "linear", "verify", "tests", "docs", "proofs")
NAMED = re.compile(rf"(?<![\w/.-])(?:{'|'.join((*TOP, 'neural', 'benchmarks', 'examples'))})/[\w./*<>-]*")


def test_every_path_that_a_text_names_exists():
    """In pages, the Makefile and the packages. <name> and * stand for any name."""
    texts = [
        *PAGES,
        *ROOT.glob("*.md"),
        ROOT / "Makefile",
        ROOT / "pyproject.toml",
        ROOT / "proofs/README.md",
    ]
    texts.remove(ROOT / "CHANGELOG.md")  # it speaks of earlier versions
    texts += [
        path for package in TOP[:6] for path in (ROOT / package).rglob("*.py") if path.parent.name != "tests"
    ]
    named = {
        (re.sub(r"<\w*>?", "*", found).rstrip("./-"), path.relative_to(ROOT))
        for path in texts
        for found in NAMED.findall(path.read_text())
    }
    exists = {target: any(ROOT.glob(target)) for target, _ in named}
    assert [f"{where}: {target}" for target, where in sorted(named) if not exists[target]] == []


@pytest.mark.parametrize("name", GENERATED)
def test_the_reference_is_up_to_date(name):
    if name == "commands.md" and sys.version_info >= (3, 13):
        pytest.skip(
            "the page is in the words of Python 3.11 and 3.12: 3.13 prints -M, --agents M in another order"
        )
    assert (ROOT / "docs/reference" / name).read_text() == GENERATED[name](), "run `make docs`"


def test_every_public_function_has_an_example():
    import inspect

    import verify

    functions = {name for name in verify.__all__ if inspect.isfunction(getattr(verify, name))}
    assert functions <= set(api.examples())


def test_examples_fit_the_published_schema():
    import tomllib

    valid = jsonschema.Draft202012Validator(instance_files.schema())
    for path in sorted((ROOT / "examples").glob("*.toml")):
        table = tomllib.loads(path.read_text())
        if table["kind"] != "dataset":
            valid.validate(table)
    with pytest.raises(jsonschema.ValidationError):
        valid.validate({"kind": "linear", "horizn": 3})
    with pytest.raises(jsonschema.ValidationError):
        valid.validate({"kind": "linear", "protocol": {"name": "fedavg", "rouds": 3}})


def test_every_page_is_on_the_site():
    import tomllib

    text = (ROOT / "zensical.toml").read_text()
    listed = set(re.findall(r'"([\w/]+\.md)"', text))
    gallery = {f"gallery/{path.stem}.md" for path in (ROOT / "examples/notebooks").glob("*.ipynb")}
    assert listed == {str(path.relative_to(ROOT / "docs")) for path in PAGES} | {"errata.md"} | gallery
    assert tomllib.loads(text)["project"]["use_directory_urls"] is False  # opens from a folder


def test_the_source_of_the_site(tmp_path):
    from verify.catalogue import catalogue
    from verify.pages import site
    from verify.paper import file_name

    pages = site.make(tmp_path / "source")
    assert pages == len(PAGES) + len(catalogue()) + 6  # errata, and five notebooks
    start = (tmp_path / "source/index.md").read_text()
    assert all((tmp_path / "source" / target).exists() for target in re.findall(r"\]\(([\w./-]+)\)", start))
    assert "(plan.html)" in start
    assert "| Corollary 4.2 | false: leaves out the first epoch" in start
    assert "a table in the README" not in start
    assert "(gallery/1_reviewer.md)" in start
    sharpened = (tmp_path / "source/proof_sharpened.md").read_text()
    assert "$$" not in sharpened
    assert 'id="equation-2"' in sharpened
    assert "<math" in sharpened
    claim = (tmp_path / "source/reference/claims/col_finite.md").read_text()
    assert "### best: proved (Coq)" in claim
    assert '<div class="row"><b>calls</b>' in claim  # typeset, not a block of code that is clipped
    for label in catalogue():
        text = (tmp_path / f"source/reference/claims/{file_name(label)}.md").read_text()
        for target in re.findall(r"\]\(([\w./-]+\.md)\)", text):
            assert (tmp_path / "source/reference/claims" / target).exists(), (label, target)
    errata = (tmp_path / "source/errata.md").read_text()
    assert errata.index("## false") < errata.index("## gap")
