"""The report and its kin: complete, escaped, made from results.json alone; results.json follows its schema."""

import json
import re
import sys
import tomllib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from refused import refused
from report_example import HOSTILE, document

from verify.campaign import units as campaign
from verify.campaign.judgement import judge
from verify.campaign.results import read, results, write
from verify.campaign.units import Settings, run_campaign
from verify.catalogue import catalogue
from verify.cli import main
from verify.paper import PAPER, STATEMENTS
from verify.report import graph, verdict_table
from verify.report import page as report
from verify.report.findings import findings, new_worst, of_paper, statuses, uncovered
from verify.report.markdown import summary_text
from verify.report.page import publish
from verify.report.plots import file_stem
from verify.report.table import print_table

SCHEMA = json.loads((Path(report.__file__).parents[1] / "campaign" / "results.schema.json").read_text())


class Page(HTMLParser):
    """Ids, links, resources from elsewhere, and whether tags are closed in order."""

    VOID = ("meta", "link", "br", "img", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.addresses: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.ids += [values["id"] or ""] if "id" in values else []
        if tag == "a":
            self.links.append(values.get("href") or "")
        elif "src" in values or "href" in values:
            self.addresses.append(values.get("src") or values.get("href") or "")
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def page(folder: Path) -> tuple[str, Page]:
    text = report.render(folder, document())
    return text, Page(text)


def test_the_page_is_complete_and_alone(tmp_path):
    text, parsed = page(tmp_path)
    assert len(set(parsed.ids)) == len(parsed.ids)
    inside = [link for link in parsed.links if link != PAPER["address"]]
    assert len(inside) < len(parsed.links)
    for link in inside:
        assert link.startswith("#")
        assert link[1:] in parsed.ids, link
    assert all(address.startswith("data:") for address in parsed.addresses)
    others = text.replace(PAPER["address"], "")
    assert "http" not in re.sub(r"http://www\.w3\.org/[^\"]*", "", others)  # name spaces are not addresses
    for label in ("thm:global_regret", "lem:VE", "lem:V_upper", "erratum:E7"):
        assert label in parsed.ids
    for word in (
        "0123456789abcdef",
        "python -m verify run erratum:E7",
        "10 more rows",
        "vacuous, not counted",
    ):
        assert word in parsed.text
    assert "expected proved (z3) or stronger, found checked (exact)" in parsed.text
    assert "<script>alert" not in text
    assert HOSTILE in parsed.text, "hostile text is shown and not obeyed"


@pytest.mark.fedigw
def test_the_first_screen_has_the_picture_that_the_paper_s_folder_names(tmp_path):
    found = document()
    assert "<img" not in report.render(tmp_path, found).split('id="errata"')[0]
    label, name = of_paper("PICTURE")
    assert name in {plot.name for plot in catalogue()[label].plots}
    found["claims"][0]["label"] = label
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / f"{file_stem(label, name)}.svg").write_text("<svg/>")
    first = report.render(tmp_path, found).split('id="errata"')[0]
    assert first.index("<img") < first.index("Scope")


def test_findings_put_the_unexpected_first():
    groups = findings(document())
    assert list(groups) == [
        "Not as expected", "Errors in the paper", "Vacuous as printed", "Stronger than the paper",
        "Beyond the paper, not proved", "Errata, repaired", "Not decided",
    ]  # fmt: skip
    assert {row["found"]["by"] for row in groups["Stronger than the paper"]} == {"z3"}
    assert {row["found"]["by"] for row in groups["Beyond the paper, not proved"]} == {"exact", "no level"}
    assert [row["claim"] for row in groups["Errors in the paper"]] == ["thm:global_regret", "erratum:E7"]
    assert [row["because"] for row in groups["Errors in the paper"]] == [["erratum:E7"], []]
    assert [c["claim"] for c in new_worst(document())] == ["thm:global_regret"]


def test_what_is_not_covered_is_named():
    named = [number for numbers in uncovered(statuses(document())).values() for number in numbers]
    missing = [s.number for s in STATEMENTS if not s.covered(catalogue())]
    assert sorted(n.split()[-1] for n in named) == sorted(n.split()[-1] for n in missing) != []


@pytest.mark.fedigw
def test_an_error_is_counted_once(tmp_path):
    """The erratum is the error; the theorem that it makes false as printed is listed as affected."""
    _, parsed = page(tmp_path)
    assert "Errors in the paper (1)" in parsed.text
    assert "Statements that are false as printed because of them:" in parsed.text
    summary = summary_text(document())
    assert "## Errata, by severity (1)" in summary
    assert "| Theorem 4.1 | `thm:global_regret` | false as printed |" in summary
    alone = document()
    alone["claims"] = alone["claims"][:1]  # without the erratum beside it, it is the error that one sees
    assert [row["because"] for row in findings(alone)["Errors in the paper"]] == [[]]


