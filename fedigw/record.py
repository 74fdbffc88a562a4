"""The record of a simulation with many replications, saved and loaded as JSON with a checksum."""

import errno
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fedigw.adapting import Observed
from fedigw.interfaces import Promise
from fedigw.ledger import COUNTERS

SCHEMA = 1


class RecordError(RuntimeError):
    """Raised for a record file that cannot be used: damaged, or written by another program or version."""


class NewerRecord(RecordError):
    """Raised for a record file that a newer version has written, which must not be overwritten."""


@dataclass(frozen=True)
class RunRecord:
    """The results of R replications of L epochs, in enough detail to compare them with any bound without simulating
    again.

    describe         returns the instance file as a dictionary; a function, because with thousands of agents that is
                     large
    full, played     steps of each agent in each epoch; how many of them count as regret
    regret           (R, L): of the honest agents
    traffic          (R, L, 8): counts of what was sent, in the order of COUNTERS; (1, L, 8) if all replications send
                     the same
    models           the model in use, by replication and epoch
    promises         the accuracy that every call of the protocol promised and delivered, if this was audited
    excess_risk      (R, L): of the model learned in each epoch, NaN if unknown; not saved
    per_agent        mean regret of each agent; empty in records of earlier versions
    observed         each replication's bound on its own regret, if learning rates are chosen from the data; not saved
    uncertified      epochs, of any replication, whose call ended without the required certificate
    """

    describe: Callable[[], Mapping[str, Any]]
    protocol: str
    seed: int
    full: tuple[tuple[int, ...], ...]
    played: tuple[tuple[int, ...], ...]
    learning_rates: tuple[float, ...]
    regret: np.ndarray
    traffic: np.ndarray
    models: tuple[tuple[Any, ...], ...]
    promises: tuple[Promise, ...] = ()
    excess_risk: np.ndarray | None = None
    per_agent: tuple[float, ...] = ()
    observed: Observed | None = None
    uncertified: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.regret.setflags(write=False)
        self.traffic.setflags(write=False)

    @property
    def replications(self) -> int:
        return int(self.regret.shape[0])

    @property
    def total_regret(self) -> np.ndarray:
        return self.regret.sum(axis=1)

    def total_traffic(self, counter: str) -> np.ndarray:
        """Return the sum of one counter over all epochs, shape (R,), or (1,) if all replications send the same.
        counter: one of COUNTERS, such as "bits_up"."""
        return self.traffic[:, :, COUNTERS.index(counter)].sum(axis=1)


def save(record: RunRecord, path: Path) -> None:
    """Write the record to a file atomically: a reader sees the whole record or none."""
    body = {
        "instance": dict(record.describe()),
        "protocol": record.protocol,
        "seed": record.seed,
        "full": record.full,
        "played": record.played,
        "learning_rates": record.learning_rates,
        "regret": record.regret.tolist(),
        "traffic": record.traffic.tolist(),
        "models": record.models,
        "promises": [[p.epoch, p.promised, p.delivered, p.kept] for p in record.promises],
        "per_agent": record.per_agent,
        "uncertified": record.uncertified,
    }
    write_checked(path, body)


def load(path: Path) -> RunRecord:
    body = read_checked(path)
    return RunRecord(
        describe=lambda: body["instance"],
        protocol=body["protocol"],
        seed=body["seed"],
        full=tuple(tuple(row) for row in body["full"]),
        played=tuple(tuple(row) for row in body["played"]),
        learning_rates=tuple(body["learning_rates"]),
        regret=np.array(body["regret"], dtype=float),
        traffic=np.array(body["traffic"], dtype=np.int64),
        models=tuple(tuple(row) for row in body["models"]),
        promises=tuple(Promise(*row) for row in body["promises"]),
        per_agent=tuple(body.get("per_agent", ())),
        uncertified=tuple(body.get("uncertified", ())),
    )


def canonical(body: Any) -> str:
    """Return a value as JSON text in a unique form, for checksums: sorted keys, shortest floats, no NaN."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)


def write_checked(path: Path, body: Any) -> None:
    """Write a JSON value with the schema version and its SHA-256 checksum, in one atomic step."""
    text = canonical(body)
    digest = hashlib.sha256(text.encode()).hexdigest()
    document = f'{{"schema":{SCHEMA},"sha256":"{digest}","body":{text}}}\n'
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, document)


def replace_text(path: Path, text: str) -> None:
    """Replace a file by `text` in one atomic step: a reader sees the whole old or the whole new file."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    # of a killed process with our number, or a link that somebody put there
    temporary.unlink(missing_ok=True)
    try:
        with temporary.open("x", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise


def read_checked(path: Path) -> Any:
    """Return the JSON value in a file written by write_checked. Raise RecordError for any other file."""
    try:
        document = read_json(path)
        schema, digest, body = document["schema"], document["sha256"], document["body"]
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise RecordError(f"{path}: not a record") from error
    # True is 1 and null is nothing: damage. A name or a fraction may be how a later version counts.
    if isinstance(schema, (str, float)) or (type(schema) is int and schema > SCHEMA):
        raise NewerRecord(f"{path}: schema {str(schema)[:40]}, this version reads {SCHEMA}")
    if type(schema) is not int or schema != SCHEMA:
        raise RecordError(f"{path}: schema {str(schema)[:40]}, this version reads {SCHEMA}")
    try:
        matches = hashlib.sha256(canonical(body).encode()).hexdigest() == digest
    except (ValueError, RecursionError):  # NaN or half a surrogate pair, which no record of ours holds
        matches = False
    if not matches:
        raise RecordError(f"{path}: damaged, the checksum does not match")
    return body


def read_json(path: Path) -> Any:
    """Return the JSON value in a file. Only a regular file is opened, because reading a pipe could wait for ever."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    return json.loads(path.read_text(encoding="utf-8"))
