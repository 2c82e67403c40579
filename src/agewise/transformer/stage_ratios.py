"""A stage of the cooling by its ratios to the last one, whose constants may be learned or drawn."""

from typing import Any, NamedTuple

from agewise.transformer.iec60076 import ThermalConstants


class StageRatios(NamedTuple):
    r"""What is known of a stage, whatever the constants of the last one turn out to be.

    Losses of a load do not depend on the fans: at the load $K$ of the nameplate, a stage rated for
    the share $p$ of its power has $1 + R K^2$, and $1 + R p^2$ at its own rated load.
    """

    power: float
    """Rated power over that of the last stage [1]."""
    rise: float
    """Rise of the top oil at its own rated load over the last stage's at its own [1]."""
    time_constant: float
    """Time constant of the oil over that of the last stage [1]."""
    gradient: float | None = None
    """Hot spot over top oil at its own rated load over the last stage's at its own [1]; None where
    the winding is the same as in the last stage."""
    oil_exponent: float | None = None
    """Exponent of the losses where it is not that of the last stage [1]."""
    k11: float | None = None
    """Factor on the oil's time constant where it is not that of the last stage [1]."""

    def rated_losses(self, loss_ratio: Any) -> Any:
        """Losses at this stage's rated load over the no-load losses, $1 + R p^2$ [1]."""
        return 1 + loss_ratio * self.power**2

    def slower(self, k11: Any) -> Any:
        """Lag of the top oil over that of the last stage, whose factor is `k11` [1]."""
        return self.time_constant if self.k11 is None else self.time_constant * self.k11 / k11

    def rise_of(self, heating: Any, rise: Any, loss_ratio: Any, exponent: Any) -> Any:
        """Steady rise of the top oil [K] at a square of the load, for constants of the last stage.

        Of any arrays, so that the guide's answer and what learns from a record share it.
        """
        losses = (1 + loss_ratio * heating) / self.rated_losses(loss_ratio)
        return (
            rise
            * self.rise
            * losses ** (exponent if self.oil_exponent is None else self.oil_exponent)
        )

    def constants(self, last: ThermalConstants) -> ThermalConstants:
        """Constants of this stage on the base of the last stage's rated load."""
        exponent = last.oil_exponent if self.oil_exponent is None else self.oil_exponent
        y = last.winding_exponent
        return ThermalConstants(
            oil_time_constant=last.oil_time_constant * self.time_constant,
            # Fans cool the oil: the winding is the same in every stage, with its lag and overshoot.
            winding_time_constant=last.winding_time_constant,
            top_oil_rise=self.rise_of(1.0, last.top_oil_rise, last.loss_ratio, exponent),
            gradient=last.gradient * self.gradient_at(y),
            loss_ratio=last.loss_ratio,
            oil_exponent=exponent,
            winding_exponent=y,
            k11=last.k11 if self.k11 is None else self.k11,
            k21=last.k21,
            k22=last.k22,
        )

    def gradient_at(self, exponent: float) -> float:
        """Hot spot over top oil over that of the last stage, both at the same load [1]."""
        return 1.0 if self.gradient is None else self.gradient * self.power**-exponent

    def times(self, rise: float, time_constant: float) -> "StageRatios":
        """The stage with its rise and its time constant times factors that were learned."""
        return self._replace(
            rise=self.rise * rise, time_constant=self.time_constant * time_constant
        )