@pytest.mark.fedigw
def test_what_says_nothing_is_called_vacuous_on_every_page(tmp_path):
    _, parsed = page(tmp_path)
    summary, readme = summary_text(document()), verdict_table.table(document())
    assert "vacuous on Rd (proved, z3)" in parsed.text  # set as mathematics
    assert "vacuous: " in readme
    assert re.search(r"1\s+vacuous as printed", parsed.text)
    assert "acuous as printed: 1" in summary
    assert "it is vacuous on R^d" in summary


@pytest.mark.fedigw
def test_every_page_says_how_many_checks_did_not_run_and_counts_errata_in_the_same_words(
    outcomes, tmp_path, capsys
):
    _, parsed = page(tmp_path)
    summary, readme = summary_text(document()), verdict_table.table(document())
    words = "1 errata (errors in printed lines, each with a witness) and 0 remarks"
    shown = " ".join(parsed.text.split())
    assert "8 checks ran on 5 statements in 8 forms; 8 of 8 rejected a false statement" in shown
    assert "1 check did not run and counts for nothing." in shown
    assert "8 of 8 false controls rejected. 1 check did not run." in summary
    for text in (summary, readme):
        assert words in text
    absent = replace(outcomes[0], evidence=replace(outcomes[0].evidence, ran=False))
    fewer = [absent, *outcomes[1:]]
    print_table(results(fewer, judge(fewer), Settings()), sys.stdout)
    assert "1 check did not run." in capsys.readouterr().out
    print_table(results(outcomes, judge(outcomes), Settings()), sys.stdout)
    shown = capsys.readouterr().out
    assert "did not run" not in shown
    assert shown.count("\n") > 5
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_the_graph_links_claims_and_marks_what_is_absent():
    svg = graph.draw(document()["claims"])
    root = ElementTree.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    assert sorted(a.get("href") or "" for a in root.iter(f"{space}a")) == [
        "#lem:FedAvg_complete",
        "#lem:VE",
        "#lem:V_upper",
        "#thm:global_regret",
    ]
    assert len([p for p in root.iter(f"{space}path") if p.get("marker-end")]) == 3
    assert svg.count("stroke-dasharray") == 1  # lem:q_loss_bound is not in this campaign
    boxes = [
        tuple(float(r.get(k) or 0) for k in ("x", "y", "width", "height")) for r in root.iter(f"{space}rect")
    ]
    for i, (x, y, w, h) in enumerate(boxes):
        assert x >= 0
        assert x + w <= graph.WIDTH
        for x2, y2, w2, h2 in boxes[:i]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y, "boxes overlap"


def test_arrows_of_the_graph_are_untangled():
    """Two pairs that cross as they come do not once they are placed."""
    rows = [[graph.Node(n, n, "our own", "absent", "") for n in pair] for pair in ("ab", "cd")]
    (a, b), (c, d) = rows
    arrows = [(a, d), (b, c)]
    graph._place(rows)
    assert graph.crossings(arrows) == 1
    graph._untangle(rows, arrows)
    assert graph.crossings(arrows) == 0
    assert graph.draw([]) == ""


def test_the_summary_is_markdown_with_whole_tables():
    text = summary_text(document())
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
    assert text.index("Not as expected") < text.index("Statement by statement") < text.index("Errata, by")
    assert "probability at most 0.01" in text


def test_the_summary_shows_hostile_text_and_does_not_obey_it():
    hostile = document()
    hostile["claims"][0]["label"] = "`<img src=x onerror=alert(1)>`"
    hostile["claims"][1]["variants"][0]["variant"] = "[x](javascript:alert(1))"
    hostile["version"] = "<script>"
    text = summary_text(hostile)
    assert not re.search(r"<[a-zA-Z/!]", text)
    assert r"\[x\](javascript:alert(1))" in text
    assert r"&lt;script&gt;" in text
    assert "| `lem:VE` |" in text


def test_the_example_follows_the_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(document(), SCHEMA)


