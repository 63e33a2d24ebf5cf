"""Model files of a user: opened, checked, and recognised again by their checksum."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from figmn import Snapshot
from figmn.storage import ESTIMATOR_MAGIC, MAGIC, FileFormatError, pieces_of, read, snapshot_of, write_pieces
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.model_columns import columns_about, encoder_about, numbered_encoder
from workbench.source import Encoder, Table
from workbench.source.read.options import Progress, silent
from workbench.words.decode import DecodeError
from workbench.words.sentences import UserError

DIGITS = 12
"""Of a checksum, in sentences."""


@dataclass(frozen=True)
class ModelFile:
    """A model that a run goes on from, or that is looked at: its path, and the SHA-256 of its content."""

    path: str
    sha256: str

    @property
    def title(self) -> str:
        """Its name in the window."""
        return Path(self.path).name

    def read(self, progress: Progress = silent) -> Table:  # noqa: ARG002
        """A table with the model's columns and no rows."""
        return self.opened().table

    def opened(self) -> OpenedModel:
        """The model; UserError where the file has changed since."""
        found = open_model(self.path)
        if found.file.sha256 != self.sha256:
            raise UserError(
                "{file} has changed since the recipe was written: its SHA-256 begins with {found}, not with {wanted}. "
                "Restore the file, or open it in the window and save the recipe again.",
                file=Path(self.path),
                found=found.file.sha256[:DIGITS],
                wanted=self.sha256[:DIGITS],
            )
        return found


@dataclass(frozen=True, eq=False)
class OpenedModel:
    """A mixture from a file."""

    file: ModelFile
    snapshot: Snapshot
    encoder: Encoder
    """Its columns; numbers alone where the file does not describe them."""
    is_described: bool
    """Whether the file says what its columns mean: kinds, roles, labels and units."""

    @property
    def choices(self) -> Choices:
        """Its hyper-parameters, and whether its widths were given or estimated as it went."""
        return Choices(self.snapshot.parameters, "running" if self.snapshot.scale is None else "dataset")

    @property
    def table(self) -> Table:
        """A table with its columns and no rows."""
        return self.encoder.decode(np.empty((0, self.snapshot.n_features)))


def is_model(path: Path) -> bool:
    """Whether a file is a saved mixture or estimator, by its first bytes or by its name."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    return head in {MAGIC, ESTIMATOR_MAGIC} or path.suffix.lower() == ".figmn"


def open_model(path: str) -> OpenedModel:
    """Read a model; UserError where the file is damaged, or holds something else."""
    name = Path(path).name
    try:
        data = read(path)
        if data.startswith(ESTIMATOR_MAGIC):
            raise UserError(
                "{file} holds an estimator, not a mixture. Load it in Python with figmn.load(path), and save the "
                "mixture that it has learned.",
                file=Path(path),
            )
        snapshot, about = snapshot_of(data, name)
        columns = snapshot.columns
        found = encoder_about(about, name, columns, snapshot.n_features)
    except OSError as error:
        raise UserError(
            "{file} cannot be read ({reason}). Choose another model.",
            file=Path(path),
            reason=error.strerror or str(error),
        ) from error
    except (FileFormatError, DecodeError) as error:
        raise UserError("{problem}.", problem=str(error).rstrip(".")) from error
    if not snapshot.n_features:
        raise UserError("{file} has learned nothing: it has no columns. Choose another model.", file=Path(path))
    encoder = found or numbered_encoder(name, columns, snapshot.n_features)
    file = ModelFile(path, hashlib.sha256(data).hexdigest())
    return OpenedModel(file, snapshot, encoder, found is not None)


def save_model(snapshot: Snapshot, encoder: Encoder | None, path: str | Path) -> None:
    """Write a mixture and what its columns mean, if known; `open_model` and `figmn.load` read it."""
    write_pieces(path, pieces_of(snapshot, None if encoder is None else columns_about(encoder)))
