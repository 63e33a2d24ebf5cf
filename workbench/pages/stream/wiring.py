"""Connections of the Stream page: the run, its exports, and the demo."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QTimer

from workbench.desk.desk import Desk
from workbench.desk.differences import changed_words
from workbench.pages.page import Command, Page, Staleness, StatusFigures
from workbench.pages.running import RunningPage
from workbench.pages.shell import Shell
from workbench.pages.stream.axis_commands import axis_commands
from workbench.pages.stream.exploring import Exploring
from workbench.pages.stream.model_opening import ModelOpening
from workbench.pages.stream.page import StreamPage
from workbench.pages.stream.plane_ranking import PlaneRanking
from workbench.run.job import Job
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Colour, GeneratorOrigin, Origin, SampleOrigin
from workbench.run.recipe.presets import PRESETS
from workbench.run.recipe.recipe import Recipe
from workbench.run.show.frame import Frame, Message
from workbench.source.generators import BirthsAndDeaths
from workbench.views.look.folding import PanelFold
from workbench.words.numbers import with_prefix

DEMO = GeneratorOrigin(BirthsAndDeaths(), endless=True)
DEMO_CHOICES = Choices(next(preset.parameters for preset in PRESETS if preset.name == "births and deaths"))
CSV, MODEL, RECIPE = "CSV (*.csv)", "Fast IGMN model (*.figmn)", "Recipe (*.json)"
MEASURING = "The stream is paused while the engines are timed"
NOT_STARTED = "The run with these values could not start; the picture is of an earlier one, if any"
NO_DATA = "Open a file or choose a sample first."
LOW, LOWEST = 910, 740
"""Heights of the window below which the timelines are folded, and below which they are hidden if it is crowded, unless
the user wants them."""


def open_page(shell: Shell, desk: Desk) -> Page:
    """Called by the window."""
    return StreamWiring(shell, desk)


class StreamWiring(RunningPage):
    """Connects the Stream page with the run."""

    key, title, icon = "stream", "&Stream", "play"

    def __init__(self, shell: Shell, desk: Desk) -> None:
        self.page = StreamPage(shell.versions)
        super().__init__(shell, self.page, self.page.run_bar, desk.run)
        self.data, self.run, self.exports = desk.data, desk.run, desk.exports
        self.evaluate = desk.evaluate
        self._shown_origin: Origin | None = None
        self._blocked = ""
        self._make_commands()
        self._connect_page()
        self._connect_hub()
        self.exploring = Exploring(shell, desk, self.page)
        self.models = ModelOpening(shell, desk, self.page, self.restart)
        self.ranking = PlaneRanking(shell, desk, self.page.mixture.tools.best)

    def _make_commands(self) -> None:
        page = self.page
        timelines = Command("timelines", "panels", "All &timelines", keys="Ctrl+T")
        colours = Command("componentColours", "plot", "&Colours of components")
        self.commands = [
            Command("exportModel", "export", "Export &model…", self.export_model, keys="Ctrl+S", icon="model"),
            Command(
                "exportRecipe", "export", "Export rec&ipe…", self.export_recipe, keys="Ctrl+Shift+S", icon="recipe"
            ),
            Command("exportLog", "export", "Export per-sample CS&V…", self.export_log, keys="Ctrl+E", icon="table"),
            Command("exportTable", "export", "Export components as &CSV…", self.export_table),
            timelines,
            Command("density", "plot", "D&ensity", page.mixture.tools.density.click, keys="Ctrl+D", icon="density"),
            colours,
            Command(
                "matrix",
                "plot",
                "Scatter &matrix",
                lambda: page.mixture.tools.set_matrix(not page.mixture.tools.is_matrix),
            ),
            *axis_commands(page.mixture),
            Command("tour", "plot", "T&our through the columns", page.mixture.start_tour),
            Command("bestPlanes", "plot", "&Best planes…", page.mixture.tools.best.click),
        ]
        self.fold = PanelFold(timelines, lambda is_open: page.fold_timelines(not is_open), self)
        page.timelines.folded.connect(lambda is_folded: timelines.setChecked(not is_folded))
        colours.setCheckable(True)
        colours.toggled.connect(page.colour_components)
        colours.setChecked(self.shell.memory.component_colours)
        colours.toggled.connect(lambda on: setattr(self.shell.memory, "component_colours", on))

    def _connect_page(self) -> None:
        page, run = self.page, self.run
        page.run_bar.pause_on_changed.connect(run.set_pause_on)
        page.numbers_shown.connect(self.shell.refresh_figures)
        page.mixture.plane_changed.connect(run.set_plane)
        page.mixture.matrix_wanted.connect(run.set_matrix)
        page.mixture.tour.speed_changed.connect(run.set_tour_speed)
        page.mixture.colour_chosen.connect(self._choose_colour)
        page.mixture.trail_changed.connect(run.set_trail)
        run.set_trail(page.mixture.tools.n_points)
        page.mixture.picture_requested.connect(self.export_picture)
        page.table.export_requested.connect(self.export_table)
        exports: dict[str, Callable[[], None]] = {
            "log": self.export_log, "model": self.export_model, "recipe": self.export_recipe,
        }  # fmt: skip
        page.exports.chosen.connect(lambda kind: exports[kind]())
        page.welcome.open_requested.connect(lambda: self.shell.hub.open_requested.emit(None))
        page.welcome.sample_requested.connect(lambda name: self.shell.hub.load_requested.emit(SampleOrigin(name)))

    def _connect_hub(self) -> None:
        hub = self.shell.hub
        hub.demo_requested.connect(self.show_demo)
        hub.dataset_taken.connect(self._take_dataset)
        hub.dataset_changed.connect(self._show_dataset)
        hub.recipe_loaded.connect(self._run_recipe)
        hub.run_requested.connect(self._run_dataset)
        hub.stream_requested.connect(lambda: self.shell.show_page(self.page))
        hub.speed_requested.connect(self.choose_speed)
        hub.timing_starting.connect(self._hold_for_timing)

    def restore(self) -> None:
        """Restore whether the timelines are folded, and remember later changes."""
        self.fold.choose(self.shell.memory.panel("timelines"))
        self.fold.chosen_changed.connect(partial(self.shell.memory.keep_panel, "timelines"))

    # Data

    def _take_dataset(self) -> None:
        self.page.welcome.hide()
        if self.data.choices == DEMO_CHOICES:
            self.shell.set_choices(Choices())  # the demo's choices suit no other data

    def _show_dataset(self) -> None:
        dataset = self.data.dataset
        choices = ((), Colour()) if dataset is None else (dataset.colourable, dataset.colour_choice)
        self.page.mixture.tools.colour.show_choices(*choices)
        self.run.show_colour()
        self.run.suit_speed()
        self.show_speed()
        self._show_blocked()

    def _choose_colour(self, colour: Colour) -> None:
        if self.data.dataset is not None:
            self.shell.hub.change_requested.emit(self.data.dataset.with_colour(colour), "colour")

    def _run_recipe(self, recipe: Recipe) -> None:
        self.data.n_samples = recipe.n_samples
        self.shell.set_choices(recipe.choices)
        self.shell.show_page(self.page)
        start = partial(self.run.start, changes=recipe.changes)
        self.models.load_for(recipe.model, lambda: self.shell.attempt(start))

    def _run_dataset(self) -> None:
        self.shell.show_page(self.page)
        self.restart()

    def show_demo(self) -> None:
        """Show the demo of the first start: an endless stream of clusters that are born and die."""
        self.data.versions.present = Recipe(DEMO, roles={"class": "ignored"}).dataset()
        self.shell.set_choices(DEMO_CHOICES)
        self.shell.hub.dataset_changed.emit()
        self.page.welcome.show()
        self.shell.show_page(self.page)
        self.shell.hub.run_starting.emit()
        self.run.model = None
        self.run.start()

    # The run

    def play(self) -> None:
        """Continue the run, or start one if none can continue."""
        self._start(self.run.play)

    def restart(self) -> None:
        """Run from the first sample with the present settings."""
        self._start(self.run.start)

    def _start(self, start: Callable[[], None]) -> None:
        if self.shell.is_ready():
            self.shell.hub.run_starting.emit()
            self.shell.attempt(start)

    def step(self) -> None:
        """Learn one sample, then pause."""
        if self.shell.is_ready():
            self.shell.attempt(self.run.step)

    def run_to(self, sample: int) -> None:
        """Learn up to a sample, then pause."""
        self.shell.attempt(lambda: self.run.run_to(sample))

    def _hold_for_timing(self) -> None:
        self.page.mixture.tour.pause.setChecked(True)
        if self.run.state == "running":
            self.pause()
            self.shell.note("info", MEASURING)

    def choose_speed(self, speed: float | None) -> None:
        """Set the speed as if the user had chosen it."""
        self.set_speed(speed)
        self.show_speed()

    def block_start(self, reason: str) -> None:
        """Disable starting a run and show why; without data it is disabled, too."""
        self._blocked = reason
        self._show_blocked()

    def _show_blocked(self) -> None:
        self.page.run_bar.set_start_blocked(self._blocked or ("" if self.data.dataset is not None else NO_DATA))

    # What is shown

    def pump(self) -> int:
        """Show messages and the newest frame, and what was found out about rows and components."""
        n_frames = super().pump()
        self.exploring.pump()
        return n_frames

    def show_frame(self, frame: Frame) -> None:
        """Draw the newest frame of the run."""
        self.page.show_frame(frame)
        if frame.state != "running":
            self.shell.refresh_figures()

    def take_message(self, message: Message) -> None:
        """Update the page for a message of the present run."""
        page, frame, runner = self.page, self.run.frame, self.run.transport
        if message.kind == "failed":
            progress = (0, None, None) if frame is None else (frame.n_done, frame.n_total, None)
            page.run_bar.show_state(None if frame is None else "failed", *progress)
        elif message.kind == "started" and runner is not None:
            page.results.clear()
            self.models.show()
            self._begin_anew(runner.recipe.origin)
        elif message.kind == "held-out":
            page.show_held_out(**message.data)
            if runner is not None:
                self.evaluate.keep_stream_run(runner.recipe, **message.data)
                self.shell.hub.results_changed.emit()
        elif message.kind in {"paused", "finished", "stopped"}:
            self.shell.tell(message.text)

    def _begin_anew(self, origin: Origin) -> None:
        """Clear the page for other data; a restart with the same data keeps the user's view."""
        if origin != self._shown_origin:
            self._shown_origin = origin
            self.page.clear()

    def rest_while_drawing(self) -> None:
        """Suspend the run: otherwise both threads would compete for the interpreter lock while drawing."""
        if self.run.transport is not None:
            QTimer.singleShot(0, self, self.run.transport.rest().end)  # after drawing

    def set_room(self, height: int, is_crowded: bool) -> None:
        """Shrink timelines and run bar so that the plot keeps at least half of the height."""
        self.fold.set_roomy(height >= LOW)
        self.page.set_crowded(is_crowded and height < LOWEST)

    def fit(self) -> None:
        """Fit the plot to its data."""
        self.page.mixture.tools.fit.click()

    def tick(self) -> None:
        """Release runs whose threads have ended; say why a run that was started shows nothing yet."""
        super().tick()
        if self.page.shown is None and self.run.is_live:
            self.shell.tell("Scanning the data…", 2000)

    def figures(self) -> StatusFigures:
        """Figures of the frame whose numbers the page shows."""
        frame = self.page.shown
        if frame is None:
            return StatusFigures()
        rate = frame.rows_per_second
        return StatusFigures(f"{with_prefix(rate)} samples/s" if rate else "not running", frame.census.n_components)

    def staleness(self) -> Staleness:
        """Whether the run shown was made with the present settings."""
        runner = self.run.transport
        if runner is None:
            return Staleness()
        words = runner.recipe.describe(runner.n_columns)
        if runner.state == "failed" and self.run.frame is None:
            return Staleness("stale", NOT_STARTED, NOT_STARTED, words, "could not start")
        if changed := self.run.differences:
            return Staleness(
                "stale", changed_words(changed), changed_words(changed, most=None), words,
                "settings changed since this run",
            )  # fmt: skip
        return Staleness("live" if self.run.is_live else "current", recipe=words, recipe_state="current")

    # Exports

    def export_log(self) -> None:
        """Write the per-sample log."""
        self.shell.export("Export the per-sample CSV", f"{self.run.file_name}-samples.csv", CSV, self._write_log)

    def _write_log(self, path: str) -> Job[str]:
        return self.exports.log(path, self.shell.memory.raw_csv)

    def export_model(self) -> None:
        """Write the model."""
        self.shell.export("Export the model", f"{self.run.file_name}.figmn", MODEL, self.exports.model)

    def export_recipe(self) -> None:
        """Write the recipe."""
        self.shell.export("Export the recipe", f"{self.run.file_name}-recipe.json", RECIPE, self.exports.recipe)

    def export_table(self) -> None:
        """Write the components."""
        text = self.page.table.as_csv(self.shell.memory.raw_csv)
        self.shell.export_text("Export the components", f"{self.run.file_name}-components.csv", CSV, text)

    def export_picture(self, kind: str) -> None:
        """Write or copy the picture."""
        mixture = self.page.mixture
        if kind == "copy":
            mixture.copy_picture()
            self.shell.done("Picture copied")
        else:
            self.shell.export_drawing("Export the picture", f"{self.run.file_name}.{kind}", mixture.draw_picture)
