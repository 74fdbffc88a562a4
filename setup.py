"""Puts the proofs and the examples into a wheel; everything else about the build is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SHIPPED = {
    "proofs": ("*.v", "*.toml", "*.json", "*.txt", "*.allowed", "*.sh", "_CoqProject"),
    "examples": ("**/*.toml", "**/*.py", "**/*.json", "**/*.csv", "**/*.v"),
}


class WithShippedFiles(build_py):
    """Copies them into fedigw/shipped_files, where `fedigw.shipped` looks; a checkout uses its own folders."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for folder, patterns in SHIPPED.items():
            for path in sorted(found for pattern in patterns for found in Path(folder).glob(pattern)):
                target = Path(self.build_lib) / "fedigw" / "shipped_files" / path
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)


setup(cmdclass={"build_py": WithShippedFiles})
