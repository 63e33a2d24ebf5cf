"""Logarithmic axes and equal aspect of a mixture plot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from figmn.system.arrays import Floats
from tests.workbench import frames
from tests.workbench.hands import wait
from workbench.pages.stream.mixture_view import MixtureView
from workbench.run.show.frame import Frame, Picture, Plane
from workbench.views.look.theme import LIGHT
from workbench.views.plots.axis_scales import LoggedComponents, logged, logs_of
from workbench.views.plots.ellipses_item import DrawnComponents
from workbench.views.plots.plot_units import Units


@pytest.fixture(scope="module")
def iris() -> Frame:
    return frames.frame(frames.iris(), Plane("columns", 2, 3), delta=0.8, beta=0.1)


@pytest.fixture
def view(qtbot: QtBot) -> MixtureView:
    view = MixtureView()
    qtbot.addWidget(view)
    view.set_theme(LIGHT)
    view.resize(760, 520)
    view.show()
    qtbot.waitExposed(view)
    return view


def shown(view: MixtureView, frame: Frame) -> MixtureView:
    view.set_columns(frame.columns)
    view.set_plane(frame.picture.plane)
    view.show_frame(frame)
    view.area.plot.layout.activate()
    view.grab()
    return view


def shifted(frame: Frame, by: tuple[float, float]) -> Frame:
    picture = frame.picture
    moved = replace(picture, points=picture.points + by, centres=picture.centres + by)
    return replace(frame, picture=moved)


def pixels_per_unit(view: MixtureView) -> tuple[float, float]:
    across, up = view.area.plot.view.seen()
    box = view.area.plot.view
    return box.width() / across.width, box.height() / up.width


def test_points_and_outlines_are_transformed_point_by_point(iris: Frame) -> None:
    linear = DrawnComponents.of(iris.picture, iris.census)
    found = LoggedComponents.on(linear, (True, False))
    outlines = found.outlines(2.0, 65)
    expected = linear.outlines(2.0, outlines.shape[1])
    positive = expected[..., 0] > 1e-6
    assert positive.all(axis=1).any()
    np.testing.assert_allclose(outlines[..., 0][positive], np.log10(expected[..., 0][positive]))
    np.testing.assert_array_equal(outlines[..., 1], expected[..., 1])
    np.testing.assert_allclose(found.centres[:, 0], np.log10(linear.centres[:, 0]))
    points = logged(iris.picture, (True, True)).points
    np.testing.assert_allclose(points, np.log10(iris.picture.points))
    assert LoggedComponents.on(linear, (False, False)) is linear


def test_a_component_is_met_where_its_outline_is(iris: Frame) -> None:
    linear = DrawnComponents.of(iris.picture, iris.census)
    units = (Units(0.5, 2.0), Units(1.0, 4.0))
    found = LoggedComponents.on(linear, (True, True)).seen_in(units)
    rng = np.random.default_rng(0)
    for x, y in rng.uniform(0.2, 7.0, (200, 2)).tolist():
        place = units[0].place(np.log10(x)), units[1].place(np.log10(y))
        assert found.at(*place, 2.0, (0.0, 0.0)) == linear.at(x, y, 2.0, (0.0, 0.0))
    # A centre within reach comes first.
    x, y = (found.centres[1] + 0.001).tolist()
    assert found.at(x, y, 0.0, (0.01, 0.01)) == 1


def test_an_ellipse_beyond_zero_is_drawn_far_away_and_never_infinite() -> None:
    one = np.ones(1)
    component = DrawnComponents(
        np.zeros(1, np.int64), np.array([[1.0, -5.0]]), np.array([np.eye(2)]), one, np.zeros(1, bool), np.zeros(1, bool)
    )
    found = LoggedComponents.on(component, (True, True))
    for numbers in (found.outlines(2.0, 65), found.centres, found.extents(2.0)):
        assert np.isfinite(numbers).all()
    assert found.outlines(2.0, 65)[0, :, 0].min() < -10


def picture_of(points: Floats, kinds: tuple[str, str] = ("numeric", "numeric")) -> Picture:
    codes = np.zeros(len(points), np.int16)
    return Picture(Plane(), ("x", "y"), None, np.empty((0, 2)), np.empty((0, 2, 2)), points, codes, kinds)


@pytest.mark.parametrize(
    ("points", "kinds", "logs", "remarks"),
    [
        ([[1.0, 2.0]], ("numeric", "numeric"), (True, True), []),
        ([[0.0, 2.0]], ("numeric", "numeric"), (False, True), ["no log x: least value 0.000"]),
        ([[np.nan, -2.5], [1.0, np.nan]], ("numeric", "numeric"), (True, False), ["no log y: least value −2.500"]),
        ([[1.0, 2.0]], ("date", "nominal"), (False, False), ["no log x: dates", "no log y: labels"]),
        ([[np.nan, 2.0]], ("numeric", "numeric"), (False, True), ["no log x: no values"]),
    ],
)
def test_only_positive_numbers_have_logarithms(
    points: list[list[float]], kinds: tuple[str, str], logs: tuple[bool, bool], remarks: list[str]
) -> None:
    assert logs_of(picture_of(np.array(points), kinds), (True, True)) == (logs, remarks)


def test_a_logarithmic_plot_shows_logarithms_and_plain_numbers(view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    view.set_logs(True, False)
    view.grab()
    np.testing.assert_allclose(view.points._x, np.log10(iris.picture.points[-1000:, 0]))
    np.testing.assert_array_equal(view.points._y, iris.picture.points[-1000:, 1])
    across, up = view.area.plot.view.seen()
    assert across.low <= np.log10(iris.picture.points[:, 0].min())
    assert up.high >= iris.picture.points[:, 1].max()
    marks = view.area.plot.bottom.marks(across.low, across.high, 600)
    assert len(marks.texts) > 1
    np.testing.assert_allclose([float(text) for text in marks.texts], 10.0 ** np.array(marks.values, float))
    # The numbers of a component stay what they are.
    assert view.area._scene is not None
    np.testing.assert_array_equal(view.area._scene.picture.centres, iris.picture.centres)
    view.set_logs(False, False)
    np.testing.assert_array_equal(view.points._x, iris.picture.points[-1000:, 0])


def test_the_note_says_why_an_axis_is_not_logarithmic(view: MixtureView, iris: Frame) -> None:
    shown(view, shifted(iris, (-3.0, 0.0)))
    view.set_logs(True, True)
    assert "no log x: least value −2" in view.tools.note.text()
    assert "no log y" not in view.tools.note.text()
    view.tools.density.click()
    view.set_equal(True)
    assert "no equal aspect and no density on a log axis" in view.tools.note.text()
    view.grab()


def test_a_unit_of_both_axes_has_the_same_length(qtbot: QtBot, view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    before = pixels_per_unit(view)
    assert before[0] != pytest.approx(before[1], rel=0.05)
    view.set_equal(True)
    view.grab()
    across, up = pixels_per_unit(view)
    assert across == pytest.approx(up, rel=1e-6)
    for axis, span in enumerate(view.area.plot.view.seen()):
        values = iris.picture.points[:, axis]
        assert span.low <= values.min()
        assert span.high >= values.max()
    # Nothing goes on moving, and neither another size of the window nor a zoom changes it.
    assert not view.area.follower._growth.isActive()
    view.resize(500, 640)
    wait(qtbot, lambda: pixels_per_unit(view)[0] == pytest.approx(pixels_per_unit(view)[1], rel=1e-6))
    view.area.plot.vb.scaleBy((0.5, 0.9))
    view.area.plot.view.sigRangeChangedManually.emit([True, True])
    across, up = pixels_per_unit(view)
    assert across == pytest.approx(up, rel=1e-6)
    view.set_equal(False)
    view.show_frame(iris)
    across, up = pixels_per_unit(view)
    assert across != pytest.approx(up, rel=0.01)


def test_dates_stay_dates(view: MixtureView, iris: Frame) -> None:
    dated = replace(iris, picture=replace(iris.picture, kinds=("date", "numeric")))
    shown(view, dated)
    assert view.area.plot.bottom.marks(0.0, 1000.0, 400).texts[0].startswith("197")
