"""What is in doubt about the heat equation of a window: from the nameplate to draws."""

import numpy as np

from agewise.assessment.calibration.priors import PRIOR_SHARES, relative_std
from agewise.assessment.oil.lower_end import LowerEnd
from agewise.plant.nameplate import Nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.calibration.learning import DRAWS
from agewise.transformer.calibration.names import AIR_BIAS, OIL_MINUTES, RISE
from agewise.transformer.oil.doubt.doubted import Doubts
from agewise.transformer.oil.doubt.sensitivity import CONSTANTS

CONDUCTIVITY_SHARE = 0.5
"""Standard deviation of the logarithm of the conductivity where nobody gives one: it stands for
circulation, and no nameplate knows it."""


def equation_doubts(
    profile: Profile, nameplate: Nameplate, end: LowerEnd, *, hold: Hold, inside: bool
) -> Doubts:
    """Draws of the constants of the equation, and what a window shows of its oil.

    Args:
        profile: The measurements of the window.
        nameplate: The unit, with what was learned of it.
        end: The lower end of the oil.
        hold: Interval that a sample of the load stands for.
        inside: Whether sensors between the ends are used.
    """
    tank = nameplate.oil_tank()
    # Always the same draws, so that all windows of a record are of one unit.
    rng = np.random.default_rng(list(b"constants"))
    own = nameplate.tank.conductivity_w_per_mk
    conductivity = CONDUCTIVITY_SHARE if own.std is None else own.std / own.mean
    learned = {} if nameplate.learned is None else nameplate.learned.draws
    size = len(learned[RISE]) if learned else DRAWS

    def white(std: float) -> np.ndarray:
        return std * rng.standard_normal(size)

    def share(name: str, usual: tuple[float, float]) -> np.ndarray:
        # Without a record that teaches it, what the nameplate says is believed as it is.
        if name not in learned:
            return white(relative_std(nameplate, name, usual))
        draws = np.array(learned[name])
        return draws / draws.mean() - 1

    # What the thermometer reads too much is to be taken off the air.
    air = -np.array(learned[AIR_BIAS]) if learned and end.air is not None else np.zeros(size)
    # Air from elsewhere is off by one number; what was learned of a thermometer is not about it.
    air = air if profile.ambient_std is None else white(profile.air_std)
    columns = {
        "rise": share(RISE, PRIOR_SHARES.rise),
        "lag": share(OIL_MINUTES, PRIOR_SHARES.time_constant),
        "conductivity": white(conductivity),
        "bottom": white(end.share_std),
        "air": air,
    }
    return Doubts(
        np.stack([columns[name] for name in CONSTANTS], axis=1),
        np.asarray(tank.source(interval_load(oil_load(profile, nameplate), hold)))
        / tank.heat_transfer,
        end.air,
        profile.seconds,
        profile.interior if inside else {},
        # A bottom that is measured does not move with what the air's thermometer has wrong.
        1.0 if end.measured else end.share,
    )
