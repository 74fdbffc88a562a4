"""Generate pages of the documentation: python -m verify.pages.NAME writes the page NAME."""
