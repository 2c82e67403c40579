"""What it tells that the unit runs: how much of what was believed before is impossible."""

from agewise.assessment.decision.finding import Finding
from agewise.assessment.life.prognosis import Prognosis

WORTH_TELLING = 0.01
"""Share of the draws that are left out as dead, from which on it is worth a finding."""


def survival(prognosis: Prognosis) -> list[Finding]:
    """How much of what was believed before is impossible, because the unit runs."""
    believed, sampled = prognosis.believed, prognosis.assessment.nameplate.evidence.samples()
    if believed.past_doubted and sampled and not prognosis.alive.past_doubted:
        text = (
            "The samples of paper and oil contradict the life used before the record, as it is "
            "given or estimated: the samples are believed, and the life used before follows "
            "from them."
        )
        return [Finding("samples", text)]
    if believed.past_doubted:
        text = (
            "If ageing law, life of the paper and life used before were as given, the unit "
            f"would still be in service with a chance of {100 * believed.possible:.2g} % only: "
            "one of them is wrong. As it is in service, any share of the life may have been "
            "used before. A sample of the paper, or history.life_used_hours, would settle it."
        )
        return [Finding("alive", text)]
    if believed.possible > 1 - WORTH_TELLING:
        return []
    # The same share, whether or not there are samples: it is about what was believed before.
    text = (
        f"By nameplate and ageing law, the insulation would be used up today with a chance of "
        f"{100 * (1 - believed.possible):.0f} %. As the unit is in service, such cases are left "
        f"out of every number."
    )
    return [Finding("alive", text)]
