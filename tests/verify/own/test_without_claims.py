"""The program without the claims of its first paper: what needs none of them works, and so do other papers."""

import re
import shutil
import tomllib

from campaign_process import CLAIMS, HOME, tiny_checkout
from forked import Forks

MADE_OF = (
    *("arithmetic", "epoch_sum", "errors", "extensions", "names", "per_step", "plug_in_text", "report"),
    *("schedules", "symbols", "theorem", "variants"),
)
WORKS = (
    "papers",
    "simulate examples/linear.toml --set horizon=16 --replications 2",
    "exact examples/erratum_E6.toml",
    "fit examples/dataset.toml",
    "prove x**2+1>=2*x",
    "--paper ucb1 run thm:regret",
    "--paper squarecb run lem:igw --out out",
    "--paper squarecb report --out out",
    "cite squarecb:lem:igw",
    "bound col:finite --variant best --set M=10 K=5 T=1e6 F=100",
    "bound thm:global_regret --instance examples/federation.toml --variant sharpened",
    "plan --agents 3 --arms 2 --dimension 2 --horizon 16",
    "--paper linucb bound thm:regret --variant printed --set d=2 T=1e6 delta=0.05",
)


def test_the_machine_works_with_the_papers_claims_taken_away(tmp_path, monkeypatch):
    home = tiny_checkout(tmp_path / "home")
    (home / CLAIMS / "lem_VE.py").unlink()
    shutil.copytree(HOME / "examples", home / "examples")
    monkeypatch.chdir(home)
    with Forks(home) as verify:
        listed = verify("list")
        assert listed.returncode == 0, listed.stderr
        assert "Not covered: 22." in listed.stdout
        for words in WORKS:
            done = verify(*words.split())
            assert done.returncode == 0, (words, done.stdout, done.stderr)
        assert "not covered" in verify("show", "col:finite").stdout
        refused = verify("bound", "lem:VE", "--set", "M=1", "K=2", "T=9", "F=2")
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr


def test_the_machine_names_no_statement_of_the_paper():
    """No label, number in print or erratum in a program, template or page of verify/ outside papers/, in a module of
    fedigw/ that is no part (a policy or protocol names its theorem), or in what all theorems are made of."""
    paper = HOME / "verify" / "papers" / "fedigw"
    rows = tomllib.loads((paper / "statements.toml").read_text())["statement"]
    names = {name for row in rows for name in (row["label"], row["number"], *row.get("also", ()))}
    listed = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    named = re.compile(rf"(?<!\w)(?:{listed}|E\d{{1,2}}|erratum_E\d+)(?!\w)")
    assert named.search("see col:finite"), "the pattern finds what it looks for"
    suffixes = (".py", ".txt", ".toml", ".json", ".html", ".j2", ".js", ".v")
    made_of = [HOME / "bounds" / f"{stem}.py" for stem in MADE_OF]
    machine = [*(HOME / "verify").rglob("*"), *(HOME / "fedigw").glob("*.*"), *made_of]

    def labels(text: str) -> list[str]:
        return [hit[0] for hit in named.finditer(text)]

    named_there = {
        str(place): labels(path.read_text())
        for path in machine
        if path.suffix in suffixes and "papers" not in (place := path.relative_to(HOME)).parts
    }
    assert {place: names for place, names in named_there.items() if names} == {}
    assert len(named_there) > 150, "it reads the machine"
    for name in names:  # each is found in a line of code, a comment and a sentence, and no longer word is one
        for text in (f'x = "{name}"', f"# see {name}.", f"by {name}, and", f"fedigw:{name}/best"):
            assert labels(text)[:1] == [name], text
