"""Colours, fonts and the style sheet of the light and the dark theme."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from workbench.source.samples import assets
from workbench.views.look.polish import polish_all

ThemeName = Literal["light", "dark", "system"]

GRID = 8
"""Pixels of the layout grid."""
FONT = "Inter"
SMALL, NORMAL, LARGE = 11, 13, 16
"""The three text sizes, in pixels at 100 %."""

SHAPES = ("o", "s", "t1", "d", "t", "p", "+", "x", "star", "h")
"""Symbols of the classes, as pyqtgraph names them; after the last they start again."""


@dataclass(frozen=True)
class Theme:
    """The colours of a theme."""

    name: str
    window: str
    """Behind bars and side panels."""
    panel: str
    base: str
    """Behind plots, tables and fields."""
    hover: str
    border: str
    grid: str
    text: str
    muted: str
    faint: str
    """Disabled controls."""
    accent: str
    """Also Fast IGMN, everywhere."""
    on_accent: str
    selection: str
    cubic: str
    """The cubic IGMN, everywhere."""
    good: str
    warning: str
    bad: str
    bad_background: str
    classes: tuple[str, ...]
    """Okabe and Ito's colours, safe for colour-blind users."""
    components: tuple[str, ...]
    """Of components: far apart for all kinds of colour vision, with enough contrast for thin
    lines, and none of a class."""

    def class_colour(self, code: int) -> str:
        """The colour of a class; grey where there is none."""
        return self.muted if code < 0 else self.classes[code % len(self.classes)]

    def component_colour(self, id: int) -> str:
        """The colour of a component, by its id."""
        return self.components[id % len(self.components)]

    def class_shape(self, code: int) -> str:
        """The symbol of a class."""
        return "o" if code < 0 else SHAPES[code % len(SHAPES)]


LIGHT = Theme(
    name="light",
    window="#f4f6f8",
    panel="#fafbfd",
    base="#ffffff",
    hover="#e9eef5",
    border="#d9dee6",
    grid="#e6e9ee",
    text="#161b22",
    muted="#5d6776",
    faint="#a3abb7",
    accent="#1a6ce8",
    on_accent="#ffffff",
    selection="#dbe8fc",
    cubic="#c8501a",
    good="#0a7f58",
    warning="#8f5f00",
    bad="#b3261e",
    bad_background="#fdeceb",
    classes=("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8a7f00", "#4d4d4d"),
    components=("#1a6ce8", "#ee3377", "#997700", "#332288", "#aa4499", "#663333"),
)
DARK = Theme(
    name="dark",
    window="#1b1f26",
    panel="#1a1e24",
    base="#14171c",
    hover="#262c36",
    border="#323a46",
    grid="#2a303a",
    text="#e7ebf0",
    muted="#98a2b1",
    faint="#5b6573",
    accent="#4c9aff",
    on_accent="#0b1220",
    selection="#1f3a5f",
    cubic="#ff7f50",
    good="#3fbf8f",
    warning="#e0a83a",
    bad="#ff7b72",
    bad_background="#3a1f20",
    classes=("#3d9ad6", "#e69f00", "#1fbf92", "#d98cb8", "#f07b2e", "#7cc7f2", "#f0e442", "#c0c0c0"),
    components=("#66ccee", "#ee3377", "#d0d000", "#b07aff", "#ee8866", "#997700"),
)


def resolve(name: ThemeName, application: QApplication) -> Theme:
    """The theme of a name; `system` follows the desktop."""
    if name == "system":
        return DARK if application.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT
    return DARK if name == "dark" else LIGHT


def load_fonts(application: QApplication) -> None:
    """Use the bundled font; the system's fonts supply characters that it lacks."""
    for path in sorted((assets() / "fonts").glob("*.otf")):
        QFontDatabase.addApplicationFont(str(path))
    application.setFont(font())


