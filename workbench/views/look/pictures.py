"""Pictures of what is seen, for files and the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QImage, QImageWriter, QPaintDevice
from PySide6.QtSvg import QSvgGenerator

from workbench.run.files import write_safely
from workbench.words.sentences import UserError

FINENESS = 2
"""Pixels of a picture to one on the screen."""


Write = Callable[[], None]
"""Writes a file that is ready but for its bytes; any thread may call it. OSError with the path and the reason."""


def drawn(path: str | Path, picture: Callable[[], QImage], svg: Callable[[], bytes]) -> Write:
    """Draw a picture now, as PNG or SVG by the ending, and return what writes it, whole or not at all.

    Only the window's thread may draw. Packing a PNG takes longer than drawing it, and writing as long as the disk does.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending == ".png":
        image = picture()
        return lambda: write_safely(path, lambda new: new.write_bytes(png_of(image)))
    if ending == ".svg":
        data = svg()
        return lambda: write_safely(path, lambda new: new.write_bytes(data))
    raise UserError(
        "{file} cannot be written. A picture is saved as .png or .svg: choose one of these endings.", file=path
    )


def png_of(image: QImage) -> bytes:
    """An image as a PNG file."""
    data, buffer = _buffer()
    QImageWriter(buffer, QByteArray(b"PNG")).write(image)
    return bytes(data.data())


def svg_of(size: QSize, dots_per_inch: int, title: str, draw: Callable[[QPaintDevice], None]) -> bytes:
    """What `draw` paints, as an SVG file."""
    data, buffer = _buffer()
    # Version 1.1 knows clipping; the default does not.
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setResolution(dots_per_inch)
    generator.setSize(size)
    generator.setViewBox(QRect(QPoint(0, 0), size))
    generator.setTitle(title)
    draw(generator)
    buffer.close()
    return bytes(data.data())


def _buffer() -> tuple[QByteArray, QBuffer]:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return data, buffer
