"""Every package is importable and says what it is."""

import importlib

import pytest


@pytest.mark.parametrize("package", ["bounds", "fedigw", "finite_class", "linear", "verify"])
def test_package_has_a_description(package: str) -> None:
    assert importlib.import_module(package).__doc__
