"""Inputs that new users typed, and what the answer must tell them: what it is here, or what to type instead."""

import shlex

import numpy as np
import pytest
from refused import refused

import verify
from bounds.errors import InputError
from verify import bound, plan
from verify.cli import main

LINEAR = "simulate examples/linear.toml --replications 2 "
PLAN = "plan -M 200 -K 5 -T 1000 -d 5 "


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param(
            "show regret",
            "title of thm:global_regret (Theorem 4.1), col:finite (Corollary 4.2)",
            marks=pytest.mark.fedigw,
        ),
        ("show FedIGW", "thm:global_regret (Theorem 4.1)"),
        ("show zzz", "`python -m verify list` prints the paper's statements"),
        ("show E11 --json", "python -m verify show --help"),
        ("run all", "`python -m verify all` checks every claim"),
        ("check examples/own/heavy_ball.py:Foo", "has no class Foo"),
        ("bound col:finite --set m=100 K=10 T=1000 F=10", "did you mean 'M'?"),
        ("bound col:finite --set M=100 agents=10", "agents=10: is M, which is given twice"),
        ("bound col:finite --set M=100 K=10", "give T, F, e.g. --set T=1e6 F=1000"),
        ("bound thm:global_regret --set M=100 K=10 T=1000", "e(n) = A/n, another one is given by --risk"),
        ("bound col:linear --quantity communication --set M=1", "did you mean 'numbers' or 'rounds'?"),
        (LINEAR + "--protocol fedadam", "did you mean 'fedopt'?"),
        (LINEAR + "--policy egreedy", "did you mean 'epsilon_greedy'?"),
        (LINEAR + "--set K=5", "arms cannot be set in a file that lists its world"),
        (LINEAR + "--set rounds=5", "direct has no rounds; these protocols have: "),
        (LINEAR + "--set learning_rate=[1,2,3]", "one for each epoch from 2 on, of 17 epochs"),
        (LINEAR + "--set learning_rate=bset", "did you mean 'best'?"),
        (
            LINEAR + "--protocol fedavg --set tolerance=1e-6,T=4096",
            "above 1e+12: give a larger tolerance or a smaller horizon",
        ),
        ("plan -M 10 -K 5 -T 1000", "give --dimension for linear rewards, or --class-size"),
        ("plan -M 10 -K 5 -T 1000 -d 5 -F 5", "not both"),
        (PLAN + "--malicious 150", "no rule can tell who is honest; at most 99"),
        (PLAN + "--malicious 10%", "a number of agents, e.g. 20, or 0"),
        (PLAN + "--bytes-limit 10MB", "a number of bytes, e.g. 1e7"),
        (PLAN + "--private", "write --epsilon 1 "),
        ("show 'Corolary 4.2'", "did you mean 'Corollary 4.2'?"),
        ("show 4.1.", "did you mean '4.1'?"),
        ("bound 4.2 M=10 K=5", "put --set before them: --set M=10 K=5 "),
        ("bound 4.2 --set M=100 T=100k", "write 100e3"),
        ("bound 4.2 --set M=1.000.000", "write 1000000"),
        ("bound 4.2 --set M=100, K=10", "write 100"),
        ("plan -M 10 -K 5 -d 5 -T 100.000", "write 100 or 100000, whichever is meant"),
        (LINEAR + "--set horizon=1.000", "write 1 or 1000, whichever is meant"),
        (LINEAR + "--set learning_rate=adaptive delta=5%", "write 0.05"),
        (LINEAR + "--set learning_rate = best", "write learning_rate=best"),
        (LINEAR + "--plot /nosuch/dir/x.png", "there is no folder /nosuch/dir"),
        (PLAN + "--epsilon 2,5", "write 2.5"),
        (PLAN + "--privacy 2", "write --epsilon 2 "),
        pytest.param("cite col:finite best", "write --variant best", marks=pytest.mark.fedigw),
        pytest.param(
            "cite col:finite --variant all", "known: best, calls, printed", marks=pytest.mark.fedigw
        ),
        ("sweep examples/linear.toml --vary horizon=8 --protocol direct agd", "write --protocol direct,agd"),
        ("search lem:foo", "has no search; these have: "),
        ("show Theorem", "which one? Theorem 4.1"),
        ("prove 'pi > 3'", "pi is no known number here"),
        ("prove '(x+y)**2 >= 4xy'", "write 4*x*y for 4xy"),
        ("prove 'e**x >= 1+x'", "write exp(x) for e**x"),
        ("prove '0,5*x <= x'", "write 0.5 for 0,5"),
        ("prove 'x > 0, y > 0'", "one inequality at a time"),
        ("prove ''", "inequality: is empty: it must be an inequality or an equation, e.g. "),
        ("prove 'x^2 >= 2x - 1'", "write ** for ^; write 2*x for 2x"),
        ("prove 'log(1+x) =< x'", "write <= for =<"),
        ("prove 'log(1+x) <= x given x >= 0'", 'after it: --given "x >= 0"'),
        ("simulate linear.toml", "did you mean examples/linear.toml?"),
        ("simulate examples/liner.toml", "did you mean examples/linear.toml?"),
        (LINEAR + "--horizon 1000", "write --set horizon=1000 "),
        ("sweep examples/linear.toml --vary horizon=64..256", "list the values: horizon=64,128,256"),
        pytest.param("list 4.2", "is one statement: `python -m verify show '4.2'`", marks=pytest.mark.fedigw),
        ("help", "`python -m verify --help` prints the commands"),
        ("show", 'example: python -m verify show "Corollary 4.2"'),
        ("plan 10 5 1e5", "example: python -m verify plan --agents 50"),
        ("show lemma 4.3", 'in quotes if it has blanks: "lemma 4.3"'),
        ("show 'lemma 4.3' 'theorem 4.1'", "unrecognized arguments: theorem 4.1; one at a time (see "),
        ("completion bash zsh", "unrecognized arguments: zsh; one at a time (see "),
        (
            "simulate bounds/errors.py",
            "is Python; in place of it name a file such as examples/linear.toml, then ",
        ),
        (
            "sweep examples/linear.toml --vary horizon=8 --plot x.svg",
            "--out DIR makes a folder with the picture",
        ),
        (
            LINEAR + "--protocol direct --set protocol=fedavg",
            "protocol is set by --protocol too; give one of them",
        ),
        (
            "--paper examples/papers/squarecb/paper.toml list",
            "name its folder: --paper ./examples/papers/squarecb",
        ),
        ("bound 4.1 --risk -1/n --set M=2 K=2 T=9", "or --risk=VALUE if it begins with -"),
        ("sweep examples/linear.toml --vary horizon=64,,8", "has a comma too many: horizon=64,8"),
        ("--paper squarecb show E1", "this paper has no errata here"),
        pytest.param(
            "new claim lem:mine", "name its folder, --paper ./FOLDER, or a claim", marks=pytest.mark.fedigw
        ),
        ("data remove bibtex", "data = remove: unknown; known: add, list"),
        ("data add bibtex examples/linear.toml", "must end in .arff: write data add bibtex bibtex.arff"),
        ("papers fedigw", "papers takes options only"),
        (PLAN + "--protocol fedavg", "--protocol is an option of bound, fit, simulate, sweep"),
        ("bound 4.2 --set 'M=10; K=5'", "separate by blanks: --set M=10 K=5"),
        (LINEAR + "--set 'horizon=64; seed=1'", "separate by blanks: --set horizon=64 seed=1"),
        (LINEAR + "--set horizon", "must be KEY=VALUE, e.g. horizon=1000"),
        (
            "bound 4.2 --instance examples/linear.toml",
            "python -m verify bound thm:global_regret --instance examples",
        ),
        (LINEAR + "--protocol dislinucb", "is a system, not a protocol: --system dislinucb"),
        (LINEAR + "--system fedavg", "is a protocol of FedIGW: --protocol fedavg"),
        (LINEAR + "--policy thompson", "take one that does, such as direct_covariance"),
        ("simulate examples", "is a folder; name a file in it"),
        ("simulate x/zzz.toml", "an example is examples/linear.toml"),
        ("sweep examples/linear.toml --vary horizon", "e.g. horizon=64,256"),
        ("sweep examples/linear.toml --vary horizon=64 --vary horizon=128", "write horizon=64,128"),
        (
            "sweep examples/linear.toml --vary agents=2,4",
            "--set environment.agents=20 of examples/rivals.toml",
        ),
        ("new protocol verify", "is a package of this program: choose another, e.g. my_verify"),
        ("list theorems", "`python -m verify list` prints the paper's theorems"),
        pytest.param("list --tag zzz", "with a word: errata, remarks, regret, ", marks=pytest.mark.fedigw),
        ("list erata", "did you mean 'errata'?"),
        ("search", "name some, or `all`, which takes minutes"),
        (
            "fit examples/dataset.toml --protocol robust_predictions",
            "learns predictions, not one estimate; use ",
        ),
        ("bound col:finite --set M=2 K=2 T=1,000 F=2", "; write 1000"),
        ("plan -M 10 -K 5 -T 5*10^6 -d 5", "; write 5e6"),
        ("bound col:finite --set M=2 K=2 T=1e5000 F=2", "at most 1e300"),
        ("bound col:finite --set =3", "must be NAME=VALUE"),
        ("bound col:finite --set Μ=2", "Μ is greek capital letter mu; known: F, K, M, T"),
        ("bound col:finite --solve-for T", "known: --help, --instance, --json, "),
        (
            LINEAR + "--set policy.epsilon=0.1",
            "policy.name: missing: this key is required; one of adaptive_greedy, ",
        ),
        (LINEAR + "--policy softmax --set temperature=1", "policy softmax has it: policy.temperature"),
        (LINEAR + "--protocol direct,agd", "give one of them"),
        (LINEAR + "--set attack={name=sign_flip}", "attack = {name=sign_flip}: not valid TOML: "),
        (LINEAR + "--set horizon=5 T=6", "horizon is set twice, by horizon and T"),
        (LINEAR + "-n 5", "known: -h, --help, --protocol, "),
        (LINEAR + "--runs 5", "did you mean '--replications'?"),
        ("simulate examples/linear.toml examples/rivals.toml", "one at a time"),
        ("sweep examples/linear.toml --vary horizon=64 128", "join the values: horizon=64,128"),
        ("sweep examples/linear.toml --vary horizon=64 --set data=all", "write --vary data=all"),
        ("fit examples/dataset.toml --set learning_rate=1 --protocol fedavg", "did you mean 'step_size'?"),
        ("plan -M 10 -K 5 -T 1000 --features 5", "did you mean '--dimension'?"),
        (PLAN + "--page plan.pdf", "must end in .html"),
        ("badge E6 --out badge.svg", "write > FILE at the end"),
        ("run examples/linear.toml", "`python -m verify simulate examples/linear.toml`"),
        ("run examples", "is a folder; name a file.py in it"),
        ("new claim numpy", "choose another, e.g. my_numpy"),
        ("prove 'a = b'", "write == for ="),
        ("prove '|x| >= 0'", "write Abs(x) for |x|"),
        ("prove 'sqrt x >= 0'", "write sqrt(x) for sqrt x"),
        ("prove 'for all x: x >= 0'", "leave out the quantifier"),
        ("prove 'x**y >= 0'", "write exp(y*log(x)) for x**y"),
        ("prove 'x >='", "e.g. a + b >= 2*sqrt(a*b)"),
        ("prove 'x >= 0 and y >= 0'", "one inequality at a time"),
        ("prove 'lambda >= 0'", "write lam"),
        ("prove '√x >= 0'", "write sqrt(x)"),
        ("prove 'x >= 0' 'x >= 1'", "put --given before them: --given 'x >= 1'"),
        ("sweep examples/dataset.toml --vary horizon=64", "is for `fit`"),
        (LINEAR + "--set seed=5", "it is an option: --seed"),
        ("show 4.1,4.2", "give one of them"),
        ("show col:finite/best@0123abcd", "did you mean 'col:finite'?"),
        ("check examples/own/heavy_ball", "did you mean examples/own/heavy_ball.py?"),
        ("--verison", "did you mean '--version'?"),
    ],
)
def test_a_wrong_input_is_answered_by_what_to_type(line, words, capfd):
    said = refused(capfd, shlex.split(line), words)
    assert len(said) < 320
    assert not any(
        riddle in said for riddle in ("= present", "= missing", "= neither", "= nothing", "= None")
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("show 4.2", "Corollary 4.2"),
        ("show D.8", "Corollary D.8"),
        ("bound col:finite --set M=100,K=10,T=1000,F=10", "592547"),
        ("bound col:finite --set agents=100 arms=10 horizon=1000 class_size=10", "592547"),
        ("bound col:finite --set M=100 K=1 T=1000 '|F|=10'", "One arm: there is nothing to choose"),
        ("bound col:finite --set 'M = 100' 'K = 1' T=1000 F=10", "One arm: "),
        ("prove 'max(x, 0) >= 0'", "proved"),
        ("bound col:finite --latex", "2 M + 37.56"),
        ("prove 'ln(1+x) <= x' --given 'x >= 0'", "proved"),
        ("prove 'x² ≥ x' --given 'x ≥ 1'", "proved"),
        (LINEAR.replace("2 ", "2e0 ") + "--seed 1e3", "seed 1000"),
        pytest.param("list errata", "Corollary 4.2 leaves out", marks=pytest.mark.fedigw),
        (LINEAR + "--set T=64 gamma=9", "regret"),
        ("simulate examples/rivals.toml --replications 2 --set M=3 K=4 d=2 T=64", "regret"),
        ("plan -M 10 -K 5 -T 1000 -d 5", "agents 10, arms 5, horizon 1000, dimension 5"),
    ],
)
def test_every_name_of_a_size_is_understood(line, words, few_worlds, capfd):
    assert main(shlex.split(line)) == 0
    assert words in capfd.readouterr().out


