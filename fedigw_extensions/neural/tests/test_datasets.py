"""Mulan's files, the cache, the look-alike, and how each of them goes wrong."""

import dataclasses
import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from refused import refused

from bounds.errors import InputError
from fedigw_extensions.neural.datasets import cache, known, mulan
from fedigw_extensions.neural.datasets.look_alike import look_alike
from verify.cli import main

SPARSE = """% a comment
@relation tiny
@attribute word {0,1}
@attribute 'TAG one' {0, 1}
@attribute other {0,1}
@attribute TAG_two {0,1}

@data
{0 1,1 1}
{2 1,3 1}
{}
"""
DENSE = SPARSE.partition("@data")[0] + "@data\n1,1,0,0\n0,0,1,1\n0,0,0,0\n"
XML = """<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="TAG_two"></label><label name="TAG one"></label>
</labels>
"""
# entities that grow: nine of them would fill the memory
BOMB = """<!DOCTYPE labels [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>
<labels><label name="&b;"></label></labels>
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "kept"))


def pair(folder: Path, arff: str = SPARSE, xml: str | bytes = XML, name: str = "bibtex") -> Path:
    (folder / f"{name}.arff").write_text(arff)
    (folder / f"{name}.xml").write_bytes(xml if isinstance(xml, bytes) else xml.encode())
    return folder / f"{name}.arff"


@pytest.mark.parametrize("text", [SPARSE, DENSE])
def test_both_forms_of_rows_are_read_and_labels_follow_the_xml(tmp_path, text):
    path = pair(tmp_path, text)
    data = mulan.read(path, path.with_suffix(".xml"), "bibtex")
    assert (data.rows, data.dimension, data.arms) == (3, 2, 2)
    assert data.features.toarray().tolist() == [[1, 0], [0, 1], [0, 0]]
    assert data.labels.tolist() == [[False, True], [True, False], [False, False]]
    assert data.best.tolist() == [1, 1, 0]
    assert data.uniform_reward == pytest.approx(1 / 3)
    assert data.best_constant == pytest.approx(1 / 3)


def test_the_cache_gives_back_what_was_kept(tmp_path):
    data = look_alike("bibtex", 5, rows=50, features=20, labels=5)
    data = mulan.MultiLabel(
        "toy", 20, 5, *(getattr(data, name) for name in cache.ARRAYS), digest={"arff": "a"}
    )
    assert cache.kept() == []
    path = cache.keep(data)
    again = cache.load("toy")
    assert all(np.array_equal(getattr(again, name), getattr(data, name)) for name in cache.ARRAYS)
    assert (again.digest, again.dimension, again.arms, cache.kept()) == ({"arff": "a"}, 20, 5, ["toy"])
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match="is damaged"):
        cache.load("toy")


@pytest.mark.parametrize(
    ("arff", "xml", "words"),
    [
        ("hello\nworld\n", XML, "is not an ARFF file: line 1"),
        ("@relation x\n", XML, "is not an ARFF file: no @data"),
        ("@data\n", XML, "no @attribute before @data"),
        (SPARSE.replace("other {0,1}", "other numeric"), XML, "only binary attributes"),
        (SPARSE.replace("{2 1,3 1}", "{2 1,9 1}"), XML, "line 10: attribute '9', must be 0 to 3"),
        (SPARSE.replace("{2 1,3 1}", "{99 0}"), XML, "line 10: attribute '99', must be 0 to 3"),
        (SPARSE.replace("{2 1,3 1}", "{-1 0}"), XML, "line 10: attribute '-1', must be 0 to 3"),
        (SPARSE.replace("{2 1,3 1}", "{" + "9" * 5000 + " 1}"), XML, "line 10: attribute '9999"),
        (SPARSE.replace("{2 1,3 1}", "{2 1,0 1,2 0}"), XML, "line 10: attribute 2 has two values"),
        (SPARSE.replace("{2 1,3 1}", "{2 1,2 1}"), XML, "line 10: attribute 2 has two values"),
        (
            SPARSE.replace("{2 1,3 1}", "{2 1 3}"),
            XML,
            "line 10: entry '2 1 3', must be an attribute and its value",
        ),
        (SPARSE.replace("{2 1,3 1}", "{2 1,\u20283 7}"), XML, "line 10: value '7', must be 0 or 1"),
        (SPARSE.rstrip()[:-1], XML, "line 11: no closing brace"),
        (SPARSE.partition(",3 1")[0], XML, "line 10: no closing brace"),
        (SPARSE[:100], XML, "is not an ARFF file: no @data"),
        (SPARSE.replace("other", "word"), XML, "line 5: attribute 'word' is declared twice"),
        (SPARSE, XML[:80], "is not XML"),
        (SPARSE, XML.replace("TAG_two", "T" * 10_000), "label 'TTTT"),
        (
            SPARSE,
            XML.replace("</labels>", '<label name="word"/><label name="other"/></labels>'),
            "no features are left",
        ),
        (SPARSE.replace("{2 1,3 1}", "{2 7}"), XML, "line 10: value '7', must be 0 or 1"),
        (DENSE.replace("0,0,1,1", "0,0,1"), XML, "3 values for 4 attributes"),
        (SPARSE, XML.replace("TAG_two", "TAG_three"), "label 'TAG_three' is not an attribute"),
        (SPARSE, "<labels></labels>", "names no labels"),
        (SPARSE, "not xml", "is not XML"),
        (SPARSE, BOMB, "declares a document type"),
        (SPARSE, BOMB.encode("utf-16"), "declares a document type"),
    ],
)
def test_bad_files_are_one_line_and_exit_2(tmp_path, capsys, arff, xml, words):
    path = pair(tmp_path, arff, xml)
    refused(capsys, ["data", "add", "bibtex", str(path), "--any-version"], words)
    assert cache.kept() == []


def test_size_and_digest_are_checked_before_anything_is_parsed(tmp_path, capsys, monkeypatch):
    path = pair(tmp_path, "hello", "not xml")  # both would be refused by what reads them
    refused(capsys, ["data", "add", "bibtex", str(path)], "another version than the one we know")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    renamed = dataclasses.replace(known.KNOWN["delicious"], arff=digest)
    with monkeypatch.context() as changed:
        changed.setitem(known.KNOWN, "delicious", renamed)
        refused(capsys, ["data", "add", "bibtex", str(path)], "is the file of delicious")
    monkeypatch.setattr(mulan, "LARGEST", 4)
    refused(capsys, ["data", "add", "bibtex", str(path), "--any-version"], "is larger than 4 bytes")
    path.unlink()
    os.mkfifo(path)
    refused(capsys, ["data", "add", "bibtex", str(path), "--any-version"], "is not a plain file")


def crafted(path, **change):
    """A kept table, with some of its parts replaced."""
    head = {"format": 1, "name": "toy", "dimension": 3, "arms": 2, "digest": {}}
    starts = np.array([0, 1, 2])
    parts = {"feature_starts": starts, "feature_indices": np.array([0, 2]), "label_starts": starts}
    parts |= {"label_indices": np.array([0, 1]), "head": np.array(json.dumps(head))} | change
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, **{name: part for name, part in parts.items() if part is not None})


@pytest.mark.parametrize(
    "change",
    [
        {"head": np.array([{"a": 1}], dtype=object)},  # would be unpickled
        {"head": None},
        {"more": np.zeros(3)},
        {"../../outside": np.zeros(3)},
        {"label_indices": np.array([0, 2])},
        {"label_indices": np.array([0, -1])},
        {"label_starts": np.array([0, 2, 1])},
        {"feature_starts": np.array([0, 1, 5])},
        {"head": np.array("[" * 100_000)},
    ],
)
def test_a_crafted_table_is_damaged(change):
    path = cache.path_of("toy")
    crafted(path)
    assert cache.load("toy").rows == 2
    crafted(path, **change)
    with pytest.raises(InputError, match="is damaged"):
        cache.load("toy")


def test_a_table_that_unpacks_without_end_is_refused_before_it_is_unpacked(monkeypatch):
    path = cache.path_of("toy")
    crafted(path, feature_indices=np.zeros(10_000_000, dtype=np.uint8))
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(cache, "UNPACKED", 1_000_000)
    monkeypatch.setattr(cache.np, "load", lambda *_, **__: pytest.fail("it was read"))
    with pytest.raises(InputError, match="is damaged"):
        cache.load("toy")


def test_nothing_is_written_through_a_link(tmp_path):
    data = look_alike("bibtex", 5, rows=50, features=20, labels=5)
    data = dataclasses.replace(data, name="toy")
    path, victim = cache.path_of("toy"), tmp_path / "victim"
    path.parent.mkdir(parents=True)
    victim.write_text("kept")
    path.symlink_to(victim)
    path.with_name(f".{path.name}.{os.getpid()}.tmp").symlink_to(victim)
    cache.keep(data)
    assert victim.read_text() == "kept"
    assert not path.is_symlink()


def test_another_version_is_kept_when_asked_for_and_named(tmp_path, capsys):
    assert main(["data", "add", "bibtex", str(pair(tmp_path)), "--any-version"]) == 0
    assert "ANOTHER VERSION" in capsys.readouterr().out
    assert main(["data", "list"]) == 0
    listed = capsys.readouterr().out
    assert "ANOTHER VERSION" in listed
    assert "3 rows, 2 features, 2 labels" in listed
    assert "delicious: not on this machine" in listed


def test_names_and_places_that_cannot_be(tmp_path, capsys, monkeypatch):
    arff = str(pair(tmp_path))
    for arguments, words in (
        (["add"], "give the name"),
        (["add", "bibtx", arff], "did you mean 'bibtex'"),
        (["add", "bibtex"], "give the path"),
        (["add", "bibtex", str(tmp_path / "no.arff")], "cannot be read"),
        (["add", "../x", arff, "--any-version"], "must be a plain name"),
    ):
        refused(capsys, ["data", *arguments], words)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "file" / "below"))
    refused(capsys, ["data", "add", "bibtex", arff, "--any-version"], "cannot be written")


@pytest.mark.parametrize("name", known.KNOWN)
def test_the_look_alike_has_the_shape_and_says_what_it_is(name):
    expected, data = known.KNOWN[name], look_alike(name, 0)
    facts = data.facts()
    for fact in ("rows", "features", "labels"):
        assert facts[fact] == getattr(expected, fact)
    for fact in ("features_per_row", "labels_per_row", "best_constant_arm", "uniform_reward"):
        assert facts[fact] == pytest.approx(getattr(expected, fact), rel=0.1)
    assert data.name == f"look-alike of {name}"
    assert not data.digest


def test_the_seed_decides_the_look_alike():
    one, same, other = (look_alike("bibtex", seed, 60, 20, 5) for seed in (1, 1, 2))
    assert np.array_equal(one.feature_indices, same.feature_indices)
    assert not np.array_equal(one.labels, other.labels)