def font(size: int = NORMAL, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The font of the window, with figures of equal width."""
    found = QFont(FONT)
    found.setPixelSize(size)
    found.setWeight(weight)
    found.setFeature(QFont.Tag("tnum"), 1)
    return found


def apply(theme: Theme, application: QApplication) -> None:
    """Apply a theme to the whole application; views pass it on to their plots.

    The style sheet is set once and refers to palette roles: with another style sheet Qt would restyle every widget once
    for each of its ancestors, which takes seconds.
    """
    pg.setConfigOptions(background=theme.base, foreground=theme.muted, antialias=True)
    sheet, colours = style_sheet(), palette(theme)
    if application.styleSheet() != sheet:
        application.setStyle("Fusion")
        application.setPalette(colours)
        application.setStyleSheet(sheet)
    elif application.palette() != colours:
        application.setPalette(colours)
        polish_all()


def palette(theme: Theme) -> QPalette:
    """The palette of a theme, for the style sheet and for what Qt draws itself."""
    found = QPalette()
    for role, name in {**QTS_OWN, **ROLES}.items():
        found.setColor(role, QColor(getattr(theme, name)))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        found.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.faint))
    return found


PaletteRole = QPalette.ColorRole
QTS_OWN = {
    PaletteRole.Text: "text",
    PaletteRole.AlternateBase: "panel",
    PaletteRole.ButtonText: "text",
    PaletteRole.HighlightedText: "text",
}
ROLES = {
    PaletteRole.Window: "window",
    PaletteRole.Button: "panel",
    PaletteRole.Base: "base",
    PaletteRole.Light: "hover",
    PaletteRole.Mid: "border",
    PaletteRole.Midlight: "grid",
    PaletteRole.WindowText: "text",
    PaletteRole.PlaceholderText: "muted",
    PaletteRole.Shadow: "faint",
    PaletteRole.Accent: "accent",
    PaletteRole.LinkVisited: "on_accent",
    PaletteRole.Highlight: "selection",
    PaletteRole.Link: "cubic",
    PaletteRole.ToolTipText: "good",
    PaletteRole.ToolTipBase: "warning",
    PaletteRole.BrightText: "bad",
    PaletteRole.Dark: "bad_background",
}
"""The palette role of each colour in the style sheet; some are roles that Qt itself does not draw with here."""
ROLE_WORDS = {
    name: "-".join(re.findall("[A-Z][a-z]+", role.name.replace("ToolTip", "Tooltip"))).lower()
    for role, name in ROLES.items()
}
ANY_LOOK = Theme(
    name="any", classes=(), components=(), **{name: f"palette({word})" for name, word in ROLE_WORDS.items()}
)


def style_sheet() -> str:
    """The style sheet on top of Fusion, for any theme. Widgets select a variant by the property `manner`."""
    t, icons = ANY_LOOK, (assets() / "icons").as_posix()
    return f"""
    QWidget {{ font-size: {NORMAL}px; }}
    QMainWindow, QDialog {{ background: {t.window}; }}
    QMenuBar {{ background: {t.window}; padding: 2px 8px; }}
    QMenuBar::item {{ padding: 4px 8px; border-radius: 4px; background: transparent; color: {t.text}; }}
    QMenuBar::item:selected {{ background: {t.hover}; }}
    QMenu {{ background: {t.panel}; border: 1px solid {t.border}; padding: 4px; }}
    QMenu::item {{ padding: 5px 24px 5px 12px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {t.selection}; color: {t.text}; }}
    QMenu::item:disabled {{ color: {t.faint}; }}
    QMenu::separator {{ height: 1px; background: {t.border}; margin: 4px 8px; }}
    QTabWidget::pane {{ border: 0; border-top: 1px solid {t.border}; background: {t.base}; }}
    QTabBar {{ background: {t.window}; }}
    QTabBar::tab {{ padding: 8px 16px; color: {t.muted}; border: 0; border-bottom: 2px solid transparent; }}
    QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; font-weight: 600; }}
    QTabBar::tab:hover:!selected {{ color: {t.text}; background: {t.hover}; }}
    QTabBar::tab:selected:focus {{ background: {t.selection}; }}
    QLabel {{ background: transparent; }}
    QLabel[manner="heading"] {{ color: {t.muted}; font-size: {SMALL}px; font-weight: 600; }}
    QLabel[manner="muted"] {{ color: {t.muted}; }}
    QLabel[manner="small"] {{ color: {t.muted}; font-size: {SMALL}px; }}
    QLabel[manner="large"] {{ font-size: {LARGE}px; font-weight: 600; }}
    QLabel[manner="strong"] {{ font-weight: 600; }}
    QLabel[manner="error"] {{ color: {t.bad}; font-size: {SMALL}px; }}
    QLabel[manner="warning"] {{ color: {t.warning}; }}
    QLabel[manner="good"] {{ color: {t.good}; }}
    QWidget[manner="side"] {{ background: {t.panel}; }}
    QWidget[manner="page"] {{ background: {t.base}; }}
    QWidget[manner="bar"] {{ background: {t.window}; }}
    QFrame[manner="line"] {{ background: {t.border}; border: 0; }}
    QFrame[manner="notice"] {{ background: {t.bad_background}; border: 1px solid {t.bad}; border-radius: 6px; }}
    QFrame[manner="card"] {{ background: {t.panel}; border: 1px solid {t.border}; border-radius: 6px; }}
    QFrame[manner="drop"] {{ border: 1px dashed {t.border}; border-radius: 4px; }}
    QFrame[manner="drop here"] {{ background: {t.selection}; border: 1px solid {t.accent}; border-radius: 4px; }}
    QPushButton, QToolButton {{ background: {t.base}; border: 1px solid {t.border}; border-radius: 6px;
        padding: 4px 10px; color: {t.text}; }}
    QToolButton {{ padding: 4px; }}
    QToolButton[manner="chip"] {{ padding: 0 6px; border-radius: 4px; font-size: {SMALL}px; }}
    QPushButton:hover, QToolButton:hover {{ background: {t.hover}; }}
    QPushButton:pressed, QToolButton:pressed, QToolButton:checked {{ background: {t.selection}; }}
    QPushButton:focus, QToolButton:focus, QComboBox:focus, QLineEdit:focus, QAbstractSpinBox:focus,
    QPlainTextEdit:focus, QTextEdit:focus {{ border: 1px solid {t.accent}; }}
    QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QLineEdit:disabled, QAbstractSpinBox:disabled {{
        color: {t.faint}; background: {t.window}; }}
    QPushButton[manner="main"] {{ background: {t.accent}; border-color: {t.accent}; color: {t.on_accent};
        font-weight: 600; }}
    QPushButton[manner="main"]:disabled {{ background: {t.hover}; border-color: {t.border}; color: {t.faint}; }}
    QPushButton[manner="main"]:focus {{ border: 2px solid {t.text}; padding: 3px 9px; }}
    QPushButton[manner="flat"], QToolButton[manner="flat"] {{ background: transparent; border: 1px solid transparent; }}
    QPushButton[manner="flat"]:hover, QToolButton[manner="flat"]:hover {{ background: {t.hover}; }}
    QPushButton[manner="flat"]:focus, QToolButton[manner="flat"]:focus {{ border: 1px solid {t.accent}; }}
    QComboBox, QLineEdit, QAbstractSpinBox {{ background: {t.base}; border: 1px solid {t.border}; border-radius: 6px;
        padding: 3px 8px; color: {t.text}; min-height: 20px; }}
    QComboBox {{ selection-background-color: {t.selection}; selection-color: {t.text}; }}
    QLineEdit, QAbstractSpinBox {{ selection-background-color: {t.accent}; selection-color: {t.on_accent}; }}
    QLineEdit[wrong="true"], QAbstractSpinBox[wrong="true"] {{ border: 1px solid {t.bad}; }}
    QComboBox::drop-down {{ border: 0; width: 20px; }}
    QComboBox {{ combobox-popup: 0; }}
    QComboBox QAbstractItemView {{ background: {t.panel}; border: 1px solid {t.border}; color: {t.text};
        selection-background-color: {t.selection}; selection-color: {t.text}; outline: 0; }}
    QComboBox QAbstractItemView::item {{ min-height: 24px; padding: 0 8px; }}
    QPlainTextEdit, QTextEdit {{ background: {t.base}; border: 1px solid {t.border}; border-radius: 6px; }}
    QPlainTextEdit[manner="bare"] {{ border: 0; border-radius: 0; }}
    QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {t.border}; }}
    QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {t.accent}; }}
    QSlider::handle:horizontal {{ width: 12px; height: 12px; margin: -5px 0; border-radius: 7px; background: {t.base};
        border: 2px solid {t.accent}; }}
    QSlider::handle:horizontal:hover {{ background: {t.selection}; }}
    QSlider::handle:horizontal:focus {{ background: {t.accent}; border-color: {t.text}; }}
    QSlider[manner="open"]::sub-page:horizontal {{ background: {t.border}; }}
    QSlider[manner="open"]::handle:horizontal {{ border-color: {t.muted}; }}
    QSlider::sub-page:horizontal:disabled {{ background: {t.border}; }}
    QSlider::handle:horizontal:disabled {{ border-color: {t.border}; }}
    QProgressBar {{ background: {t.border}; border: 0; border-radius: 2px; max-height: 4px; min-height: 4px; }}
    QProgressBar::chunk {{ background: {t.accent}; border-radius: 2px; }}
    QTableView, QTreeView, QListView {{ background: {t.base}; alternate-background-color: {t.panel};
        border: 1px solid transparent; gridline-color: {t.grid}; selection-background-color: {t.selection};
        selection-color: {t.text}; outline: 0; }}
    QTableView:focus, QTreeView:focus, QListView:focus {{ border: 1px solid {t.accent}; }}
    QComboBox QAbstractItemView:focus {{ border-color: {t.border}; }}
    QAbstractScrollArea::corner {{ background: {t.base}; border: 0; }}
    QHeaderView {{ background: {t.base}; }}
    QHeaderView::section {{ background: {t.base}; color: {t.muted}; border: 0; border-bottom: 1px solid {t.border};
        padding: 4px 6px; font-size: {SMALL}px; font-weight: 500; }}
    QTableCornerButton::section {{ background: {t.base}; border: 0; }}
    QDockWidget {{ color: {t.muted}; font-size: {SMALL}px; }}
    QDockWidget::title {{ background: {t.window}; padding: 4px 8px; border-top: 1px solid {t.border}; }}
    QStatusBar {{ background: {t.window}; color: {t.muted}; border-top: 1px solid {t.border}; }}
    QStatusBar::item {{ border: 0; }}
    QStatusBar QLabel {{ color: {t.muted}; font-size: {SMALL}px; padding: 0 8px; }}
    QSplitter::handle {{ background: {t.border}; }}
    QSplitter::handle:horizontal {{ width: 1px; }}
    QSplitter::handle:vertical {{ height: 1px; }}
    QToolTip {{ background: {t.panel}; color: {t.text}; border: 1px solid {t.border}; padding: 4px; }}
    QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
    QScrollBar::handle {{ background: {t.border}; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }}
    QScrollBar::handle:hover {{ background: {t.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QScrollArea {{ border: 0; background: transparent; }}
    QGroupBox {{ border: 0; margin-top: 16px; }}
    QCheckBox, QRadioButton {{ spacing: 6px; color: {t.text}; background: transparent; }}
    QCheckBox:disabled, QRadioButton:disabled {{ color: {t.faint}; }}
    QCheckBox:focus, QRadioButton:focus {{ color: {t.accent}; }}
    QComboBox::down-arrow {{ image: url("{icons}/chevron-down-any.svg"); width: 12px; height: 12px; }}
    QToolButton[popupMode="1"], QToolButton[manner="menu"] {{ padding-right: 26px; }}
    QToolButton::menu-button {{ border: 0; border-left: 1px solid {t.border}; width: 20px; }}
    QToolButton::menu-arrow {{ image: url("{icons}/chevron-down-any.svg"); width: 10px; height: 10px; }}
    QPushButton::menu-indicator, QToolButton::menu-indicator {{ image: url("{icons}/chevron-down-any.svg");
        width: 12px; height: 12px; subcontrol-origin: padding; subcontrol-position: right center; right: 6px; }}
    QAbstractSpinBox QLineEdit, QComboBox QLineEdit {{ border: 0; padding: 0; min-height: 0; background: transparent; }}
    QAbstractSpinBox {{ padding-right: 2px; }}
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ subcontrol-origin: border; width: 16px; border: 0;
        background: transparent; }}
    QAbstractSpinBox::up-button {{ subcontrol-position: top right; margin: 2px 2px 0 0; border-top-right-radius: 4px; }}
    QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; margin: 0 2px 2px 0;
        border-bottom-right-radius: 4px; }}
    QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {t.hover}; }}
    QAbstractSpinBox::up-arrow {{ image: url("{icons}/chevron-up-any.svg"); width: 10px; height: 10px; }}
    QAbstractSpinBox::down-arrow {{ image: url("{icons}/chevron-down-any.svg"); width: 10px; height: 10px; }}
    QComboBox::down-arrow:disabled, QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::down-arrow:disabled {{
        image: none; }}
    QCheckBox::indicator, QRadioButton::indicator {{ width: 14px; height: 14px; border: 1px solid {t.muted};
        background: {t.base}; }}
    QCheckBox::indicator {{ border-radius: 4px; }}
    QRadioButton::indicator {{ border-radius: 8px; }}
    QCheckBox::indicator:hover, QRadioButton::indicator:hover, QCheckBox:focus::indicator {{
        border-color: {t.accent}; }}
    QCheckBox::indicator:checked {{ background: {t.accent}; border-color: {t.accent};
        image: url("{icons}/check-any.svg"); }}
    QRadioButton::indicator:checked {{ background: {t.base}; border: 5px solid {t.accent}; width: 6px; height: 6px; }}
    QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {{ border-color: {t.border};
        background: {t.window}; }}
    """
