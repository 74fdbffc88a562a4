"""Find the folders that are installed with the packages: `proofs` and `examples`."""

from pathlib import Path

HERE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the folder `proofs` or `examples`: next to the packages, or in an installation inside this package."""
    copy = HERE / "shipped_files" / name
    return copy if copy.is_dir() else HERE.parent / name


def example(path: Path) -> Path:
    """Return `path`; if it does not exist here but begins with examples/, return the shipped file of that name."""
    if not path.exists() and path.parts[:1] == ("examples",):
        return folder("examples").joinpath(*path.parts[1:])
    return path
