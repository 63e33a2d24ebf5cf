"""The state of all pages. No Qt."""

from __future__ import annotations

from workbench.desk.data import DataDesk
from workbench.desk.evaluate import EvaluateDesk
from workbench.desk.exports import Exports
from workbench.desk.jobs import Jobs
from workbench.desk.members import MembersDesk
from workbench.desk.points import PointDesk
from workbench.desk.predict import PredictDesk
from workbench.desk.race import RaceDesk
from workbench.desk.run import RunDesk
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Dataset


class Desk:
    """One per window."""

    def __init__(self) -> None:
        self.data = DataDesk()
        self.jobs = Jobs()
        self.run = RunDesk(self.data)
        self.race = RaceDesk(self.data)
        self.exports = Exports(self.data, self.run, self.jobs)
        self.predict = PredictDesk(self.run, self.jobs)
        self.points = PointDesk(self.run)
        self.members = MembersDesk(self.run)
        self.evaluate = EvaluateDesk(self.data, self.jobs)

    def take_dataset(self, dataset: Dataset, what: str) -> None:
        """Make a dataset the present one; a run of data of another origin is paused."""
        before = self.data.dataset
        if before is not None and dataset.origin != before.origin:
            self.run.pause()
        self.data.take_dataset(dataset, what)

    def set_choices(self, choices: Choices) -> None:
        """Set hyper-parameters; those that may change during a run apply to the run from the next sample."""
        self.data.set_choices(choices)
        self.run.apply_choices()

    def close(self) -> None:
        """End all threads and wait for them; files that are being written are completed."""
        self.jobs.cancel_loads()
        self.members.close()
        self.run.close()
        self.jobs.close()
        self.race.close()
