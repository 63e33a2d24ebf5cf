"""What a user sees of a mixture, chooses for it, and gets out of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QColor, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from figmn import Parameters
from tests.workbench import frames
from tests.workbench.hands import click, find, wait
from workbench.pages.stream.mixture_view import MixtureView
from workbench.run.show.frame import Frame, Plane
from workbench.views.look.theme import DARK, LIGHT, Theme
from workbench.views.plots.density_item import DECADES
from workbench.views.plots.legend_item import LINE, MARKS
from workbench.words.sentences import UserError

IRIS: dict[str, Any] = {"delta": 0.8, "beta": 0.1}


@pytest.fixture(scope="module")
def iris() -> Frame:
    return frames.frame(frames.iris(), Plane("columns", 2, 3), **IRIS)


@pytest.fixture(scope="module")
def stream() -> list[Frame]:
    return list(frames.frames(frames.births_and_deaths(4000), n_pieces=20))


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
    view.area.plot.layout.activate()  # titles of axes take their room
    view.grab()
    return view


def box(view: MixtureView, name: str) -> QComboBox:
    return find(view, QComboBox, name)


def note(view: MixtureView) -> str:
    label = find(view, QLabel, "pictureNote")
    return label.text()


def place(view: MixtureView, x: float, y: float) -> QPoint:
    found: QPoint = view.area.mapFromScene(view.area.plot.view.scene_place(x, y))
    return found


def seen(view: MixtureView) -> tuple[float, ...]:
    (left, right), (low, high) = view.area.plot.view.seen()
    return left, low, right, high


def holds(view: MixtureView, points: np.ndarray) -> bool:
    left, low, right, high = seen(view)
    return bool(((points >= (left, low)) & (points <= (right, high))).all())


def test_axes_and_legend_say_what_is_shown(view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    assert (view.area.plot.bottom.labelText, view.area.plot.left.labelText) == ("petallength", "petalwidth")
    assert view.area.legend.texts == ["class:", "Iris-setosa", "Iris-versicolor", "Iris-virginica", *MARKS]
    assert note(view) == "marginal of 4 dimensions"
    assert holds(view, iris.picture.points)


def test_a_title_longer_than_its_axis_is_cut(view: MixtureView, iris: Frame) -> None:
    long = "a column with a name that no axis has room for, however tall the window may be " * 4
    view.show_frame(replace(iris, picture=replace(iris.picture, labels=("x", long))))
    axis = view.area.plot.left
    assert axis.label.boundingRect().width() <= axis.size().height()
    assert axis.label.toPlainText().startswith("a column")
    assert axis.label.toPlainText().endswith("…")
    view.show_frame(iris)
    assert axis.label.toPlainText() == iris.picture.labels[1]


def test_a_longer_title_is_centred_as_well(view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    axis = view.area.plot.bottom
    axis.set_title("principal component 1 of a plane that shows much of the variance")
    middle = axis.label.pos().x() + axis.label.boundingRect().width() / 2
    assert middle == pytest.approx(axis.size().width() / 2, abs=2)


def test_many_classes_are_only_counted(view: MixtureView, iris: Frame) -> None:
    shown(view, replace(iris, labels=tuple(f"class {number}" for number in range(12))))
    assert view.area.legend.texts == ["class:", "12 classes", *MARKS]


def test_long_names_of_classes_take_two_lines(qtbot: QtBot, view: MixtureView, iris: Frame) -> None:
    names = tuple(f"a class with a long name {number}" for number in range(9))
    shown(view, replace(iris, labels=names))
    heading, *texts = view.area.legend.texts
    assert heading == "class:"
    assert len(texts) == len(set(texts)) == 9
    wait(qtbot, lambda: view.area.legend.size().height() == 2 * LINE)


def test_a_projection_is_called_one(view: MixtureView) -> None:
    frame = frames.frame(frames.iris(), Plane("pca"), **IRIS)
    shown(view, frame)
    assert note(view) == "projection: 96 % of the variance"
    assert not box(view, "xColumn").isEnabled()


def test_two_columns_need_no_note(view: MixtureView, stream: list[Frame]) -> None:
    shown(view, stream[-1])
    assert note(view) == ""


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_without_a_contour_of_chi_squared_two_sigma_is_drawn(view: MixtureView, iris: Frame, beta: float) -> None:
    frame = replace(iris, census=replace(iris.census, parameters=Parameters(beta=beta)))
    box(view, "contourBox").setCurrentText("χ²")
    shown(view, frame)
    assert view.ellipses.radius == 2.0
    assert note(view).endswith(f"β = {beta:g}: 2σ instead of χ²")
    box(view, "contourBox").setCurrentText("1σ")
    assert view.ellipses.radius == 1.0
    assert "instead" not in note(view)


def test_the_contour_holds_the_share_that_it_names(view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    box(view, "contourBox").setCurrentText("χ²")
    assert view.ellipses.radius**2 == pytest.approx(4.605170185988)  # chi-squared with 2 degrees of freedom at 0.9


def test_components_that_lost_definiteness_are_counted(view: MixtureView) -> None:
    settings: dict[str, Any] = {"covariance": "published", "delta": 0.1, "beta": 1e-6, "v_min": 200}
    frame = frames.frame(frames.iris(), Plane("columns", 2, 3), **settings)
    lost = int((np.linalg.eigvalsh(frame.picture.covariances)[:, 0] <= 0).sum())
    assert lost > 0
    shown(view, frame)
    assert note(view).endswith(f"{lost} not positive definite")


def test_columns_are_chosen_for_the_next_frames(qtbot: QtBot, view: MixtureView, iris: Frame) -> None:
    view.set_columns(iris.columns)
    assert view.plane == Plane("columns", 0, 1)
    for name, choice, wanted in (
        ("xColumn", "petallength", Plane("columns", 2, 1)),
        ("yColumn", "petallength", Plane("columns", 1, 2)),  # a column is not drawn against itself
        ("planeBox", "PCA plane", Plane("pca", 1, 2)),
        ("planeBox", "columns", Plane("columns", 1, 2)),
    ):
        with qtbot.waitSignal(view.plane_changed) as caught:
            box(view, name).setCurrentText(choice)
        assert caught.args == [wanted]
        assert view.plane == wanted
    assert box(view, "xColumn").currentText() == "sepalwidth"


def test_the_same_columns_keep_the_choice(qtbot: QtBot, view: MixtureView, iris: Frame) -> None:
    view.set_columns(iris.columns)
    box(view, "xColumn").setCurrentText("petalwidth")
    with qtbot.assertNotEmitted(view.plane_changed):
        view.set_columns(iris.columns)
    assert view.plane == Plane("columns", 3, 1)
    view.set_columns(("a", "b"))
    assert view.plane == Plane("columns", 0, 1)


def test_many_columns_can_be_typed(qtbot: QtBot, view: MixtureView) -> None:
    view.set_columns(tuple(f"pixel {number}" for number in range(784)))
    columns = box(view, "xColumn")
    assert columns.isEditable()
    edit = columns.lineEdit()
    assert edit is not None
    edit.selectAll()
    with qtbot.waitSignal(view.plane_changed) as caught:
        qtbot.keyClicks(edit, "pixel 400")
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert caught.args == [Plane("columns", 400, 1)]
    edit.setText("nonsense")
    edit.editingFinished.emit()
    assert columns.currentText() == "pixel 400"


def test_a_long_name_that_can_be_typed_is_read_from_its_beginning(view: MixtureView) -> None:
    view.set_columns((*(f"country={number}" for number in range(40)), "life_expectancy_at_birth_in_whole_years"))
    columns = box(view, "xColumn")
    edit = columns.lineEdit()
    assert edit is not None
    for choose in (lambda: view.set_plane(Plane("columns", 40, 1)), lambda: columns.setCurrentIndex(40)):
        view.set_plane(Plane("columns", 0, 1))
        choose()
        assert edit.text().startswith("life")
        assert edit.cursorPosition() == 0
    edit.setCursorPosition(9)
    edit.editingFinished.emit()
    assert edit.cursorPosition() == 0


def test_the_trail_limits_the_points(qtbot: QtBot, view: MixtureView, stream: list[Frame]) -> None:
    shown(view, stream[-1])
    assert view.points.n_points == 1000
    with qtbot.waitSignal(view.trail_changed) as caught:
        box(view, "trailBox").setCurrentText("last 100")
    assert caught.args == [100]
    assert view.points.n_points == 100
    with qtbot.waitSignal(view.trail_changed) as caught:
        box(view, "trailBox").setCurrentText("all kept")
    assert caught.args == [0]
    assert view.points.n_points == 4000


def test_a_click_meets_a_component(qtbot: QtBot, view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    smallest = np.linalg.det(iris.picture.covariances).argmin()
    spot = place(view, *iris.picture.centres[smallest])
    with qtbot.waitSignal(view.component_clicked) as caught:
        click(view.area.viewport(), at=spot)
    assert caught.args == [int(iris.census.ids[smallest])]
    left, low, right, high = seen(view)
    corner = place(view, left + 0.02 * (right - left), high - 0.02 * (high - low))
    with qtbot.waitSignal(view.component_clicked) as caught:
        click(view.area.viewport(), at=corner)
    assert caught.args == [None]
    assert view.ellipses.selected is None


def test_the_pointer_reads_a_component(view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    card = find(view, QLabel, "componentCard")
    weightiest = int(iris.census.priors.argmax())
    view.area.pointed.emit(tuple(iris.picture.centres[weightiest]))
    lines = card.text().split("\n")
    assert card.isVisible()
    assert lines[0] == f"#{iris.census.ids[weightiest]}"
    prior, age = iris.census.priors[weightiest], iris.census.ages[weightiest]
    assert lines[1] == f"prior {prior:.3f} · sp {iris.census.accumulators[weightiest]:.2f} · v {age}"
    mean = iris.picture.centres[weightiest, 0]
    assert lines[2] == f"petallength: {mean:.3f} ± {np.sqrt(iris.picture.covariances[weightiest, 0, 0]):.4f}"
    assert view.area.rect().contains(card.geometry())
    view.area.pointed.emit(None)
    assert not card.isVisible()


def test_the_view_follows_the_data_without_jumping(qtbot: QtBot, view: MixtureView, stream: list[Frame]) -> None:
    shown(view, stream[0])
    sizes = [seen(view)]
    for frame in stream[1:]:
        view.show_frame(frame)
        centres, points = frame.picture.centres, frame.picture.points[-1000:]
        wait(qtbot, lambda centres=centres, points=points: holds(view, centres) and holds(view, points))  # type: ignore[misc]
        sizes.append(seen(view))
    grown = np.diff(np.array(sizes), axis=0)
    assert (grown[:, :2] <= 1e-9).all()
    assert (grown[:, 2:] >= -1e-9).all()
    assert grown.any()


def test_a_user_who_zooms_is_left_alone_until_fit(qtbot: QtBot, view: MixtureView, stream: list[Frame]) -> None:
    shown(view, stream[0])
    view.area.setFocus()
    for _ in range(4):
        qtbot.keyClick(view.area, Qt.Key.Key_Plus)
    qtbot.keyClick(view.area, Qt.Key.Key_Right)
    before = seen(view)
    view.show_frame(stream[-1])
    assert seen(view) == before
    assert not holds(view, stream[-1].picture.centres)
    fit = find(view, QToolButton, "fitButton")
    click(fit)
    assert holds(view, stream[-1].picture.centres)


def test_another_plane_is_fitted_anew(view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    other = frames.frame(frames.iris(), Plane("columns", 0, 1), **IRIS)
    view.show_frame(other)
    left, low, right, high = seen(view)
    assert holds(view, other.picture.points)
    assert (right - left) < 4 * np.ptp(other.picture.points[:, 0])
    assert (high - low) < 4 * np.ptp(other.picture.points[:, 1])


def test_the_heat_map_is_drawn_on_demand(view: MixtureView, stream: list[Frame]) -> None:
    shown(view, stream[-1])
    weightiest = stream[-1].census.priors.argmax()
    spot = place(view, *(stream[-1].picture.centres[weightiest] + (0.0, 0.9)))
    before = QColor(view.area.grab().toImage().pixel(spot))
    button = find(view, QToolButton, "densityButton")
    click(button)
    assert QColor(view.area.grab().toImage().pixel(spot)) != before
    click(button)
    assert QColor(view.area.grab().toImage().pixel(spot)) == before


def test_the_heat_map_has_a_scale_in_the_units_of_the_data(qtbot: QtBot, view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    bar = view.area.colour_bar
    assert not bar.isVisible()
    view.tools.density.setChecked(True)
    view.area.grab()
    assert bar.isVisible()
    assert bar.size().height() == pytest.approx(view.area.plot.view.size().height(), abs=1)
    left, low, right, high = seen(view)
    places = np.stack(np.meshgrid(np.linspace(left, right, 200), np.linspace(low, high, 200)), axis=-1).reshape(-1, 2)
    truth = np.log10(marginal_density(iris, places).max())
    height = bar.size().height()
    for place, text in bar.marks():
        assert (truth - place / height * DECADES) == pytest.approx(power(text), abs=0.03), text
    assert len(bar.marks()) >= 2
    view.clear()
    wait(qtbot, lambda: bar.marks() == [])  # nothing is in sight
    view.tools.density.setChecked(False)
    assert not bar.isVisible()


def marginal_density(frame: Frame, places: np.ndarray) -> np.ndarray:
    total = np.zeros(len(places))
    picture = frame.picture
    for prior, centre, covariance in zip(frame.census.priors, picture.centres, picture.covariances, strict=True):
        offsets = places - centre
        squared = np.einsum("ni,ij,nj->n", offsets, np.linalg.inv(covariance), offsets)
        total += prior * np.exp(-squared / 2) / (2 * np.pi * np.sqrt(np.linalg.det(covariance)))
    return total


def power(text: str) -> int:
    assert text.startswith("10")
    return int(text[2:].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))


@pytest.mark.parametrize("size", [1e-200, 1e-160, 1e160, 1e300])
def test_the_scale_is_finite_however_large_the_data_are(view: MixtureView, iris: Frame, size: float) -> None:
    picture = iris.picture
    # Beyond 1e154 a variance is not finite: there is no ellipse, and nothing is in sight.
    with np.errstate(over="ignore", under="ignore"):
        large = replace(
            picture, centres=picture.centres * size, points=picture.points * size,
            covariances=picture.covariances * size * size,
        )  # fmt: skip
    view.tools.density.setChecked(True)
    shown(view, replace(iris, picture=large))
    assert all(0 <= place <= view.area.colour_bar.size().height() for place, _ in view.area.colour_bar.marks())


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_ellipses_and_points_are_set_off_from_the_density(view: MixtureView, iris: Frame, theme: Theme) -> None:
    view.set_theme(theme)
    view.colour_components(True)
    view.tools.density.setChecked(True)
    shown(view, iris)
    colours = pixels(view)
    assert {theme.component_colour(number) for number in iris.census.ids.tolist()} <= set(colours)
    assert colours.count(theme.base) > 500, "halos and rims"


def pixels(view: MixtureView) -> list[str]:
    """Colours within the axes."""
    area = view.area.mapFromScene(view.area.plot.view.sceneBoundingRect()).boundingRect()
    picture = view.area.grab(area.adjusted(2, 2, -2, -2)).toImage()
    return [picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())]


def test_components_have_colours_of_their_own_or_that_of_the_engine(view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    numbers = iris.census.ids.tolist()
    view.select(numbers[1])
    own = LIGHT.component_colour(numbers[1])
    assert own not in pixels(view)
    view.colour_components(True)
    assert own in pixels(view)
    view.set_theme(DARK)
    assert DARK.component_colour(numbers[1]) in pixels(view)


def test_the_latest_heat_map_comes_though_no_frame_follows(
    qtbot: QtBot, view: MixtureView, stream: list[Frame]
) -> None:
    shown(view, stream[1])
    view.tools.density.setChecked(True)
    view.area.grab()
    early = view.density._raster
    view.show_frame(stream[-1])
    wait(qtbot, lambda: view.density._raster is not early)
    final = view.density._done
    assert final[0] == view.density._number


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_picture_is_twice_as_fine(view: MixtureView, iris: Frame, tmp_path: Path, theme: object) -> None:
    view.set_theme(theme)  # type: ignore[arg-type]
    shown(view, iris)
    view.draw_picture(tmp_path / "mixture.png")()
    picture = QImage(str(tmp_path / "mixture.png"))
    assert picture.size() == view.area.viewport().size() * 2
    assert QColor(picture.pixel(2, picture.height() // 2)) == QColor(theme.base)  # type: ignore[attr-defined]
    small = view.area.grab().toImage()
    differences = 0
    halved = picture.scaled(small.size(), mode=Qt.TransformationMode.SmoothTransformation)
    for x in range(0, small.width(), 7):
        for y in range(0, small.height(), 7):
            one, other = QColor(small.pixel(x, y)), QColor(halved.pixel(x, y))
            differences += abs(one.lightness() - other.lightness()) > 60
    assert differences < 0.01 * small.width() * small.height() / 49


def test_an_svg_has_words_and_shapes(view: MixtureView, iris: Frame, tmp_path: Path) -> None:
    shown(view, iris)
    view.draw_picture(tmp_path / "mixture.svg")()
    text = (tmp_path / "mixture.svg").read_text()
    for word in ("petallength", "petalwidth", "Iris-setosa", ">#0<"):
        assert word in text
    assert "<image" not in text
    box(view, "trailBox").setCurrentText("all kept")


def test_a_picture_that_fails_leaves_the_file_alone(view: MixtureView, iris: Frame, tmp_path: Path) -> None:
    shown(view, iris)
    kept = tmp_path / "mixture.gif"
    kept.write_text("precious")
    with pytest.raises(UserError, match=r"^mixture\.gif cannot be written"):
        view.draw_picture(kept)()
    assert kept.read_text() == "precious"
    with pytest.raises(OSError, match="nowhere"):
        view.draw_picture(tmp_path / "nowhere" / "mixture.png")()
    view.draw_picture(tmp_path / "mixture.png")()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mixture.gif", "mixture.png"]


def test_the_focus_is_seen_on_the_screen_and_not_in_pictures(qtbot: QtBot, view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    view.tools.fit.setFocus()
    before, picture = view.area.viewport().grab().toImage(), view.area.picture()
    view.area.setFocus()
    wait(qtbot, view.area.hasFocus)
    assert view.area.viewport().grab().toImage() != before
    assert view.area.picture() == picture


def test_the_picture_goes_to_the_clipboard(view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    view.copy_picture()
    assert QApplication.clipboard().image().size() == view.area.viewport().size() * 2


@pytest.mark.parametrize(("name", "kind"), [("exportPng", "png"), ("exportSvg", "svg"), ("copyPicture", "copy")])
def test_pictures_are_asked_for(qtbot: QtBot, view: MixtureView, name: str, kind: str) -> None:
    with qtbot.waitSignal(view.picture_requested) as caught:
        next(action for action in view.findChildren(QAction) if action.objectName() == name).trigger()
    assert caught.args == [kind]


def test_themes_reach_the_plot(view: MixtureView, iris: Frame) -> None:
    shown(view, iris)
    view.set_theme(DARK)
    image = view.area.grab().toImage()
    assert QColor(image.pixel(2, image.height() // 2)) == QColor(DARK.base)


def test_a_cleared_view_shows_nothing(view: MixtureView, iris: Frame) -> None:
    empty = shown(view, iris).area.grab().toImage()
    view.clear()
    assert view.points.n_points == 0
    assert len(view.ellipses.components.ids) == 0
    assert note(view) == ""
    assert view.area.grab().toImage() != empty


def test_the_first_sample_is_shown(view: MixtureView) -> None:
    first = next(frames.frames(frames.births_and_deaths(50), n_pieces=50))
    assert first.n_done == 1
    shown(view, first)
    assert holds(view, first.picture.points)
    assert view.ellipses.labels == ("#0",)


@pytest.mark.parametrize("width", [420, 640, 1140])
def test_no_tool_is_clipped_or_covered(qtbot: QtBot, view: MixtureView, iris: Frame, width: int) -> None:
    view.resize(width, 520)
    shown(view, iris)
    names = ("xColumn", "yColumn", "planeBox", "contourBox", "trailBox")
    tools = [*(box(view, name) for name in names), view.tools.density, view.tools.fit, view.tools.export]
    wait(qtbot, lambda: view.tools.width() == view.width())
    rects = [tool.rect().translated(tool.mapTo(view, QPoint(0, 0))) for tool in tools]
    for position, rect in enumerate(rects):
        assert view.rect().contains(rect)
        assert not any(rect.intersects(other) for other in rects[:position])


def moved(frame: Frame, size: float, origin: float) -> Frame:
    """The same data in another unit, from another zero."""
    old = frame.picture
    points, centres = old.points.astype(np.float64) * size + origin, old.centres * size + origin
    return replace(
        frame, picture=replace(old, points=points, centres=centres, covariances=old.covariances * size * size)
    )


@pytest.mark.parametrize(
    ("size", "origin"), [(1e15, 0.0), (1e150, 0.0), (1e-150, 0.0), (1e-320, 0.0), (1000.0, 1.7e18), (1.0, -1e9)]
)
def test_data_of_any_range_are_seen_and_found(
    qtbot: QtBot, view: MixtureView, iris: Frame, size: float, origin: float
) -> None:
    shown(view, moved(iris, size, origin))
    view.density.setVisible(True)
    assert holds(view, view.area._scene.picture.points)  # type: ignore[union-attr]
    picture = view.area.grab().toImage()
    inks = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert len(inks) > 100, "points, ellipses and density"
    drawn = view.points._key
    assert drawn, "the raster was made"
    for axis in (view.area.plot.bottom, view.area.plot.left):
        texts = [text for text in axis._texts.values() if text]
        assert len(texts) >= 2
        assert len(set(texts)) == len(texts)
    if size > 1e-300:  # a variance of 1e-640 is none
        assert view.ellipses.labels
        centre = view.ellipses.components.centres[int(np.argmax(view.ellipses.components.priors))]
        with qtbot.waitSignal(view.component_clicked) as clicked:
            click(view.area.viewport(), at=place(view, *centre.tolist()))
        assert clicked.args is not None
        assert clicked.args[0] is not None


def test_wheel_and_double_click_at_a_huge_range(qtbot: QtBot, view: MixtureView, iris: Frame) -> None:
    shown(view, moved(iris, 1e150, 0.0))
    before = seen(view)
    for _ in range(80):
        view.area.plot.vb.scaleBy((1.5, 1.5))
        view.area.plot.view.sigRangeChangedManually.emit([True, True])
        view.grab()
    assert np.isfinite(seen(view)).all()
    for press in (qtbot.mouseDClick, qtbot.mouseRelease):
        press(view.area.viewport(), Qt.MouseButton.LeftButton, pos=view.area.viewport().rect().center())
    np.testing.assert_allclose(seen(view), before)


def test_principal_planes_are_named_by_their_columns(qtbot: QtBot, view: MixtureView) -> None:
    box = view.tools.kind
    names = ("width", "height", "class=a", "class=b")
    view.set_columns(names)
    assert [box.itemText(i) for i in range(box.count())] == ["columns", "PCA plane", "tour", "matrix"]
    view.set_columns(names, has_targets=True)
    assert [box.itemText(i) for i in range(box.count())] == ["columns", "PCA: inputs", "PCA: all", "tour", "matrix"]
    planes = (Plane("input pca"), Plane("pca"), Plane("columns"))
    for text, plane in zip(("PCA: inputs", "PCA: all", "columns"), planes, strict=True):
        with qtbot.waitSignal(view.plane_changed) as caught:
            box.setCurrentText(text)
        assert caught.args == [view.plane] == [plane]
        view.set_plane(view.plane)
        assert box.currentText() == text
    view.set_columns(names)
    assert [box.itemText(i) for i in range(box.count())] == ["columns", "PCA plane", "tour", "matrix"]


def test_the_note_says_whose_variance_a_projection_shows(view: MixtureView) -> None:
    frame = frames.frame(frames.iris(), Plane("pca"), **IRIS)
    view.show_frame(frame)
    assert "of the variance" in view.tools.note.text()
    view.show_frame(replace(frame, picture=replace(frame.picture, plane=Plane("input pca"))))
    assert "of the inputs' variance" in view.tools.note.text()