def test_a_protocol_is_no_claim_and_the_answer_says_where_it_belongs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "protocol", "mine"]) == 0
    (written,) = tmp_path.glob("*.py")
    capsys.readouterr()
    refused(capsys, ["run", written.name], "simulate --protocol")


LINES = """kind = "linear"
horizon = 8
parameter = ["3/5"]
features = [[["1"], ["0"]]]
[[agents]]
contexts = ["1"]
"""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "kind: missing: this key is required; one of finite_class, linear, "),
        ('{"kind": "linear"}', 'is JSON; write TOML, e.g. kind = "linear"'),
        (LINES.replace("[[agents]]", "[agents]"), "must be a non-empty list: one table [[agents]] for each"),
        (LINES + "arms = [0, 7]", "agents[0].arms = [0, 7]: is for contexts without listed features"),
        (LINES.encode("utf-16"), "is not text in UTF-8"),
        (LINES + "schedule = [2, 8]", "write schedule above the first [[agents]]"),
    ],
)
def test_a_wrong_file_is_answered_by_what_to_write(content, words, tmp_path, capfd):
    path = tmp_path / "mine.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    refused(capfd, ["simulate", str(path)], words)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path, capfd):
    path = tmp_path / "mine.toml"
    path.write_text(LINES, encoding="utf-8-sig")
    assert main(["simulate", str(path), "--replications", "2"]) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: verify.show(7), "claim = 7: must be a string"),
        (lambda: verify.plan(10, 5, 1000, dimension=5, epsilon="x"), "epsilon = 'x': must be a number"),
        (lambda: verify.simulate("examples/linear.toml", seed="x"), "seed = 'x': must be an integer"),
        (lambda: verify.run("zzz"), "`list --all` every claim"),
        pytest.param(
            lambda: verify.sides("lem:V_upper", contexts=[1], estimate=[[1, 0]], rate=9, policy=[[1, 0]]),
            "takes contexts (X,), estimate (X, K), rate, policy (X,), arms",
            marks=pytest.mark.fedigw,
        ),
    ],
)
def test_python_is_answered_by_the_name_of_the_argument(call, words):
    with pytest.raises(InputError) as error:
        call()
    assert words in str(error.value)


