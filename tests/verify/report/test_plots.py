"""Every picture of a claim: a caption, three forms with the same bytes each time, names beside the data."""

import io
import re
from concurrent.futures.process import BrokenProcessPool
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.image import imread

from verify.campaign.derived import is_about_a_claim
from verify.catalogue import catalogue
from verify.pictures import complete, in_words, picture, rows_of
from verify.report import formats, plots

PLOTS = [(claim.label, plot.name) for claim in catalogue().values() for plot in claim.plots]
CURVE = {
    "n": [10, 20, 40],
    "mean": [0.1, 0.05, 0.02],
    "low": [0.09, 0.04, 0.01],
    "high": [0.2, 0.06, 0.03],
    "bounds": {"printed": [3.0, 1.5, 0.7], "sharpened": [0.4, 0.2, 0.1]},
}


@pytest.mark.parametrize(("label", "name"), PLOTS)
def test_every_picture_says_what_to_see(label, name):
    plot = next(p for p in catalogue()[label].plots if p.name == name)
    assert len(plot.caption.split()) >= 10
    assert plot.caption.endswith(".")
    assert not re.search(r"\w_\w|\^", plot.caption)


@pytest.mark.fedigw
def test_three_forms_and_the_same_bytes_again(tmp_path):
    drawn = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        path = plots._draw(folder, "lem:finite_error", "curve", {"curve": CURVE})
        files = [path.with_suffix(suffix) for suffix in (".svg", ".png", ".pdf")]
        assert all(is_about_a_claim(file) for file in files)
        drawn.append([file.read_bytes() for file in files])
    assert drawn[0] == drawn[1]
    assert drawn[0][2].startswith(b"%PDF")


@pytest.mark.fedigw
def test_a_picture_that_cannot_be_drawn_is_named(tmp_path, capsys):
    """A check that fails may lack what its picture shows: the campaign and its report go on."""
    assert plots._written([plots._draw(tmp_path, "lem:finite_error", "curve", {"curve": {"n": [1]}})]) == []
    assert capsys.readouterr().err.startswith("not drawn: lem:finite_error curve: KeyError")


@pytest.mark.parametrize("killed", [EOFError, BrokenProcessPool])
def test_pictures_are_drawn_here_if_their_processes_are_killed(killed, tmp_path, monkeypatch):
    """EOFError: the server of processes is gone before one was started."""

    def dies(*_: object, **__: object) -> None:
        raise killed("unexpected EOF")

    monkeypatch.setattr(plots.ProcessPoolExecutor, "map", dies)
    monkeypatch.setattr(plots, "drawings", lambda *_: [("lem:finite_error", "curve", {"curve": CURVE})] * 6)
    monkeypatch.setattr(plots, "_drawn", lambda *_: tmp_path)
    assert plots.draw_all([], [], tmp_path, 2) == [tmp_path] * 6


@pytest.mark.fedigw
@pytest.mark.parametrize("name", ["numbers", "rounds"])
def test_what_protocols_send_is_drawn_for_those_that_the_corollary_is_about(tmp_path, name):
    path = plots._draw(tmp_path, "col:linear", name, {"ledger-direct": {"rows": []}})
    assert isinstance(path, Path), path
    assert "conjugate gradients" in path.read_text()
    assert "FedAvg" not in path.read_text()


@pytest.mark.fedigw
def test_names_stand_beside_the_data():
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    claim = catalogue()["lem:finite_error"]
    figure = Figure(figsize=(9.6, 4.6))
    axes = figure.subplots()
    claim.plots[0].draw(axes, {"curve": CURVE})
    plots.finish(axes, claim.plots[0].title)
    figure.tight_layout()
    FigureCanvasAgg(figure).draw()
    data = axes.get_window_extent()
    names = [text.get_window_extent() for text in axes.texts]
    assert len(names) == 4
    assert all(data.x1 <= box.x1 <= figure.bbox.x1 + 1 for box in names)
    labels = [label for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels(which="both")]
    for axis in (axes.xaxis, axes.yaxis):
        boxes = [t.get_window_extent() for t in axis.get_ticklabels(which="both") if t.get_text()]
        boxes = [box for box in boxes if data.x0 - 200 < box.x0 < data.x1 and data.y0 - 50 < box.y0 < data.y1]
        for place, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:place])
    assert labels


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("agd_convex, measured", "AGD for convex functions, measured"),
        ("measured, different_laws", "measured, different laws"),
        ("numbers by T (d^a = 3)", "numbers by T ($d^{a}$ = 3)"),
        ("printed order, sqrt(MT)", r"printed order, $\sqrt{MT}$"),
        ("$w_k$ as it is", "$w_k$ as it is"),
    ],
)
def test_a_legend_speaks_in_words(label, words):
    assert in_words(label) == words


