"""Pictures of widgets and plots, for files and the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QImage, QImageWriter, QPaintDevice
from PySide6.QtSvg import QSvgGenerator

from workbench.run.files import write_safely
from workbench.words.sentences import UserError

FINENESS = 2
"""Pixels of a picture per pixel on the screen."""


Write = Callable[[], None]
"""Writes a picture that is already drawn; may be called in any thread. Raises OSError with the path and the reason."""


def drawn(path: str | Path, picture: Callable[[], QImage], svg: Callable[[], bytes]) -> Write:
    """Draw a picture now, as PNG or SVG by the file's ending, and return a function that writes it atomically.

    Only the GUI thread may draw; compressing a PNG and writing it take longer and may run in any thread.
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
    """An image as the bytes of a PNG file."""
    data, buffer = _buffer()
    QImageWriter(buffer, QByteArray(b"PNG")).write(image)
    return bytes(data.data())


def svg_of(size: QSize, dots_per_inch: int, title: str, draw: Callable[[QPaintDevice], None]) -> bytes:
    """What `draw` paints, as the bytes of an SVG file."""
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
