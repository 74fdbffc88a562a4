"""Generated pages are what the code generates."""

from pathlib import Path

from verify.claims_page import page

ROOT = Path(__file__).resolve().parent.parent


def test_the_catalogue_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "claims.md").read_text() == page(), "run `make docs`"
