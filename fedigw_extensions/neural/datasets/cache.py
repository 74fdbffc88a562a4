"""Store multi-label tables on this machine, one compressed numpy file each, with the digests of the files they were
read from."""

import json
import os
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile
from zlib import error as error_of_zlib

import numpy as np

from bounds.errors import InputError
from fedigw_extensions.neural.datasets.multilabel import MultiLabel

FOLDER = "FEDIGW_DATA"  # the environment variable that names another folder
FORMAT = 1
UNPACKED = 512_000_000  # bytes of all arrays of a table
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
    """Store a multi-label table on this machine, with the smallest integer types that fit, and return its path. An
    interruption leaves no partial file."""
    path = path_of(data.name)
    small = {
        name: vars(data)[name].astype(np.uint16 if vars(data)[name].max(initial=0) < 2**16 else np.uint32)
        for name in ARRAYS
    }
    head = dict(
        format=FORMAT, name=data.name, dimension=data.dimension, arms=data.arms, digest=dict(data.digest)
    )
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)  # of a killed process, or a link that somebody put there
        with temporary.open("xb") as stream:
            np.savez_compressed(stream, head=np.array(json.dumps(head)), **small)
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True) if path.parent.is_dir() else None
        reason = f"cannot be written: {error.strerror}; {FOLDER} names another folder"
        raise InputError("data", str(path), reason) from None
    return path


def load(name: str) -> MultiLabel:
    """Return a multi-label table stored on this machine. If there is none, InputError explains how to get it."""
    path = path_of(name)
    if not path.is_file():
        raise InputError(
            "data",
            name,
            f"is not on this machine: python -m verify data add {name} FILE.arff, or take the look-alike",
        )
    try:
        with path.open("rb") as stream:
            _refuse_bomb(stream)
            stream.seek(0)
            kept = np.load(stream, allow_pickle=False)
            head: dict[str, Any] = json.loads(str(kept["head"]))
            if head["format"] != FORMAT:
                raise ValueError(f"format {head['format']}")
            arrays = {array: kept[array].astype(np.int32) for array in ARRAYS}
            _refuse_crooked(arrays["feature_starts"], arrays["feature_indices"], head["dimension"])
            _refuse_crooked(arrays["label_starts"], arrays["label_indices"], head["arms"])
            return MultiLabel(
                head["name"], head["dimension"], head["arms"], **arrays, about=name, digest=head["digest"]
            )
    except (
        *(OSError, ValueError, KeyError, TypeError, MemoryError, RecursionError, NotImplementedError),
        *(BadZipFile, error_of_zlib),
    ) as error:
        raise InputError("data", str(path), f"is damaged ({type(error).__name__}); add it again") from None


def _refuse_bomb(stream: IO[bytes]) -> None:
    """Raise ValueError if the archive was not written by this module, or would be too large when unpacked."""
    with ZipFile(stream) as archive:
        entries = archive.infolist()
    names = sorted(entry.filename for entry in entries)
    if names != sorted(f"{name}.npy" for name in ("head", *ARRAYS)):
        raise ValueError("not a table of ours")
    if sum(entry.file_size for entry in entries) > UNPACKED:
        raise ValueError("too large")


def _refuse_crooked(starts: np.ndarray, indices: np.ndarray, width: Any) -> None:
    """Raise ValueError unless starts and indices are valid compressed rows of a matrix with `width` columns."""
    if type(width) is not int or starts.ndim != 1 or indices.ndim != 1 or len(starts) < 2:
        raise ValueError("not compressed rows")
    if starts[0] != 0 or starts[-1] != len(indices) or (np.diff(starts) < 0).any():
        raise ValueError("rows do not follow each other")
    if len(indices) and not 0 <= indices.min() <= indices.max() < width:
        raise ValueError("a column that is not there")


def kept() -> list[str]:
    """Return the names of the tables stored on this machine."""
    return sorted(path.stem for path in folder().glob("*.npz")) if folder().is_dir() else []
