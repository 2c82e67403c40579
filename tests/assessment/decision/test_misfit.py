"""What a network says of its own training is told, whatever was put around its posterior."""

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from agewise.assessment.decision.misfit import oil_findings
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.problem import heat_problem
from agewise.assessment.oil.settings import Settings
from agewise.assessment.oil.windows import with_doubts
from agewise.engine.objective.trained import NetworkPosterior
from agewise.engine.posterior import Points
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.doubt.doubted import DoubtedPosterior
from agewise.transformer.oil.fast import FastPosterior
from agewise.transformer.oil.holes import WidenedPosterior
from agewise.transformer.oil.start import StartPosterior
from agewise.twin.twin import TwinSettings, make_twin

VI = Settings(method="vi")


@dataclass(frozen=True, eq=False)
class Trained(NetworkPosterior):
    """A network that says one, and how it was trained."""

    @property
    def certain(self) -> bool:
        return False

    def moments(self, points: Points) -> Prediction:
        return Prediction(*np.ones((3, len(points))))


def fitted(record: dict[str, np.ndarray]) -> Assessment:
    """Half a day with a hole, as if a network with that record had been fitted to it."""
    twin = make_twin(TwinSettings(seed=1, days=0.5))
    whole = twin.profile
    assert whole.top_oil is not None
    hole = np.abs(whole.seconds - whole.seconds[-1] / 2) < 1.5 * 3600
    profile = replace(whole, top_oil=np.where(hole, np.nan, whole.top_oil))
    plain = assess(profile, twin.nameplate, Settings(method="line"), as_given=True)
    problem, nothing = heat_problem(profile, twin.nameplate, VI), cast(Any, None)
    network = Trained(problem, nothing, nothing, nothing, nothing, 1, record)
    posterior = with_doubts(network, problem, profile, twin.nameplate, VI)
    window = replace(plain.windows[0], problem=problem, posterior=posterior)
    return replace(plain, settings=VI, windows=(window,))


def test_what_a_training_says_of_itself_is_told():
    """Around it: its first hours, fast changes, a hole, and the doubt of the equation."""
    record = {"interrupted": np.array(False), "discrepancy_factor": np.array(1.0)}
    made = fitted(record)
    around = made.windows[0].posterior
    assert isinstance(around, DoubtedPosterior)
    assert isinstance(around.within, WidenedPosterior)
    assert isinstance(around.within.within, FastPosterior)
    assert isinstance(around.within.within.within, StartPosterior)
    texts = " ".join(finding.text for finding in oil_findings(made))
    assert "stopped by hand" not in texts and "the declared" not in texts
    record |= {"interrupted": np.array(True), "discrepancy_factor": np.array(5.0)}
    texts = " ".join(finding.text for finding in oil_findings(made))
    assert "stopped by hand" in texts and "5 times the declared" in texts
