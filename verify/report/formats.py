"""Write a matplotlib figure as SVG, PNG and PDF. The figure is laid out once, and every stroke is drawn in all three
formats."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.transforms import Affine2D, TransformedPath


def write(figure: Any, path: Path) -> str:
    """Write the figure as PNG and PDF next to `path`; return the text of the SVG. Equal figures give equal bytes."""
    written, renderers = io.StringIO(), []
    kinds: list[Callable[[], None]] = [
        lambda: FigureCanvasAgg(figure).print_png(
            path.with_suffix(".png"), metadata={"Software": None}, pil_kwargs={"compress_level": 4}
        ),
        lambda: FigureCanvasSVG(figure).print_svg(written, metadata={"Date": None}),
        lambda: FigureCanvasPdf(figure).print_pdf(path.with_suffix(".pdf"), metadata={"CreationDate": None}),
    ]
    draw, resolution = figure.draw, figure.dpi

    def prepared(renderer: Any) -> None:
        renderers.append(renderer)
        if len(renderers) < len(kinds):
            figure.dpi = resolution  # SVG and PDF set 72, a point for each unit, and leave it so
            kinds[len(renderers)]()
            figure.dpi = resolution
        else:
            draw(Copied(figure, renderers))

    figure.draw = prepared
    try:  # each canvas prints by itself: savefig would draw everything once more to see whether it fits
        kinds[0]()
    finally:
        del figure.draw
    return written.getvalue()


class Copied(RendererBase):
    """A matplotlib renderer that passes each call on to three renderers: one for PNG in pixels, and two for SVG and PDF
    in points."""

    def __init__(self, figure: Any, renderers: Sequence[Any]) -> None:
        super().__init__()
        self.figure = figure
        self.pixels, self.svg, self.pdf = renderers
        for name in ("get_canvas_width_height", "get_text_width_height_descent", "new_gc", "flipy"):
            setattr(self, name, getattr(self.pdf, name))

    @property
    def scale(self) -> float:
        return float(self.pixels.dpi / self.figure.dpi)

    def both(self, name: str, *given: Any, **more: Any) -> None:
        for renderer in (self.svg, self.pdf):
            getattr(renderer, name)(*given, **more)

    def scaled(self, transform: Any) -> Any:
        return Affine2D(transform.get_matrix()).scale(self.scale)

    def context(self, gc: Any) -> Any:
        found = GraphicsContextBase()
        found.copy_properties(gc)
        if (box := gc.get_clip_rectangle()) is not None:
            found.set_clip_rectangle(box.transformed(Affine2D().scale(self.scale)))
        path, transform = gc.get_clip_path()
        if path is not None:
            found.set_clip_path(TransformedPath(path, self.scaled(transform)))
        return found

    def open_group(self, s: str, gid: str | None = None) -> None:
        self.svg.open_group(s, gid)

    def close_group(self, s: str) -> None:
        self.svg.close_group(s)

    def start_rasterizing(self) -> None:
        self.both("start_rasterizing")

    def stop_rasterizing(self) -> None:
        self.both("stop_rasterizing")

    def draw_path(self, gc: Any, path: Any, transform: Any, rgbFace: Any = None) -> None:
        self.pixels.draw_path(self.context(gc), path, self.scaled(transform), rgbFace)
        self.both("draw_path", gc, path, transform, rgbFace)

    def draw_markers(
        self, gc: Any, marker_path: Any, marker_trans: Any, path: Any, trans: Any, rgbFace: Any = None
    ) -> None:
        larger = (marker_path, self.scaled(marker_trans), path, self.scaled(trans), rgbFace)
        self.pixels.draw_markers(self.context(gc), *larger)
        self.both("draw_markers", gc, marker_path, marker_trans, path, trans, rgbFace)

    def draw_path_collection(self, gc: Any, *given: Any, **more: Any) -> None:
        master, paths, every, offsets, place, *rest = given
        larger = (self.scaled(master), paths, every, offsets, self.scaled(place), *rest)
        self.pixels.draw_path_collection(self.context(gc), *larger, **more)
        self.both("draw_path_collection", gc, *given, **more)

    def draw_quad_mesh(self, gc: Any, master: Any, *rest: Any) -> None:
        self.pixels.draw_quad_mesh(self.context(gc), self.scaled(master), *rest)
        self.both("draw_quad_mesh", gc, master, *rest)

    def draw_text(self, gc: Any, x: float, y: float, *text: Any, **more: Any) -> None:
        down = self.get_canvas_width_height()[1] - y
        self.pixels.draw_text(self.context(gc), x * self.scale, down * self.scale, *text, **more)
        self.svg.draw_text(gc, x, down, *text, **more)
        self.pdf.draw_text(gc, x, y, *text, **more)
