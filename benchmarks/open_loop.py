"""Learn a unit on one record, predict its top oil on another, and count what the intervals hold.

    .venv/bin/python benchmarks/open_loop.py LEARN.csv PREDICT.csv --nameplate FILE.toml

Open loop: of the second record only load and air are used. Beside it: the nameplate as given, and
five constants (rise, time constant, exponent, bias, sun) fitted by plain least squares.
"""

import argparse
from dataclasses import replace

import numpy as np
from scipy.optimize import least_squares

from agewise.assessment.calibration.calibrate import calibrate
from agewise.assessment.life.explained_top_oil import Explanation, Surroundings, first_hour
from agewise.plant.guide_constants import thermal_constants_of
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import read_nameplate
from agewise.plant.profile import Profile
from agewise.quality.stand_ins import filled_profile
from agewise.reading.profile_file import read_profile
from agewise.transformer.calibration.names import (
    AFTERNOON,
    AIR_BIAS,
    EXPONENT,
    LASTING,
    NEARBY,
    NOISE,
    OIL_MINUTES,
    RISE,
    SUN,
    WANDERING,
)


def main() -> None:
    """Read both records, learn on one, predict the other, print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("learn")
    parser.add_argument("predict")
    parser.add_argument("--nameplate", required=True)
    asked = parser.parse_args()
    given = read_nameplate(asked.nameplate)
    first, second = (
        read_profile(path, rated=given.rated()) for path in (asked.learn, asked.predict)
    )
    unit = calibrate(first, given)
    assert unit.learned is not None and second.top_oil is not None
    draws = {name: np.array(values) for name, values in unit.learned.draws.items()}
    ahead = surroundings(second, given)
    measured = second.top_oil
    there = np.isfinite(measured) & settled(second)
    modelled = np.stack([ahead.modelled(_drawn(unit, draws, n)) for n in range(len(draws[RISE]))])
    rng = np.random.default_rng(0)
    std = np.sqrt(draws[WANDERING] ** 2 + draws[LASTING] ** 2 + draws[NOISE] ** 2)
    drawn = modelled + std[:, None] * rng.standard_normal(modelled.shape)
    rows = [
        ("learned", modelled.mean(axis=0)),
        ("nameplate as given", ahead.modelled(Explanation(given.thermal_constants()))),
        ("least squares", ahead.modelled(_least_squares(first, given))),
    ]
    print("| model | rms [K] | bias [K] |", "|---|---|---|", sep="\n")
    for name, values in rows:
        off = (measured - values)[there]
        print(f"| {name} | {np.sqrt(np.mean(off**2)):.2f} | {off.mean():.2f} |")
    for level in (0.5, 0.9):
        low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
        held = ((measured >= low) & (measured <= high))[there].mean()
        print(f"{100 * level:.0f} % intervals hold {100 * held:.0f} % ({there.sum()} readings)")


def surroundings(profile: Profile, nameplate: Nameplate) -> Surroundings:
    """Load and air of a record."""
    alone = replace(profile, top_oil=None)
    air = filled_profile(alone, nameplate, "backward").profile.ambient
    return Surroundings(profile.seconds, profile.load, air, "backward", first_hour(profile))


def settled(profile: Profile) -> np.ndarray:
    """Rows at which an unknown start is forgotten: six hours after the first row or a gap."""
    gap = np.diff(profile.seconds, prepend=-np.inf) > 2 * 3600.0
    since = profile.seconds - np.maximum.accumulate(np.where(gap, profile.seconds, 0.0))
    return since > 6 * 3600.0


def _drawn(unit: Nameplate, draws: dict[str, np.ndarray], n: int) -> Explanation:
    means = {name: quantity.mean for name, quantity in unit.thermal_quantities().items()}
    own = {name: float(draws[name][n]) for name in (RISE, OIL_MINUTES, EXPONENT)}
    bias, sun, nearby = (float(draws[name][n]) for name in (AIR_BIAS, SUN, NEARBY))
    later = float(draws[AFTERNOON][n])
    return Explanation(thermal_constants_of(means | own), bias, sun, nearby, afternoon=later)


def _least_squares(profile: Profile, given: Nameplate) -> Explanation:
    """Five constants by plain least squares, as an engineer would fit them."""
    around, means = surroundings(profile, given), given.thermal_quantities()
    plain = {name: quantity.mean for name, quantity in means.items()}
    assert profile.top_oil is not None
    there = np.isfinite(profile.top_oil)

    def explanation(numbers: np.ndarray) -> Explanation:
        rise, minutes, exponent, bias, sun = numbers
        own = {RISE: rise, OIL_MINUTES: minutes, EXPONENT: exponent}
        return Explanation(thermal_constants_of(plain | own), bias, sun)

    def residual(numbers: np.ndarray) -> np.ndarray:
        assert profile.top_oil is not None
        return (profile.top_oil - around.modelled(explanation(numbers)))[there]

    start = np.array([plain[RISE], plain[OIL_MINUTES], plain[EXPONENT], 0.0, 0.0])
    bounds = ([1.0, 20.0, 0.2, -10.0, -10.0], [150.0, 1000.0, 2.0, 10.0, 10.0])
    return explanation(least_squares(residual, start, bounds=bounds, x_scale=[10, 50, 0.2, 1, 1]).x)


if __name__ == "__main__":
    main()
