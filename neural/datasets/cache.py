"""Tables kept on this machine: one compressed numpy file each, with the digests of the files they were read from."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile
from zlib import error as error_of_zlib

import numpy as np

from bounds.errors import InputError
from neural.datasets.multilabel import MultiLabel

FOLDER = "FEDIGW_DATA"  # the environment variable that names another folder
FORMAT = 1
ARRAYS = ("feature_starts", "feature_indices", "label_starts", "label_indices")


def folder() -> Path:
    named = os.environ.get(FOLDER)
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "fedigw-verify"


def path_of(name: str) -> Path:
    if not name.replace("_", "").replace("-", "").isalnum():
        raise InputError("data", name, "must be a plain name")
    return folder() / f"{name}.npz"


def keep(data: MultiLabel) -> Path:
    """Write the table in one step; numbers are as small as they can be."""
    path = path_of(data.name)
    small = {
        name: getattr(data, name).astype(
            np.uint16 if getattr(data, name).max(initial=0) < 2**16 else np.uint32
        )
        for name in ARRAYS
    }
    head = {
        "format": FORMAT,
        "name": data.name,
        "dimension": data.dimension,
        "arms": data.arms,
        "digest": dict(data.digest),
    }
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as stream:
            np.savez_compressed(stream, allow_pickle=False, head=np.array(json.dumps(head)), **small)
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True) if path.parent.is_dir() else None
        reason = f"cannot be written: {error.strerror}; {FOLDER} names another folder"
        raise InputError("data", str(path), reason) from None
    return path


def load(name: str) -> MultiLabel:
    """A table that was kept before; InputError says how to get one that was not."""
    path = path_of(name)
    if not path.is_file():
        raise InputError(
            "data",
            name,
            f"is not on this machine: python -m verify data add {name} FILE.arff, or take the look-alike",
        )
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
            head: dict[str, Any] = json.loads(str(kept["head"]))
            if head["format"] != FORMAT:
                raise ValueError(f"format {head['format']}")
            arrays = {array: kept[array].astype(np.int32) for array in ARRAYS}
            return MultiLabel(
                head["name"], head["dimension"], head["arms"], **arrays, about=name, digest=head["digest"]
            )
    except (OSError, ValueError, KeyError, TypeError, BadZipFile, error_of_zlib) as error:
        raise InputError("data", str(path), f"is damaged ({type(error).__name__}); add it again") from None


def kept() -> list[str]:
    """Names of the tables on this machine."""
    return sorted(path.stem for path in folder().glob("*.npz")) if folder().is_dir() else []
