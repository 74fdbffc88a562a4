"""verify new paper: statements of TeX files with the numbers that LaTeX prints, and folders one can fill."""

from pathlib import Path

import pytest
from refused import answered, refused

from verify import tex
from verify.cli import main

# Shared counters, restatements by reference, an appendix, \input, comments, an unlabelled remark, no number at all.
ARTICLE = {
    "article.tex": r"""\documentclass{article}
\title{On sums \thanks{nobody}}
\author{Ada Lovelace \and Emmy Noether}
\newtheorem{theorem}{Theorem}[section]
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{fact}{Basic Fact}
\newtheorem*{idea}{Idea}
\newtheorem{remark}[theorem]{Remark}
\begin{document}
\section*{Foreword} \section{One}
% \begin{theorem} not this one
\begin{lemma}[Two terms]\label{lem:two}
  \begin{equation}\label{eq:sum} 1 + 1 = 2 \end{equation}
\end{lemma}
\begin{idea} without a number \end{idea}
\begin{fact}\label{basic} A label without a colon; 50\% of it. \end{fact}
\section{Two}
\begin{verbatim}
\begin{theorem} nor this \end{theorem}
\end{verbatim}
\begin{theorem}\label{thm:main} See \ref{lem:two} and \eqref{eq:sum}. \end{theorem}
\begin{remark} no label \end{remark}
\input{rest}
\end{document}
""",
    "rest.tex": r"""\appendix
\section{Proofs}
\begin{theorem}[Restatement of Theorem~\ref{thm:main}]\label{thm:main_again}
x
\end{theorem}
\begin{fact} in the appendix \end{fact}
""",
}
# thmtools, counters inside subsections, restatable, \numberwithin, a chapter-less document class of its own.
TOOLS = r"""\documentclass{jmlr}
\declaretheorem[name=Theorem, numberwithin=subsection]{thm}
\declaretheorem[sibling=thm, name=Proposition]{prop}
\newtheorem{step}{Step}
\numberwithin{step}{section}
\begin{document}
\section{A}\subsection{B}\subsection{C}
\begin{restatable}[Main]{thm}{main}\label{thm:m} 1 \end{restatable}
\begin{prop} 2 \end{prop}
\begin{step}\label{step:a b} 3 \end{step}
\section{D}
\begin{step} 4 \end{step}
\begin{corollary}\label{cor:class} defined by the class \end{corollary}
\subsection{E}
\begin{prop}\label{prop:p} by \cref{thm:m,cor:class} \end{prop}
\main*
\end{document}
"""
# Short names for statements, counters that are set and printed in another way.
SHORT = r"""\documentclass{amsart}
\newtheorem{thm}{Theorem}[section]
\newtheorem{lem}[thm]{Lemma}
\newtheorem{main}{Theorem}
\renewcommand{\themain}{\Alph{main}}
\newtheorem{fact}{Fact}
\counterwithin{fact}{section}
\renewcommand\thefact{\thesection(\roman{fact})}
\newcommand{\bl}{\begin{lem}}
\newcommand{\el}{\end{lem}}
\newcommand{\named}[1]{\begin{lem}[#1]}
\def\be{\begin{equation}} \def\ee{\end{equation}}
\newenvironment{step}
  {\begin{thm}}
  {\end{thm}}
\begin{document}
\section{One}
\begin{main}\label{thm:main} 1 \end{main}
\bl\label{lem:short} \be\label{eq:x} 2 \ee \el
\bleak
\begin{step}[Theorem 3 in \citet[p.~1]{roe2020}]\label{thm:step}
3
\end{step}
\setcounter{thm}{6}\addtocounter{thm}{-1}
\bl 4 \el
\begin{fact} 5 \end{fact} \begin{fact} 6 \end{fact}
\end{document}
"""