def test_a_wrong_name_of_a_verb_is_answered_by_the_nearest():
    with pytest.raises(AttributeError, match="did you mean 'simulate'"):
        verify.simulte  # noqa: B018


def test_python_has_the_same_names():
    by_symbol = bound("col:finite", "best", M=10, K=5, T=1000, F=10)
    assert (
        bound("col:finite", "best", agents=10, arms=5, horizon=1000, class_size=10).value == by_symbol.value
    )
    assert plan(10, 5, 1e3, dimension=5).answer == plan(np.int64(10), 5, 1000, dimension=5).answer
    with pytest.raises(InputError, match=r"^class of functions: give "):
        plan(10, 5, 1000)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("kind = linear", 'write kind = "linear"'),
        ("horizon = 100,000", "write horizon = 100000"),
        ("horizon = 100.000", "write 100 or 100000, whichever is meant"),
        ("[agents]\n[agents]", "write [[agents]] above each agent"),
        ("privacy = {epsilon = 1}", "{epsilon = 1, delta = 1e-5}"),
    ],
)
def test_a_line_of_a_file_is_answered_by_what_to_write(line, words, tmp_path, capsys):
    file = tmp_path / "mine.toml"
    file.write_text(f"{line}\n{LINES}")
    refused(capsys, ["simulate", str(file)], words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = = 1", "mine_7.py, line 1: SyntaxError: invalid syntax"),
        ("x = 1", "must define claim = Claim(...)"),
        ("raise SystemExit", "line 1: SystemExit"),
    ],
)
def test_a_file_without_a_claim_is_not_run(text, words, tmp_path, capfd):
    file = tmp_path / f"mine_{len(text)}.py"  # a process knows a claim by the name of its file
    file.write_text(text)
    assert refused(capfd, ["run", str(file)], words).count("line 1") <= 1
