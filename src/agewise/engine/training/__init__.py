"""The one loop that trains: it knows neither networks nor problems."""

from agewise.engine.training.loop import Stage, Trained, train
from agewise.engine.training.monitor import QUIET, Monitor
from agewise.engine.training.objective import AbstractObjective, Rows
from agewise.engine.training.stages import Stages

__all__ = ["QUIET", "AbstractObjective", "Monitor", "Rows", "Stage", "Stages", "Trained", "train"]
