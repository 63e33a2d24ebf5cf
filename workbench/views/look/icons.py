"""Icons from the SVG files in `assets/icons`, in the theme's text colour."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from workbench.source.samples import assets

SIZES = (16, 20, 24, 32, 48)


@lru_cache(maxsize=256)
def icon(name: str, colour: str, disabled: str | None = None) -> QIcon:
    """`assets/icons/<name>.svg` with `currentColor` replaced."""
    found = QIcon()
    for mode, paint in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled or colour)):
        svg = _source(name).replace("currentColor", paint)
        renderer = QSvgRenderer(QByteArray(svg.encode()))
        for size in SIZES:
            picture = QPixmap(size, size)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            renderer.render(painter, QRectF(0, 0, size, size))
            painter.end()
            found.addPixmap(picture, mode)
    return found


@lru_cache(maxsize=64)
def _source(name: str) -> str:
    return (assets() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
