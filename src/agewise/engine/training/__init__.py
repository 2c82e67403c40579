"""The one loop that trains: it knows neither networks nor problems.

`objective` is what is made small, `optimisers` how (`damped_step` is one step of Gauss-Newton's),
`loop` one stage of it, `stages` one stage after the other; `ahead` compiles a stage before its
time. `state` and `checkpoint` let a killed training go on to the same bits, and know its
`functions` again; `monitor` is who watches.
"""

from agewise.engine.training.ahead import compiled_meanwhile
from agewise.engine.training.loop import Stage, Trained, train
from agewise.engine.training.monitor import QUIET, Monitor
from agewise.engine.training.objective import AbstractObjective, Rows
from agewise.engine.training.stages import Stages

__all__ = [
    "QUIET",
    "AbstractObjective",
    "Monitor",
    "Rows",
    "Stage",
    "Stages",
    "Trained",
    "compiled_meanwhile",
    "train",
]
