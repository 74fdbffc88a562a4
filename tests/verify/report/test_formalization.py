"""The export of formal statements as formalization.yaml."""

import json
from pathlib import Path

import pytest

from verify.cli import main
from verify.formal.statements import allowed_axioms
from verify.paper import FOLDER
from verify.report.formalization import document, yaml

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.fedigw
def test_the_export_has_every_verdict_of_coq_and_no_other_axiom():
    """The recorded verdicts are the second way to which statements Coq proves."""
    found = document()
    verdicts = json.loads((FOLDER / "recorded_verdicts.json").read_text())["verdicts"]
    proved = {
        f"fedigw:{k}/{v}" for k, rows in verdicts.items() for v, row in rows.items() if row["by"] == "coq"
    }
    rows = found["alignment"]["statements"]
    assert proved == {
        row["statement"] for row in rows if row["verdict"].find("Coq") > 0 and row["relation"] != "refutes"
    }
    assert {row["declaration"] for row in rows} >= {
        row["declaration"] for row in found["status"]["main_results"]
    }
    allowed = {line.partition(" : ")[0] for line in allowed_axioms()}
    assert set(found["status"]["axioms"]) <= allowed
    assert all((ROOT / row["file"]).is_file() for row in rows)
    # what version 0.4 of the format requires
    assert found["version"] == "v0.4"
    assert {"name", "authors", "license"} <= found["project"].keys()
    assert found["sources"][0]["relationship"] == "formalizes"
    assert found["sources"][0]["license"] == "CC BY 4.0"
    assert found["automation"]["methods"][0]["method"] == "other"
    assert found["review"]["status"] == "self-assessed"
    assert "finite sets of contexts" in found["fidelity"]["divergences"]


@pytest.mark.fedigw
def test_the_text_is_yaml_of_the_same_document(capsys):
    reader = pytest.importorskip("yaml")
    assert main(["cite", "--format", "formalization"]) == 0
    assert reader.safe_load(capsys.readouterr().out) == document()
    odd = {"a": [], "b": {"c": "x: y\n# no comment", "d": [1, {"e": ["-", ""]}]}}
    assert reader.safe_load(yaml(odd)) == odd


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cite", "--format", "formalization", "col:finite"), "exports all of them: name none"),
        (("cite", "--format", "xml", "col:finite"), "--format = xml"),
        (("cite",), "name one: a label"),
        (("--paper", "squarecb", "cite", "--format", "formalization"), "has no formal proofs"),
    ],
)
def test_bad_requests_are_one_line(words, said, forks):
    done = forks(*words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert said in done.stderr
