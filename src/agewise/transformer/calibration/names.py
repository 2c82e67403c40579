"""Names of what is learned of a unit; apart from the models, so that a name loads no JAX."""

RISE, OIL_MINUTES, EXPONENT = "oil.top_oil_rise_k", "oil.time_constant_min", "oil.exponent"
GRADIENT, WINDING_MINUTES = "winding.gradient_k", "winding.time_constant_min"
"""Names of the constants, as a nameplate spells them, in the units of its fields."""
AIR_BIAS, SUN, AFTERNOON = "air.bias_k", "air.sun_k", "air.afternoon_k"
NEARBY = "air.load_k"
"""Errors of the air's thermometer [K]: a constant one; what the sun adds at noon; how much more it
adds in the afternoon, and less in the morning, since neither its hours nor the side on which the
thermometer hangs are known; and what goes with the load: the warmth of a unit close by, or the sun
over a solar plant, which is its load."""
WANDERING, WANDERING_H = "wandering.std_k", "wandering.hours"
LASTING, LASTING_D = "lasting.std_k", "lasting.days"
NOISE = "noise.std_k"
"""What the model leaves unexplained: errors of hours, errors of days, and noise."""


def stage_factors(number: int) -> tuple[str, str]:
    """Names of what a stage of the cooling, numbered from 0, has more than its ratios to the last
    one say: factors on its rise and on its time constant [1]."""
    stage = f"cooling_stages.{number}"
    return f"{stage}.rise_factor", f"{stage}.time_constant_factor"
