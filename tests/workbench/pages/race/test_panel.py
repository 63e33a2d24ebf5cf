"""What a page takes from the side panel."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from figmn.params import NEUTRAL
from tests.workbench.hands import find
from workbench.pages.panel_use import PanelUse
from workbench.pages.race.panel import SWEEP_USE, TABLES_USE, race_use
from workbench.run.race.settings import RaceSettings
from workbench.window.side_panel import SidePanel


def test_a_race_of_synthetic_rows_has_its_own_data_and_columns() -> None:
    use = race_use(RaceSettings(n_features=64, n_rows=1200, values="form"), 5, seed=7)
    assert use.data == ("synthetic Gaussian", "1,200 rows × 64 columns · seed 7")
    assert (use.n_columns, dict(use.fixed), use.note) == (64, {}, "")


def test_a_race_of_the_dataset_uses_the_panel() -> None:
    assert race_use(RaceSettings(source="data", values="form"), 5, seed=7) == PanelUse(5, fixed={}, is_watched=False)


@pytest.mark.parametrize("source", ["data", "generator"])
def test_values_of_the_paper_are_fixed(source: str) -> None:
    use = race_use(RaceSettings(source=source), 5, seed=7)  # type: ignore[arg-type]
    assert dict(use.fixed) == {"delta": 1.0, "beta": 0.0, **NEUTRAL}
    assert "from the panel" in use.note


def test_a_race_is_not_watched_for_drifts(qtbot: QtBot) -> None:
    panel = SidePanel()
    qtbot.addWidget(panel)
    panel.show()
    drift = find(panel, QComboBox, "driftBox")
    panel.show_use(PanelUse(5))
    assert drift.isVisible()
    panel.show_use(race_use(RaceSettings(source="data", values="form"), 5, seed=7))
    assert not drift.isVisible()


def test_sweep_and_tables_use_nothing_of_it() -> None:
    for use in (SWEEP_USE, TABLES_USE):
        assert not use.is_used
        assert use.data is not None
        assert "δ = 1" in use.note
