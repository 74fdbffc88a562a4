"""Download the two files of a data set. Size and digest are checked before a file is stored, and nothing is
executed."""

import hashlib
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from bounds.errors import InputError
from fedigw_extensions.neural.datasets.known import BASE, LARGEST, Known

PATIENCE = 20.0  # seconds without an answer
LONGEST = 1800.0  # seconds for one file: a server that gives a letter at a time would keep us for ever
PIECE = 1 << 16


def fetch(known: Known, folder: Path, base: str = BASE, any_version: bool = False) -> dict[str, Path]:
    """Download NAME.arff and NAME.xml from below `base` into `folder` and return their paths. Raise InputError on
    failure."""
    if urlsplit(base).scheme not in ("http", "https"):
        raise InputError("--from", base, "must be an address, http:// or https://")
    found = {}
    for ending, address in known.addresses(base).items():
        content = _download(address)
        digest = hashlib.sha256(content).hexdigest()
        expected = vars(known)[ending]
        if digest != expected and not any_version:
            reason = f"has SHA-256 {digest[:12]}, not {expected[:12]}; --any-version keeps it all the same"
            raise InputError("data", address, reason)
        found[ending] = folder / f"{known.name}.{ending}"
        found[ending].write_bytes(content)
    return found


class _Redirects(HTTPRedirectHandler):
    """Follow redirects to web addresses only, and never from https to http; files and FTP are refused."""

    def redirect_request(self, req: Request, *rest: Any) -> Request | None:
        address = rest[-1]
        if urlsplit(address).scheme not in ("https", req.type):
            raise InputError("data", req.full_url, f"sends us to {address[:60]}, which is not followed")
        return super().redirect_request(req, *rest)


def _download(address: str) -> bytes:
    """Return the content. Raise InputError if it is larger than any known file or takes too long."""
    until = time.monotonic() + LONGEST
    try:
        request = Request(address, headers={"User-Agent": "fedigw-verify"})
        with build_opener(_Redirects).open(request, timeout=PATIENCE) as answer:
            pieces, size = [], 0
            while piece := answer.read1(PIECE):
                size += len(piece)
                if size > LARGEST:
                    raise InputError("data", address, f"is larger than {LARGEST} bytes; not read further")
                if time.monotonic() > until:
                    raise InputError("data", address, f"did not end within {LONGEST:.0f} s; not read further")
                pieces.append(piece)
            return b"".join(pieces)
    except InputError:
        raise
    except HTTPError as error:
        error.close()
        raise InputError("data", address, f"cannot be fetched: {error.code} {error.reason}") from None
    except URLError as error:
        raise InputError("data", address, f"cannot be fetched: {error.reason}") from None
    except (OSError, ValueError, HTTPException) as error:
        raise InputError("data", address, f"cannot be fetched: {error}") from None
