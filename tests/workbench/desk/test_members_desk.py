"""The rows of components follow the run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.waiting import wait_until
from workbench.desk.desk import Desk
from workbench.run.recipe.dataset import GeneratorOrigin, SampleOrigin, load
from workbench.source.generators import BirthsAndDeaths


@pytest.fixture
def desk() -> Iterator[Desk]:
    found = Desk()
    yield found
    found.close()


def look(desk: Desk) -> None:
    desk.run.take_frame()
    desk.members.take()


def test_they_are_found_where_somebody_wants_them_and_forgotten_with_the_run(desk: Desk) -> None:
    desk.take_dataset(load(SampleOrigin("iris")), "iris")
    desk.run.start()
    wait_until(lambda: desk.run.frame is not None and desk.run.frame.state == "finished", lambda: look(desk))
    assert desk.members.latest is None, "nobody has asked"
    desk.members.is_wanted = True
    wait_until(lambda: desk.members.is_current, lambda: look(desk))
    first = desk.members.latest
    assert first is not None
    assert first.n_known == 150
    assert set(np.unique(first.owners).tolist()) <= set(first.ids.tolist())
    assert not desk.members.take(), "the same mixture is not asked twice"
    desk.run.start()
    wait_until(lambda: desk.members.latest is not first, lambda: look(desk))
    wait_until(lambda: desk.members.is_current, lambda: look(desk))


def test_a_stream_has_none(desk: Desk) -> None:
    desk.take_dataset(load(GeneratorOrigin(BirthsAndDeaths(), endless=True)), "stream")
    desk.run.start()
    desk.members.is_wanted = True
    wait_until(lambda: desk.run.frame is not None and desk.run.frame.n_done > 100, lambda: look(desk))
    assert desk.members.latest is None
