"""What a rough hand may do with a window or a dialog. Each says whether there was anything to do it with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QGraphicsView,
    QHeaderView,
    QLineEdit,
    QMenuBar,
    QScrollBar,
    QSlider,
    QSplitterHandle,
    QTabBar,
    QWidget,
)

from tests.workbench.monkey.hand import LEFT, MIDDLE, RIGHT, Hand
from tests.workbench.monkey.typed import KEYS, NONSENSE, NUMBERS

Action = Callable[[Hand, QWidget], bool]
W = TypeVar("W", bound=QWidget)
QUIT = "action-quit"


def click_a_button(hand: Hand, root: QWidget) -> bool:
    if not (button := some(hand, root, QAbstractButton)):
        return False
    hand.click(button)
    return True


def turn_a_page(hand: Hand, root: QWidget) -> bool:
    bar = some(hand, root, QTabBar)
    if bar is None or not bar.count():
        return False
    hand.click(bar, bar.tabRect(hand.chance.randrange(bar.count())).center())
    return True


def open_a_menu(hand: Hand, root: QWidget) -> bool:
    bar = some(hand, root, QMenuBar)
    if bar is None:
        return False
    hand.click(bar, bar.actionGeometry(hand.chance.choice(bar.actions())).center())
    return True


def use_a_combo(hand: Hand, root: QWidget) -> bool:
    """Open it (the popup is the next thing to act in), or choose by wheel or key."""
    if not (box := some(hand, root, QComboBox)):
        return False
    way = hand.chance.random()
    if way < 0.6:
        hand.click(box, QPoint(box.width() - 8, box.height() // 2))
    elif way < 0.8:
        hand.wheel(box, hand.place_in(box), hand.chance.choice((-2, -1, 1, 2)))
    else:
        box.setFocus()
        hand.press(box, hand.chance.choice(("Up", "Down", "Home", "End")))
    return True


def fill_a_field(hand: Hand, root: QWidget) -> bool:
    fields = [*seen(root, QLineEdit), *seen(root, QAbstractSpinBox)]
    if not fields:
        return False
    field = hand.chance.choice(fields)
    hand.click(field)
    hand.press(field, "Ctrl+A")
    hand.write(field, hand.chance.choice(NUMBERS if hand.chance.random() < 0.6 else NONSENSE))
    hand.press(field, hand.chance.choice(("Return", "Tab", "Esc", "Up", "Down")))
    return True


def move_a_slider(hand: Hand, root: QWidget) -> bool:
    sliders: list[QSlider | QScrollBar] = [*seen(root, QSlider), *seen(root, QScrollBar)]
    if not sliders:
        return False
    slider = hand.chance.choice(sliders)
    if hand.chance.random() < 0.6:
        hand.drag(slider, hand.place_in(slider), hand.place_in(slider))
    else:
        slider.setFocus()
        hand.press(slider, hand.chance.choice(("Home", "End", "Left", "Right", "PgUp", "PgDown")))
    return True


def use_a_table(hand: Hand, root: QWidget) -> bool:
    views = [view for view in seen(root, QAbstractItemView) if not isinstance(view, QHeaderView)]
    if not views:
        return False
    cells = hand.chance.choice(views).viewport()
    way = hand.chance.random()
    if way < 0.4:
        modifiers = (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.ControlModifier,
            Qt.KeyboardModifier.ShiftModifier,
        )
        hand.click(cells, hand.place_in(cells), modifier=hand.chance.choice(modifiers))
    elif way < 0.6:
        hand.click(cells, hand.place_in(cells), twice=True)
    elif way < 0.75:
        hand.click(cells, hand.place_in(cells), button=RIGHT)
    elif way < 0.9:
        hand.wheel(cells, hand.place_in(cells), hand.chance.choice((-9, -3, 3, 9)))
    else:
        hand.drag(cells, hand.place_in(cells), hand.place_in(cells))
    return True


def use_a_header(hand: Hand, root: QWidget) -> bool:
    headers = seen(root, QHeaderView)
    if not headers:
        return False
    header = hand.chance.choice(headers).viewport()
    if hand.chance.random() < 0.5:
        hand.click(header, hand.place_in(header))
    else:
        hand.drag(header, hand.place_in(header), hand.place_in(header))
    return True


def wheel_a_plot(hand: Hand, root: QWidget) -> bool:
    if not (plot := some(hand, root, QGraphicsView)):
        return False
    hand.wheel(plot.viewport(), hand.place_in(plot.viewport()), hand.chance.choice((-20, -5, -1, 1, 5, 20)))
    return True


def drag_a_plot(hand: Hand, root: QWidget) -> bool:
    if not (plot := some(hand, root, QGraphicsView)):
        return False
    view, button = plot.viewport(), hand.chance.choice((LEFT, LEFT, RIGHT, MIDDLE))
    hand.drag(view, hand.place_in(view), hand.place_in(view), button)
    return True


def point_at_a_plot(hand: Hand, root: QWidget) -> bool:
    if not (plot := some(hand, root, QGraphicsView)):
        return False
    view, way = plot.viewport(), hand.chance.random()
    if way < 0.5:
        hand.hover(view, hand.place_in(view))
    else:
        hand.click(view, hand.place_in(view), button=RIGHT if way < 0.7 else LEFT, twice=way > 0.9)
    return True


def press_a_key_in_a_plot(hand: Hand, root: QWidget) -> bool:
    if not (plot := some(hand, root, QGraphicsView)):
        return False
    plot.setFocus()
    for _ in range(hand.chance.choice((1, 3, 12))):
        hand.press(plot, hand.chance.choice(("Left", "Right", "Up", "Down", "+", "-", "-", "0", "Home")))
    return True


def press_a_shortcut(hand: Hand, root: QWidget) -> bool:
    found = [action for action in root.findChildren(QAction) if not action.shortcut().isEmpty() and action.isEnabled()]
    keys = [action.shortcut().toString() for action in found if action.objectName() != QUIT]
    if not keys:
        return False
    hand.press(root, hand.chance.choice(keys))
    return True


def press_a_key(hand: Hand, root: QWidget) -> bool:
    hand.press(root, hand.chance.choice(KEYS))
    return True


def paste_nonsense(hand: Hand, root: QWidget) -> bool:
    if not (field := some(hand, root, QLineEdit)):
        return False
    QApplication.clipboard().setText(hand.chance.choice((*NONSENSE, "long " * 5000, "two\nlines\x00")))
    hand.click(field)
    hand.press(field, "Ctrl+V")
    hand.press(field, "Return")
    return True


def paint(hand: Hand, root: QWidget) -> bool:
    """Draw on the canvas of the paint dialog."""
    canvas = root.findChild(QWidget, "canvas")
    if canvas is None or not isinstance(root, QDialog) or canvas.visibleRegion().isEmpty():
        return False
    for _ in range(3):
        hand.drag(canvas, hand.place_in(canvas), hand.place_in(canvas), hand.chance.choice((LEFT, LEFT, RIGHT)))
    return True


def pull_a_splitter(hand: Hand, root: QWidget) -> bool:
    if not (handle := some(hand, root, QSplitterHandle)):
        return False
    start = handle.rect().center()
    hand.drag(handle, start, start + QPoint(hand.chance.randint(-300, 300), hand.chance.randint(-300, 300)))
    return True


def click_anywhere(hand: Hand, root: QWidget) -> bool:
    button = hand.chance.choice((LEFT, LEFT, RIGHT, MIDDLE))
    hand.click(root, QPoint(hand.chance.randrange(root.width()), hand.chance.randrange(root.height())), button)
    return True


def resize(hand: Hand, root: QWidget) -> bool:
    width, height = hand.chance.choice(((1280, 800), (1900, 1000), (600, 400), (900, 1000), (1366, 700)))
    hand.resize(root, width, height)
    return True


def some(hand: Hand, root: QWidget, kind: type[W]) -> W | None:
    found = seen(root, kind)
    return hand.chance.choice(found) if found else None


def seen(root: QWidget, kind: type[W]) -> list[W]:
    """Widgets of a kind that a person could meet in this window now."""
    return [widget for widget in root.findChildren(kind) if _can_be_met(widget, root)]


def _can_be_met(widget: QWidget, root: QWidget) -> bool:
    return (
        widget.isVisible()
        and widget.isEnabled()
        and widget.window() is root.window()
        and not widget.visibleRegion().isEmpty()
    )


ANYWHERE: dict[Action, int] = {
    click_a_button: 20,
    use_a_combo: 8,
    fill_a_field: 8,
    move_a_slider: 5,
    use_a_table: 8,
    use_a_header: 2,
    wheel_a_plot: 5,
    drag_a_plot: 5,
    point_at_a_plot: 4,
    press_a_key_in_a_plot: 2,
    press_a_key: 4,
    paste_nonsense: 1,
    paint: 20,
    click_anywhere: 3,
    turn_a_page: 5,
    pull_a_splitter: 2,
    resize: 1,
}
"""How often each is drawn, in a window or in a dialog."""
IN_THE_WINDOW: dict[Action, int] = {**ANYWHERE, open_a_menu: 8, press_a_shortcut: 8}
