"""What sensors inside teach of a tank, in sentences: each constant, and what they cannot tell."""

from itertools import combinations

import numpy as np

from agewise.assessment.answer.summary import Constant
from agewise.assessment.calibration.check import LITTLE
from agewise.assessment.calibration.names import Name, spread
from agewise.assessment.calibration.tank import TankCalibration
from agewise.assessment.calibration.tank_priors import FIELDS
from agewise.assessment.calibration.words import RELATED
from agewise.units import SECONDS_PER_DAY

TANK_NAMES = {
    "conductivity": Name("conductivity", "conductivity", "W/(m K)"),
    "heat_transfer": Name("heat transfer", "heat transfer", "W/(m3 K)"),
    "volume": Name("volume", "effective volume", "m3"),
}
"""How people call the constants of a tank, by its fields."""
LEVEL = 0.9
"""Share of the draws that a stated interval holds [1]."""


def tank_rows(calibration: TankCalibration) -> dict[str, str]:
    """What was learned of the tank, in lines for people."""
    lines = {"inside": _learned_from(calibration)}
    names = zip(calibration.prior, calibration.constants, strict=True)
    lines |= {
        TANK_NAMES[name].short: _constant_text(calibration, name, constant)
        for name, constant in names
    }
    lines["explained"] = (
        f"errors inside are {np.sqrt(calibration.mean_square):.2f} times what noise and ends allow"
    )
    found = {f"tank {number}": text for number, text in enumerate(calibration.findings, start=1)}
    unknown = tank_not_told(calibration)
    return lines | found | {f"tank unknown {n}": text for n, text in enumerate(unknown, start=1)}


def tank_not_told(calibration: TankCalibration) -> list[str]:
    """A sentence for all that the sensors inside tell little of."""
    # Constants that mean nothing need no word on how well they are known.
    if not calibration.sound:
        return []
    sentences = [
        f"The sensors inside say little about the {TANK_NAMES[name].long}."
        for name, constant in zip(calibration.prior, calibration.constants, strict=True)
        if (constant.learned_std or 0.0) > LITTLE * constant.before_std
    ]
    for one, other in combinations(calibration.prior, 2):
        together = np.corrcoef(calibration.draws[one], calibration.draws[other])[0, 1]
        if abs(together) > RELATED:
            sentences.append(
                f"The {TANK_NAMES[one].long} and the {TANK_NAMES[other].long} make up for each "
                f"other (correlation {together:.2f}): one of them known better narrows both."
            )
    if "volume" not in calibration.prior:
        volume = calibration.record.tank.volume
        sentences.append(
            f"The effective volume stays {volume:.4g} m3, as nameplate or rise and losses have it: "
            "a wrong one moves the heat transfer (`volume` learns it too)."
        )
    return sentences


def _learned_from(calibration: TankCalibration) -> str:
    cells, days = calibration.record.cells, calibration.record.seconds[-1] / SECONDS_PER_DAY
    heights = ", ".join(f"{height:g}" for height in cells.heights)
    return (
        f"{cells.readings.size} readings at {heights} of the height in {days:.3g} days, by "
        f"{calibration.method}"
    )


def _constant_text(calibration: TankCalibration, name: str, constant: Constant) -> str:
    """A constant as it was learned, beside what was believed before."""
    assert constant.learned is not None and constant.learned_std is not None
    edges = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
    low, high = np.quantile(calibration.draws[name], edges)
    before = f"{constant.before:.4g} ± {constant.before_std:.2g}"
    return (
        f"{spread(constant.learned, constant.learned_std)} {TANK_NAMES[name].unit}, "
        f"{100 * LEVEL:.0f} % {low:.4g} to {high:.4g} ({FIELDS[name]}, before {before}, "
        f"{constant.origin})"
    )