@pytest.mark.parametrize("names", [5, 12, 21])
def test_no_name_falls_off_the_figure(names):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.text import Text  # of an annotation, without its line

    figure = Figure(figsize=(9.6, 4.6))
    canvas, axes = FigureCanvasAgg(figure), figure.subplots()
    for index in range(names):
        axes.plot([1, 2], [index, index], label=f"name {index}")
    plots.finish(axes, "many names")
    canvas.draw()
    boxes = sorted((Text.get_window_extent(text) for text in axes.texts), key=lambda box: box.y0)
    assert len(boxes) == names
    assert boxes[0].y0 >= 0
    assert boxes[-1].y1 <= figure.bbox.y1
    if names <= 12:
        assert not any(low.overlaps(high) for low, high in pairwise(boxes))


def test_a_long_label_of_an_axis_stays_on_the_figure():
    figure, (axes,) = picture()
    canvas = FigureCanvasAgg(figure)
    rows_of(axes, ["a row whose name is so long that little of the width is left for the data"])
    axes.set_xlabel("regret of all agents (dot: measured; bar: its interval; tick: bound)")
    complete(figure)
    canvas.draw()
    assert axes.xaxis.label.get_window_extent().x1 <= figure.bbox.x1


def test_a_compact_picture_keeps_what_it_says():
    long = '<svg>\n <!-- x -->\n <path d="M 1.23456 -0.0001"/>\n <text x="2.5">0.12345</text>\n</svg>'
    assert plots.compact(long) == '<svg><path d="M 1.23 -0"/><text x="2.5">0.12345</text></svg>'


def test_three_forms_show_what_each_would_alone(tmp_path):
    """What is laid out once for three forms stands where each form alone has it: strokes, points, cells, text."""
    look = {"text.hinting": "none", "svg.hashsalt": "x", "svg.fonttype": "none", "figure.dpi": 120}
    with matplotlib.rc_context(look):
        figure, (axes,) = picture()
        axes.plot([1, 5, 9], [2, 1, 7], "o--", label="line", linewidth=2)
        axes.scatter([2, 4], [3, 6], s=60)
        axes.fill_between([1, 9], [3, 4], [5, 6], alpha=0.3, hatch="/")
        axes.pcolormesh([6, 7, 8], [1, 2, 3], [[0.0, 1.0], [0.5, 0.2]], rasterized=True)
        axes.annotate("$x^2$ here", (3, 4), rotation=30, clip_on=True)
        figure.text(0.3, 0.5, "across the middle")
        axes.legend(loc="upper left")
        svg = formats.write(figure, tmp_path / "a.svg")
        one = imread(tmp_path / "a.png")
        FigureCanvasAgg(figure).print_png(tmp_path / "b.png")
        assert one.shape == imread(tmp_path / "b.png").shape == (552, 1152, 4)
        assert np.abs(one - imread(tmp_path / "b.png")).mean() < 0.002  # 0.03 if everything is 5 pixels away
        alone = io.StringIO()
        FigureCanvasSVG(figure).print_svg(alone, metadata={"Date": None})
    words, others = (re.split(r"(-?\d+\.\d+)", text) for text in (svg, alone.getvalue()))
    assert words[::2] == others[::2]
    assert np.allclose(np.array(words[1::2], float), np.array(others[1::2], float), atol=0.5)  # points
