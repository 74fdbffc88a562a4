"""A small campaign's results for tests of the report: every group of findings, hostile text, real figures."""

from typing import Any

from verify.campaign.judgement import judge
from verify.campaign.outcome import Outcome
from verify.campaign.results import results
from verify.campaign.units import Settings
from verify.catalogue import catalogue
from verify.claim import Evidence, Verdict, fields

LONG_NAME = "Induction.lem_" + "epoch_regret_bound_" * 5  # a word wider than a phone
HOSTILE = '<script>alert("x")</script> & |F| \\ "quoted"'


def evidence(kind: Verdict, summary: str = "found", **more: Any) -> dict[str, Any]:
    body = {
        **fields(kind, [Evidence(kind, summary)]),
        "summary": summary,
        "figures": {},
        "vacuous": False,
        "replay": None,
        "instance": None,
    }
    return body | more


def check(claim: str, variant: str, kind: Verdict, summary: str = "found", **more: Any) -> dict[str, Any]:
    control = evidence(Verdict.EXACT if kind is Verdict.REFUTED else Verdict.REFUTED, "the control")
    return {
        "claim": claim,
        "check": f"check-{variant}",
        "variant": variant,
        "about": "what it does",
        "evidence": evidence(kind, summary, **more),
        "control": control,
        "control_ok": True,
        "failure": None,
    }


def variant(claim: str, name: str, kind: Verdict, summary: str = "found", **more: Any) -> dict[str, Any]:
    met, nothing = more.pop("met", True), more.pop("nothing", "")
    return {
        "variant": name,
        "formula": r"\mathrm{Reg}(T) \le \sqrt{\tfrac{14}{9} K M T \ln|\mathcal{F}|/\kappa}",
        "hypotheses": ["H4 gamma^l = sqrt(Kbar^{l-1}/e_{l-1})", "H5 gamma^{l-1} <= gamma^l"],
        "tight": False,
        "vacuous": nothing,
        **fields(kind, [Evidence(kind, summary)]),
        "expects": kind.fields,
        "met": met,
        "problems": [] if met else ["expected proved (z3) or stronger, found checked (exact)"],
        "checks": [check(claim, name, kind, summary, **more)],
    }


def claim(label: str, section: str, *variants: tuple[Any, ...], **more: Any) -> dict[str, Any]:
    """Return a claim as a dictionary. A variant is given by its name, kind, summary and whatever differs from the
    usual."""
    body = {
        "label": label,
        "kind": {"thm": "theorem", "lem": "lemma"}.get(label[:3], "erratum"),
        "title": f"title of {label}",
        "section": section,
        "statement": f"{label}. A statement about E^l:\n\n    Reg(T) <= sum_l E^l\n\nAn upper bound.",
        "reference": "",
        "tags": ["regret"],
        "depends": [],
        "errata": [],
        "variants": [variant(label, *said[:3], **dict(*said[3:])) for said in variants],
    }
    return body | more


def document() -> dict[str, Any]:
    instance = {"kind": "finite_class", "horizon": 2, "truth": 0, "functions": [[["1"]]]}
    instance |= {"agents": [{"contexts": ["1"]}]}
    wide = {f"a_column_with_a_name_{j}": 0.123456 for j in range(12)}  # wider than a page
    rows = [{"n": i, "risk": 1 / (i + 1), **wide, "verdict": "measured"} for i in range(50)]
    replay, new = {"replay": "python -m verify run erratum:E7"}, {"figures": {"new": True}}
    erratum = {
        "place": "Section 4.1, gamma^l = O(.)",
        "severity": "hypothesis",
        "order_survives": "yes, with this hypothesis",
        "repair": "gamma^l = sqrt(K/e_{l-1})",
        "about": ["thm:global_regret"],
        "printed": True,
        "regime": "",
    }
    claims = [
        claim(
            "thm:global_regret",
            "General theorem",
            ("printed", Verdict.REFUTED, HOSTILE, replay),
            ("sharpened", Verdict.EXACT, "sharp", new | {"instance": instance}),
            depends=["lem:VE", "lem:V_upper"],
            errata=["erratum:E7"],
        ),
        claim(
            "lem:VE",
            "Lemmas",
            ("printed", Verdict.Z3, "found", {"met": False}),
            ("best", Verdict.MEASURED, "found", {"figures": {"rows": rows}}),
            depends=["lem:q_loss_bound"],
        ),
        claim("lem:V_upper", "Lemmas", ("printed", Verdict.UNDECIDED, "found", {"vacuous": True})),
        claim(
            "lem:FedAvg_complete",
            "Federated learning",
            ("printed", Verdict.Z3, "no problem meets it", {"nothing": "on R^d"}),
            ("sharpened", Verdict.Z3, "a sharp rate"),
        ),
        claim(
            "erratum:E7",
            "Errata",
            ("printed", Verdict.REFUTED, "gamma = 0"),
            ("repaired", Verdict.EXACT, LONG_NAME, {"ran": False}),
            erratum=erratum,
        ),
    ]
    variants = [v for c in claims for v in c["variants"]]
    return {
        "schema": 3,
        "version": "0.1.0",
        "code": "0123456789abcdef",
        "made_with": dict.fromkeys(("python", "numpy", "scipy", "blas", "processor"), "old"),
        "profile": "quick",
        "seed": 0,
        "family_level": 0.01,
        "level": {"family": 0.01, "check": 0.0001, "rule": "equal shares"},
        "summary": {
            "verdicts": {
                str(kind): sum(Verdict.of(v) is kind and not v["vacuous"] for v in variants)
                for kind in Verdict
            },
            "vacuous": 1,
            "expectations_met": 8,
            "expectations": 9,
            "controls_told_apart": 8,
            "controls": 8,
            "checks_not_run": 1,
        },
        "claims": claims,
    }


def whole_document() -> dict[str, Any]:
    """Return the results of a campaign that finds every claim of the catalogue as it expects."""
    outcomes = []
    for claim in catalogue().values():
        for check in claim.checks:
            expected = claim.variants[check.variant].expects
            control = Evidence(Verdict.EXACT if expected is Verdict.REFUTED else Verdict.REFUTED, "control")
            found = Evidence(expected, check.about or "found")
            outcomes.append(Outcome(claim.label, check.name, check.variant, found, control))
    return results(outcomes, judge(outcomes), Settings())
