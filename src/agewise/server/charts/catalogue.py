"""The charts of an asset, by name."""

from collections.abc import Callable
from typing import Literal

from agewise.report.inputs import ReportInputs
from agewise.server.charts.heights import heights_chart, map_chart
from agewise.server.charts.life import life_chart
from agewise.server.charts.series import Chart
from agewise.server.charts.temperatures import temperatures_chart

ChartName = Literal["temperatures", "heights", "map", "life"]
"""Names of the charts."""
CHARTS: dict[ChartName, Callable[[ReportInputs], Chart]] = {
    "temperatures": temperatures_chart,
    "life": life_chart,
    "heights": heights_chart,
    "map": map_chart,
}
"""The charts of an asset, in their order."""
TELLS = ("life",)
"""Charts that are an answer: not drawn where nothing can be told."""
