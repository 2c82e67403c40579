"""What a twin tests, in a few figures."""

from dataclasses import dataclass

import numpy as np

from agewise.twin.true_plant.winding import true_life
from agewise.twin.twin import Twin


@dataclass(frozen=True)
class TwinSummary:
    """Figures that say what a twin tests."""

    load_peak: float
    """Largest load [p.u.]."""
    ambient: tuple[float, float]
    """Lowest and highest temperature of the air [°C]."""
    top_oil: tuple[float, float]
    """Lowest and highest temperature of the top oil [°C]."""
    hot_spot_peak: float
    """Highest temperature of the winding at any height [°C]."""
    noise: tuple[float, float]
    """Standard deviation of the noise: mean at the bottom, largest at the top [K]."""
    line_error: float
    """Root mean square error of a straight line between the ends of the oil [K]."""
    loss_of_life: float
    """Life that the window uses at the worst height [h]."""
    worst_height: float
    """Height at which most life is used [m]."""


def twin_summary(twin: Twin) -> TwinSummary:
    """The figures of a twin's truth."""
    truth = twin.truth
    # Stored in single precision, but added up in double.
    oil = truth["oil_true"].to_numpy().astype(float)
    load = truth["load_true"].to_numpy().astype(float)
    noise, heights = truth["noise_std"].to_numpy(), truth["height"].to_numpy()
    seconds = (truth["time"] - truth["time"][0]).to_numpy() / np.timedelta64(1, "s")
    share = heights / heights[-1]
    line = (1 - share) * oil[:, :1] + share * oil[:, -1:]
    life = true_life(twin.true_nameplate, seconds, load, oil)
    return TwinSummary(
        load_peak=float(load.max()),
        ambient=_range(truth["air_true"].to_numpy()),
        top_oil=_range(oil[:, -1]),
        hot_spot_peak=life.hot_spot_peak,
        noise=(float(noise[:, 0].mean()), float(noise[:, -1].max())),
        line_error=float(np.sqrt(np.mean((oil - line) ** 2))),
        loss_of_life=life.loss_of_life,
        worst_height=float(heights[life.worst_row]),
    )


def _range(values: np.ndarray) -> tuple[float, float]:
    return float(values.min()), float(values.max())