def written(place: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (place / name).write_text(text)
    return place / next(iter(files))


def test_numbers_and_lines_of_an_article(tmp_path):
    rows = tex.read(written(tmp_path, ARTICLE))
    assert [(r["number"], r["label"], r["lines"], r["again"], r["refers"]) for r in rows] == [
        ("Lemma 1.1", "lem:two", [12, 14], None, []),
        ("Basic Fact 1", "basic", [16, 16], None, []),
        ("Theorem 2.1", "thm:main", [21, 21], None, ["lem:two"]),
        ("Remark 2.2", None, [22, 22], None, []),
        ("Theorem A.1", "thm:main_again", [3, 5], "thm:main", []),
        ("Basic Fact 2", None, [6, 6], None, []),
    ]
    assert [row.get("file") for row in rows] == [None] * 4 + ["rest.tex"] * 2


def test_numbers_of_thmtools(tmp_path):
    rows = tex.read(written(tmp_path, {"tools.tex": TOOLS}))
    numbers = [row["number"] for row in rows]
    assert numbers == [
        "Theorem 1.2.1",
        "Proposition 1.2.2",
        "Step 1.1",
        "Step 2.1",
        "Corollary 1",
        "Proposition 2.1.1",
    ]
    assert rows[-1]["refers"] == ["cor:class", "thm:m"]
    assert rows[0]["restated"] == [16]


def test_numbers_behind_short_names_and_of_counters_that_are_set(tmp_path):
    rows = tex.read(written(tmp_path, {"short.tex": SHORT}))
    assert [(r["number"], r["label"], r["lines"], r["title"]) for r in rows] == [
        ("Theorem A", "thm:main", [18, 18], ""),
        ("Lemma 1.1", "lem:short", [19, 19], ""),
        ("Theorem 1.2", "thm:step", [21, 23], "Theorem 3 in [roe2020]"),
        ("Lemma 1.6", None, [25, 25], ""),
        ("Fact 1(i)", None, [26, 26], ""),
        ("Fact 1(ii)", None, [26, 26], ""),
    ]


def test_letters_with_accents_stay_letters(tmp_path):
    head = r"\title{On {\L}ojasiewicz \'a la \v{S}id\'{\i}k} \author{D\'avid P{\'a}l \and K.~G\"odel}"
    source = written(tmp_path, {"article.tex": head + ARTICLE["article.tex"], "rest.tex": ""})
    assert tex.heading(source) == ("On Łojasiewicz á la Šidík", "Dávid Pál, K. Gödel")


def test_a_hash_is_of_the_text_and_not_of_its_layout(tmp_path):
    def hashes(old: str = "", new: str = "") -> list[str]:
        return [row["hash"] for row in tex.read(written(tmp_path, {"tools.tex": TOOLS.replace(old, new)}))]

    before = hashes()
    assert hashes(" 2 ", "  2 % two\n") == before
    changed = hashes(" 2 ", " 3 ")
    assert [a == b for a, b in zip(before, changed, strict=True)] == [True, False, True, True, True, True]


def test_a_folder_from_the_first_minute(tmp_path, monkeypatch, capfd):
    """It is listed and reported with nothing covered; a second time only what changed is said."""
    monkeypatch.chdir(tmp_path)
    source = written(tmp_path, ARTICLE)
    assert main(["new", "paper", "article.tex"]) == 0
    assert (
        "6 statements found, 1 of them restated; 2 are theorems, corollaries, lemmas or propositions"
        in capfd.readouterr().out
    )
    about = (tmp_path / "article" / "paper.toml").read_text()
    assert 'title = "On sums"\nauthors = "Ada Lovelace, Emmy Noether"' in about
    assert main(["--paper", "./article", "all", "--out", "out"]) == 0
    first, second = capfd.readouterr().out.splitlines()[:2]
    assert first.startswith("0 of 2 theorems and lemmas checked")
    assert second == "Nothing was checked: no statement has a claim yet."
    assert "<h1>On sums</h1>" in (tmp_path / "out" / "report.html").read_text()
    assert main(["--paper", "./article", "new", "claim", "lem:two"]) == 0
    assert "article/claims/lem_two.py" in capfd.readouterr().out
    assert 'section="Lemmas"' in (tmp_path / "article" / "claims" / "lem_two.py").read_text()
    assert main(["--paper", "./article", "run", "lem:two"]) == 1, "undecided until it is filled in"
    assert "undecided" in capfd.readouterr().out
    for label, said in (("lem:two", "exists already"), ("lem:x", "is not a statement of the paper article")):
        refused(capfd, ["--paper", "./article", "new", "claim", label], said)
    labels = [row["label"] for row in answered(capfd, "--paper", "./article", "list")]
    assert sorted(labels) == ["fact:2", "fact:basic", "lem:two", "rmk:2-2", "thm:main"]
    assert main(["--paper", "./article", "show", "A.1"]) == 0
    assert "not covered: no claim has been written for it yet" in capfd.readouterr().out
    (tmp_path / "article" / "claims" / "lem_two.py").unlink()
    source.write_text(source.read_text().replace("See", "Look at"))
    assert main(["new", "paper", "article.tex"]) == 0
    assert "Theorem 2.1: its text changed since it was read\n" in capfd.readouterr().out
    source.write_text(source.read_text().replace(r"\begin{remark} no label \end{remark}", ""))
    assert main(["new", "paper", "article.tex"]) == 0
    assert "Remark 2.2: gone; take it out of article/statements.toml" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (ARTICLE["article.tex"].replace(r"\end{lemma}", ""), r"line 12: \begin{lemma} is not closed"),
        (TOOLS.replace(r"2 \end{prop}", "2"), r"line 9: \begin{prop} is not closed"),
        (r"\title{On sums \begin{theorem} 1 \end{theorem}", r"\title{ is not closed"),
        (r"\input{../secret}", r"\input{../secret} is outside the folder"),
        (r"\input{bad}", r"\input is nested more than 20 deep"),
        (r"\input{nothing}", "cannot be read: No such file"),
        ("nothing", "has no theorem, lemma or other numbered statement"),
    ],
)
def test_a_source_that_cannot_be_read_is_one_line(source, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, {**ARTICLE, "bad.tex": source})
    refused(capsys, ["new", "paper", "bad.tex"], said)
    assert not (tmp_path / "bad").exists()


def test_names_that_are_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, {"fedigw.tex": TOOLS, "1.tex": TOOLS})
    refused(capsys, ["new", "paper", "fedigw.tex"], "a paper is called fedigw already")
    refused(capsys, ["new", "paper", "1.tex"], "must be called by letters")
    refused(capsys, ["new", "paper", "fedigw"], "must be the TeX source")
