"""Fetching the pair of files: size and digest are checked before anything is read, and nothing is ever executed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from bounds.errors import InputError
from neural.datasets.known import BASE, LARGEST, Known

PATIENCE = 20.0  # seconds without an answer
PIECE = 1 << 16


def fetch(known: Known, folder: Path, base: str = BASE, any_version: bool = False) -> dict[str, Path]:
    """NAME.arff and NAME.xml from below `base`, in `folder`; InputError in one line if they cannot be had."""
    if urlsplit(base).scheme not in ("http", "https"):
        raise InputError("--from", base, "must be an address, http:// or https://")
    found = {}
    for ending, address in known.addresses(base).items():
        content = _download(address)
        digest = hashlib.sha256(content).hexdigest()
        expected = getattr(known, ending)
        if digest != expected and not any_version:
            reason = f"has SHA-256 {digest[:12]}, not {expected[:12]}; --any-version keeps it all the same"
            raise InputError("data", address, reason)
        found[ending] = folder / f"{known.name}.{ending}"
        found[ending].write_bytes(content)
    return found


def _download(address: str) -> bytes:
    """All of it, unless it is larger than any file we know."""
    try:
        with urlopen(Request(address, headers={"User-Agent": "fedigw-verify"}), timeout=PATIENCE) as answer:
            pieces, size = [], 0
            while piece := answer.read(PIECE):
                size += len(piece)
                if size > LARGEST:
                    raise InputError("data", address, f"is larger than {LARGEST} bytes; not read further")
                pieces.append(piece)
            return b"".join(pieces)
    except InputError:
        raise
    except HTTPError as error:
        error.close()
        raise InputError("data", address, f"cannot be fetched: {error.code} {error.reason}") from None
    except URLError as error:
        raise InputError("data", address, f"cannot be fetched: {getattr(error, 'reason', error)}") from None
    except (OSError, ValueError) as error:
        raise InputError("data", address, f"cannot be fetched: {error}") from None
