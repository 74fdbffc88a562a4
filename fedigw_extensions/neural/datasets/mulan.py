"""Read a data set of the Mulan collection: an ARFF table whose columns are features and labels, and an XML list of the
labels.

Both forms of ARFF rows are read, `{3 1,17 1}` and `0,1,0,...`. Every attribute must be {0,1}.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from xml.parsers import expat

import numpy as np

from bounds.errors import InputError
from fedigw_extensions.neural.datasets.known import KNOWN, LARGEST
from fedigw_extensions.neural.datasets.multilabel import MultiLabel

_ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)\s+(.*)""", re.IGNORECASE)
_INDEX = re.compile(r"[0-9]{1,9}")
_BINARY = re.compile(r"\{\s*0\s*,\s*1\s*\}|\{\s*1\s*,\s*0\s*\}")


def read(arff: Path, xml: Path, name: str, any_version: bool = True) -> MultiLabel:
    """Read the data set `name` from its two files. Raise InputError if a file is damaged or, without any_version, if
    the digests are not the known ones."""
    table, list_of_labels = _bytes(arff), _bytes(xml)
    digest = {"arff": hashlib.sha256(table).hexdigest(), "xml": hashlib.sha256(list_of_labels).hexdigest()}
    version(name, digest, any_version)
    labels = _labels(list_of_labels, xml)
    names, lines = _header(table, arff)
    missing = [label for label in labels if label not in names]
    if missing:
        raise InputError("data", str(xml), f"label {missing[0][:40]!r} is not an attribute of {arff.name}")
    if len(labels) == len(names):
        raise InputError(
            "data", str(xml), f"names every attribute of {arff.name} a label: no features are left"
        )
    rows = [_row(line, number, len(names), arff) for number, line in lines]
    if not rows:
        raise InputError("data", str(arff), "has no rows after @data")
    place = np.array([names[label] for label in labels])
    arm = np.full(len(names), -1)
    arm[place] = np.arange(len(labels))
    feature = np.cumsum(arm < 0) - 1
    picked = [np.asarray(row, dtype=np.int64) for row in rows]
    features = [np.sort(feature[row[arm[row] < 0]]) for row in picked]
    true = [np.sort(arm[row[arm[row] >= 0]]) for row in picked]
    return MultiLabel(
        name,
        len(names) - len(labels),
        len(labels),
        _starts(features),
        np.concatenate(features).astype(np.int32),
        _starts(true),
        np.concatenate(true).astype(np.int32),
        about=name,
        digest=digest,
    )


def version(name: str, digest: Mapping[str, str], any_version: bool) -> str:
    """Return a sentence that identifies the version of the files by their digests. Raise InputError for unknown files
    unless any_version is set."""
    known = KNOWN.get(name)
    if known is None:
        if not any_version:
            raise InputError("data", name, "no such data set is known; --any-version keeps it all the same")
        return f"{name}: not a data set we know"
    if (digest["arff"], digest["xml"]) != (known.arff, known.xml):
        other = "arff" if digest["arff"] != known.arff else "xml"
        if not any_version:
            owner = next((row.name for row in KNOWN.values() if vars(row)[other] == digest[other]), None)
            stated = vars(known)[other][:12]
            what = (
                f"is the file of {owner}" if owner else f"is another version than the one we know ({stated})"
            )
            found = f"{name}.{other} with SHA-256 {digest[other][:12]}"
            raise InputError("data", found, f"{what}; --any-version keeps it")
        return f"{name}: ANOTHER VERSION ({other} has SHA-256 {digest[other][:12]})"
    return f"{name}: the version we know ({known.arff[:12]})"


def _bytes(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise InputError("data", str(path), "is not a plain file")
        with path.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError("data", str(path), f"cannot be read: {error.strerror}") from None
    if len(content) > LARGEST:
        raise InputError("data", str(path), f"is larger than {LARGEST} bytes; not read further")
    return content


def _labels(content: bytes, path: Path) -> list[str]:
    found: list[str] = []

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition("}")[2] == "label":
            found.append(attributes.get("name", ""))

    def refuse(*_: object) -> None:
        raise InputError("data", str(path), "declares a document type: its entities could grow without end")

    parser = expat.ParserCreate(namespace_separator="}")
    parser.StartElementHandler, parser.StartDoctypeDeclHandler = begin, refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, UnicodeError, LookupError) as error:
        raise InputError("data", str(path), f"is not XML: {error}") from None
    if not found or "" in found:
        raise InputError("data", str(path), "names no labels: <label name=...> is missing")
    if len(set(found)) != len(found):
        raise InputError("data", str(path), "names a label twice")
    return found


def _header(content: bytes, path: Path) -> tuple[dict[str, int], list[tuple[int, str]]]:
    """Return the column of each attribute of an ARFF file by name, and the numbered lines after @data."""
    try:
        lines = re.split("\r\n|\r|\n", content.decode("utf-8"))  # as an editor numbers them
    except UnicodeDecodeError:
        raise InputError("data", str(path), "is not an ARFF file: not text in UTF-8") from None
    names: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        word = text.partition(" ")[0].lower()
        if not text or text.startswith("%") or word == "@relation":
            continue
        if word == "@data":
            if not names:
                raise InputError("data", str(path), "is not an ARFF file: no @attribute before @data")
            rest = enumerate(lines[number:], start=number + 1)
            return names, [(n, row.strip()) for n, row in rest if row.strip() and not row.startswith("%")]
        found = _ATTRIBUTE.fullmatch(text)
        if found is None:
            raise InputError("data", str(path), f"is not an ARFF file: line {number} is no @attribute")
        if not _BINARY.fullmatch(found[2].strip()):
            raise InputError("data", str(path), f"line {number}: only binary attributes {{0,1}} are read")
        name = found[1].strip("'\"")
        if name in names:
            raise InputError("data", str(path), f"line {number}: attribute {name[:40]!r} is declared twice")
        names[name] = len(names)
    raise InputError("data", str(path), "is not an ARFF file: no @data")


def _row(line: str, number: int, width: int, path: Path) -> list[int]:
    """Return the indices of the attributes that are 1 in a line of the table. width: how many attributes there are.
    number, path: the place of the line, for errors."""
    try:
        if line.startswith("{"):
            if not line.endswith("}"):
                raise ValueError("no closing brace")
            pairs = [_pair(entry, width) for entry in line[1:-1].split(",") if entry.strip()]
            if len(dict(pairs)) < len(pairs):
                often = Counter(index for index, _ in pairs).most_common(1)
                raise ValueError(f"attribute {often[0][0]} has two values")
        else:
            cells = line.split(",")
            if len(cells) != width:
                raise ValueError(f"{len(cells)} values for {width} attributes")
            pairs = [(index, _bit(value.strip())) for index, value in enumerate(cells)]
    except ValueError as error:
        raise InputError("data", str(path), f"line {number}: {error}") from None
    return [index for index, value in pairs if value]


def _pair(entry: str, width: int) -> tuple[int, bool]:
    """Return attribute and value of an entry such as "3 1"."""
    index, *values = entry.split()
    if len(values) != 1:
        raise ValueError(f"entry {entry.strip()[:20]!r}, must be an attribute and its value, as in 3 1")
    if not _INDEX.fullmatch(index) or int(index) >= width:
        raise ValueError(f"attribute {index[:20]!r}, must be 0 to {width - 1}")
    return int(index), _bit(values[0])


def _bit(value: str) -> bool:
    if value not in ("0", "1"):
        raise ValueError(f"value {value[:20]!r}, must be 0 or 1")
    return value == "1"


def _starts(rows: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int32)