@pytest.mark.parametrize(
    "path",
    [
        ("seed",),
        ("level", "rule"),
        ("claims", 0, "kind"),
        ("claims", 0, "variants", 0, "checks", 0, "evidence", "replay"),
    ],
)
def test_the_schema_is_strict(path):
    broken = document()
    place = broken
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA)
    place[path[-1]] = {"not": "this"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Of two real checks, one with a plot and one with an instance: enough for every file a campaign writes."""
    claim = catalogue()["lem:finite_error"]
    few = replace(claim, checks=tuple(c for c in claim.checks if c.name in ("curve", "worst-sharpened")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaign, "find", lambda label: few)
        return run_campaign([claim.label], Settings(), tmp_path_factory.mktemp("campaign") / "out")


@pytest.fixture(scope="module")
def campaign_folder(outcomes, tmp_path_factory):
    folder = tmp_path_factory.mktemp("published")
    written = results(outcomes, judge(outcomes), Settings())
    write(folder, written)
    publish(folder, written)
    return folder


@pytest.mark.fedigw
def test_the_report_is_rebuilt_from_results_alone(campaign_folder, tmp_path):
    jsonschema.validate(read(campaign_folder), SCHEMA)
    made = (campaign_folder / "report.html").read_bytes()
    Page(made.decode())
    (tmp_path / "results.json").write_bytes((campaign_folder / "results.json").read_bytes())
    assert main(["report", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "report.html").read_bytes() == made
    for name in (
        "summary.md",
        "plots/lem_finite_error-curve.svg",
        "instances/lem_finite_error--worst-sharpened.toml",
    ):
        assert (tmp_path / name).read_bytes() == (campaign_folder / name).read_bytes()


@pytest.mark.fedigw
def test_instance_files_of_a_campaign_are_taken_by_exact(campaign_folder, capsys):
    path = campaign_folder / "instances" / "lem_finite_error--worst-sharpened.toml"
    assert tomllib.loads(path.read_text())["kind"] == "finite_class"
    assert main(["exact", str(path)]) == 0
    assert "total regret" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "has no results.json"),
        ("{", "damaged results.json"),
        ("[]", "damaged results.json"),
        ("[" * 200_000, "damaged results.json"),
        ("9" * 5000, "damaged results.json"),
        (
            json.dumps(document()).replace(
                '"proved", "by": "z3", "expects"', '"sure", "by": "z3", "expects"'
            ),
            "says sure (z3), but its evidence amounts to proved (z3)",
        ),
        (json.dumps(document() | {"schema": True}), "has schema True"),
        ('{"schema": 2}', "has schema 2, this reads 3"),
        (json.dumps(document() | {"made_with": {"numpy": 2}}), "has 2 for a version"),
        (json.dumps(document() | {"made_with": []}), "damaged results.json; "),
        (json.dumps(document() | {"seed": float("nan")}), "damaged results.json; "),
        (json.dumps(document() | {"seed": "\udcff"}, ensure_ascii=False), "damaged results.json; "),
        (
            json.dumps(document() | {"claims": document()["claims"] + ["x"]}),
            "damaged results.json; ",
        ),
        ('{"schema": 4}', "of a newer version"),
        (
            '{"schema": 3, "made_with": {}, "claims": [{"label": "x", "variants": [{"variant": "y"}]}]}',
            "damaged results.json; ",
        ),
    ],
)
def test_bad_results_are_one_line(content, message, tmp_path, capsys):
    if content is not None:
        (tmp_path / "results.json").write_text(content, errors="surrogateescape")
    refused(capsys, ["report", "--out", str(tmp_path)], message)
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"level": 0.00025}, "Error level of this check: 0.00025."),
        ({"verdict": "checked", "by": "float"}, "Deterministic, floating point: no error level applies."),
        ({"level": None, "figures": {"interval": "asymptotic"}}, "outside the campaign's error level."),
        ({}, ""),  # results of earlier versions say nothing
    ],
)
def test_an_error_level_is_claimed_only_where_statistics_kept_one(tmp_path, more, said):
    made = document()
    for claim in made["claims"]:
        for variant in claim["variants"]:
            for check in variant["checks"]:
                if check["evidence"]["verdict"] == "measured":
                    check["evidence"] |= more
    jsonschema.validate(made, SCHEMA)
    text = Page(report.render(tmp_path, made)).text
    for sentence in ("Error level of this", "Deterministic, floating point", "outside the campaign's error"):
        assert (sentence in text) == (bool(said) and sentence in said)
    assert said in text
    assert "fitted growth exponents excepted" in " ".join(text.split())


def test_the_report_says_how_the_answers_of_coq_were_obtained(tmp_path):
    shown = document()
    assert "Coq's answers" not in report.render(tmp_path, shown) + summary_text(shown)
    check = shown["claims"][0]["variants"][0]["checks"][0]
    check["check"] = "coq-some_theorem"
    check["evidence"]["figures"] = {"answers": "recorded", "sources": "0123456789ab", "coq": "8.16.1"}
    words = "recorded, checked on sources 0123456789ab, Coq 8.16.1"
    assert f"Coq's answers: <b>{words}</b>" in report.render(tmp_path, shown)
    assert f"Coq's answers: {words}." in summary_text(shown)
