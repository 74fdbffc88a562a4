"""The proofs: every step answers as expected, every hypothesis is needed, none is contradictory."""

from dataclasses import replace

import pytest
import sympy as sp

from bounds.proofs import (
    BadChain,
    Chain,
    Decision,
    Hypothesis,
    Report,
    Smt,
    Step,
    check_chain,
    discover_chains,
    link,
    reals,
    without,
)
from bounds.proofs.engine.chain import step_facts
from bounds.proofs.engine.links import IN_FORCE, check_links
from bounds.proofs.engine.smt import satisfiable

CHAINS = discover_chains()
REPORTS: dict[str, Report] = {}


def report(chain: Chain) -> Report:
    if chain.name not in REPORTS:
        REPORTS[chain.name] = check_chain(chain)
    return REPORTS[chain.name]


@pytest.mark.parametrize("chain", CHAINS, ids=lambda c: c.name)
def test_every_step_answers_as_expected(chain: Chain) -> None:
    result = report(chain)
    assert result.holds, {n: result.results[n].detail for n in result.failures}


@pytest.mark.parametrize("chain", CHAINS, ids=lambda c: c.name)
def test_refuted_steps_show_a_counterexample(chain: Chain) -> None:
    for step in chain.steps:
        if step.expect is Decision.REFUTED:
            assert report(chain).results[step.name].model, step.name


@pytest.mark.parametrize("name", ["H1", "H2", "H3", "H4", "H5"])
def test_deleting_a_hypothesis_is_noticed_by_a_checker(name: str) -> None:
    users = [c for c in CHAINS if any(name in s.assumes for s in c.steps)]
    shortest = min(users, key=lambda c: next(i for i, s in enumerate(c.steps) if name in s.assumes))
    assert not check_chain(without(shortest, name), stop_at_failure=True).holds


def consistent(chain: Chain, steps: tuple[Step, ...]) -> None:
    """From contradictory assumptions everything follows; a timeout of this extra question passes."""
    for step in steps:
        facts, trouble = step_facts(step, chain)
        assert trouble is None
        assert satisfiable(facts.values(), milliseconds=1500).decision is not Decision.REFUTED, step.name


@pytest.mark.parametrize("chain", CHAINS, ids=lambda c: c.name)
def test_some_steps_rest_on_no_contradiction(chain: Chain) -> None:
    consistent(chain, chain.steps[-1::-7])


@pytest.mark.long
@pytest.mark.parametrize("chain", CHAINS, ids=lambda c: c.name)
def test_no_step_rests_on_a_contradiction(chain: Chain) -> None:
    consistent(chain, chain.steps)


def test_saved_texts_are_decided_again_from_the_text_alone() -> None:
    z3 = pytest.importorskip("z3")
    chain = next(c for c in CHAINS if c.name == "joint split")
    for step in chain.steps:
        result = report(chain).results[step.name]
        solver = z3.SolverFor("QF_NRA")
        solver.from_string(result.smt2[-1])
        assert solver.check() == (z3.unsat if step.expect is Decision.PROVED else z3.sat)


def test_a_lemma_that_was_not_concluded_is_refused() -> None:
    import dataclasses

    chain = next(c for c in CHAINS if c.name == "lem:epoch_regret_bound")
    stronger = tuple(
        dataclasses.replace(h, statement=sp.Le(h.statement.lhs, h.statement.rhs / 2))
        if h.kind == "lemma"
        else h
        for h in chain.hypotheses
    )
    others = tuple(c for c in CHAINS if c.name != chain.name)
    with pytest.raises(BadChain, match="is not what"):
        link((*others, dataclasses.replace(chain, hypotheses=stronger)))
    fewer = tuple(h for h in chain.hypotheses if h.name != "H5")
    with pytest.raises(BadChain, match="needs H5"):
        link((*others, dataclasses.replace(chain, hypotheses=fewer)))


USERS = [c for c in CHAINS if any(h.kind == "lemma" for h in c.hypotheses)]


@pytest.mark.parametrize("chain", USERS, ids=lambda c: c.name)
def test_what_a_lemma_rests_on_holds_where_it_is_used(chain: Chain) -> None:
    assert not check_links(chain, CHAINS)
    facts = [h.statement for h in chain.hypotheses if h.kind in IN_FORCE]
    assert satisfiable(facts, milliseconds=1500).decision is not Decision.REFUTED


def test_a_lemma_outside_its_range_is_noticed() -> None:
    x, y, z = reals("x y z")

    def user(*facts: object, renamed: dict[sp.Symbol, object] | None = None) -> tuple[str, ...]:
        statement = sp.Ge(x, 5).subs(renamed or {})
        lemma = Hypothesis("big", "", statement, kind="lemma", source="range/big", renamed=renamed or {})
        given = tuple(Hypothesis(f"given {i}", "", f) for i, f in enumerate(facts))
        step = Step("used", statement, ("big",), "", Smt())
        chain = Chain("user", "", "here.py", (lemma, *given), (step,), ("used",))
        return tuple(check_links(chain, (source, chain)))

    def range_of(statement: object, kind: str) -> Chain:
        given = Hypothesis("range", "", statement, kind=kind)
        return Chain(
            "range", "", "here.py", (given,), (Step("big", sp.Ge(x, 5), ("range",), "", Smt()),), ("big",)
        )

    for kind in ("definition", "cited", "hypothesis"):
        source = range_of(sp.Ge(x, 5), kind)
        assert user(sp.Eq(x, 0))  # without the range, anything would follow
        assert user(sp.Ge(x, 4))
        assert not user(sp.Ge(x, 6))
        assert user(sp.Ge(x, 6), sp.Ge(z, 4), renamed={x: z})  # the range moves with the name
        assert not user(sp.Ge(z, 6), renamed={x: z})
    # A definition with an inner symbol says which x exist: x = 5 + y^2 leaves out x < 5.
    source = range_of(sp.Eq(x, 5 + y**2), "definition")
    assert user(sp.Ge(x, 4))
    assert not user(sp.Ge(x, 5))


def test_a_cycle_between_chains_is_refused() -> None:
    import dataclasses

    ve = next(c for c in CHAINS if c.name == "lem:VE")
    itself = next(h for c in CHAINS for h in c.hypotheses if h.source == "lem:VE/VE")
    others = tuple(c for c in CHAINS if c.name != "lem:VE")
    with pytest.raises(BadChain, match="a cycle"):
        link((*others, dataclasses.replace(ve, hypotheses=(*ve.hypotheses, itself))))


def test_the_mean_of_a_supremum_bounds_a_fixed_policy_and_not_one_that_reads_the_data() -> None:
    """Erratum E1: for a policy that depends on the data S[Reg] varies with them, and the printed step is not proved."""
    halves = [c for c in CHAINS if c.name.startswith("lem:true_virtual_loss fixed policy")]
    assert len(halves) == 2
    for chain in halves:
        assert report(chain).holds
        reads = tuple(replace(h, fixes={}) if h.name == "fixed policy" else h for h in chain.hypotheses)
        found = check_chain(replace(chain, hypotheses=reads), stop_at_failure=True)
        assert found.failures[0] == "mean of a member"
