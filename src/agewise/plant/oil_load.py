"""The load that heats the oil: of all windings together, with the losses of the tap that is on."""

import numpy as np
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile

Series = Float[np.ndarray, " time"]
"""A number for each row of a profile."""
LARGEST_SHARE = 2.0
"""Largest load that heats the oil over the highest of a winding [1]: 1 where all are loaded
alike, and more only where more windings are full at once than the losses are given for."""


def oil_load(profile: Profile, nameplate: Nameplate) -> Series:
    r"""Load whose losses at the nameplate's ratio are those that heat the oil, at each row [p.u.].

    Where the tap that is on has $f$ times the load losses of the nameplate, the oil is heated as by
    the load $K\sqrt f$; where windings are loaded differently, $K$ is their equivalent current. The
    hot spot over the oil follows the load itself, that of the winding with the highest. The load
    itself comes back where nothing tells the two apart.
    """
    load = profile.load
    if profile.oil_share is not None:
        _refuse_share(profile.oil_share)
        load = load * profile.oil_share
    if not nameplate.taps or profile.tap is None:
        return load
    return load * np.sqrt(tap_losses(profile.tap, nameplate))


def _refuse_share(share: Series) -> None:
    """Refuse shares that no windings can have: below none, or in percent."""
    low, high = float(share.min()), float(share.max())
    if low < 0 or high > LARGEST_SHARE:
        raise InputError(
            f"The column oil_share goes from {low:g} to {high:g}: it is the load that heats the "
            f"oil over the highest load of a winding, from 0 to {LARGEST_SHARE:g}.",
            hint="give it as 0.85, not in percent; or leave it out, and give the currents of all "
            "windings.",
        )


def tap_losses(tap: Series, nameplate: Nameplate) -> Series:
    """Load losses at positions of the tap changer over those of the nameplate [1]."""
    # In order, as an interpolation needs them.
    taps = sorted(nameplate.taps, key=lambda each: each.position)
    losses = np.array([each.load_losses_w.mean for each in taps])
    # Straight between positions; beyond those that are given, the nearest of them counts.
    return np.interp(
        tap, [float(each.position) for each in taps], losses / nameplate.load_losses_w.mean
    )


def last_losses(profile: Profile, nameplate: Nameplate) -> float:
    """Load losses at the last row over those of the nameplate, by the tap that is on there [1]."""
    if not nameplate.taps or profile.tap is None:
        return 1.0
    return float(tap_losses(profile.tap[-1:], nameplate)[0])
