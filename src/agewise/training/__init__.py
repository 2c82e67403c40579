"""The one loop that trains: it knows neither networks nor problems."""

from agewise.training.loop import Stage, Trained, train
from agewise.training.monitor import QUIET, Monitor
from agewise.training.objective import AbstractObjective, Rows

__all__ = ["QUIET", "AbstractObjective", "Monitor", "Rows", "Stage", "Trained", "train"]
