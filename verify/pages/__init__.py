"""Generated documentation: python -m verify.pages.NAME writes one page."""
