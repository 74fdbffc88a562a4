"""The screen that a campaign ends with: at most thirty lines, surprises first, every statement once."""

import copy
import re

from report_example import whole_document

from verify.paper import STATEMENTS
from verify.report.brief import screen


def test_one_screen_names_every_statement_and_where_to_read() -> None:
    lines = screen(whole_document(), "build/verify")
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 100
    text = " ".join(" ".join(lines).split())
    assert re.search(r"All \d+ verdicts are as expected", text)
    assert all(s.number.partition(" ")[2] in text for s in STATEMENTS if s.numbered)
    assert lines[-2] == "Read build/verify/report.html"


def test_what_is_not_as_expected_comes_first() -> None:
    spoilt = copy.deepcopy(whole_document())
    spoilt["claims"][0]["variants"][0] |= {"met": False, "problems": ["found something else"]}
    lines = screen(spoilt, "out")
    assert lines[1] == "NOT AS EXPECTED:"
    assert "found something else" in lines[2]
