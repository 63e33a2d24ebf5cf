"""Where rows come from: files, bundled samples and generators, as tables or streams. No engine and no Qt in here."""

from workbench.source.encode.encoding import Encoder, Encoding, Rows
from workbench.source.encode.order import Order, split
from workbench.source.errors import Cancelled, SourceError
from workbench.source.generators import GENERATORS, Generator
from workbench.source.read.arff.writer import write_arff
from workbench.source.read.options import ReadOptions
from workbench.source.read.reader import Preview
from workbench.source.read.reading import preview, read_table
from workbench.source.samples import Sample, sample, samples
from workbench.source.stream import RowStream, stream_rows
from workbench.source.table.summary import Summary
from workbench.source.table.table import Column, Table

__all__ = [
    "GENERATORS",
    "Cancelled",
    "Column",
    "Encoder",
    "Encoding",
    "Generator",
    "Order",
    "Preview",
    "ReadOptions",
    "RowStream",
    "Rows",
    "Sample",
    "SourceError",
    "Summary",
    "Table",
    "preview",
    "read_table",
    "sample",
    "samples",
    "split",
    "stream_rows",
    "write_arff",
]
