"""A problem that is stated wrongly is refused in a sentence, before anything is trained.

`whole` looks at names, box and regions, `readings` at what was read, `equations` at what must
vanish.
"""

from agewise.engine.equations.statement.readings import outside, refuse_wrong_readings
from agewise.engine.equations.statement.whole import refuse_wrong_statement

__all__ = ["outside", "refuse_wrong_readings", "refuse_wrong_statement"]
