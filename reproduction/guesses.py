"""Every departure from the paper, and everything that had to be guessed, named in one place."""

from agewise.engine.inference.published.methods import FIRST_STD
from agewise.engine.inference.published.objective import FIXED_STD
from agewise.engine.inference.published.settings import (
    ADAM,
    BATCH,
    COORDINATES,
    VANILLA_ADAM,
    WATTS,
    literal,
    paper,
)
from reproduction.families import POLISHED

PRINTED = paper("vi", "heteroscedastic")
"""The Bayesian network under the chosen reading."""

DEPARTURES = f"""\
**Where `paper` departs from the printed equations.** The printed likelihood of a residual has the
variance of the network's second output; here it has a variance of its own, which is one (the fixed
noise of the homoscedastic networks stays, for readings and residuals alike). The
printed bound counts the divergence from the prior in full at every step; here it is divided by the
{PRINTED.readings} readings. The printed weights, {PRINTED.interior_weight:g} and
{literal("map", "heteroscedastic").interior_weight:g} for the vanilla network, are kept, but on a
residual that is {WATTS:g} times ours: the equation in W/m³, for a temperature as the network
sees it, scaled. (Both together weigh half the squared residual, in our scaling, by
{PRINTED.interior_weight * WATTS**2:.3g}.) All else is as in `paper-literal`."""

GUESSES = (
    f"*Rate and schedule.* Adam at {ADAM.rate:g} is printed, without a word on how it changes. "
    "`paper` keeps it, with the usual memories (0.9 and 0.999); `paper-literal` lets it rise and "
    "fall as a cosine, with a shorter memory. For the vanilla network no rate is printed: "
    f"{ADAM.rate:g} in `paper`, {VANILLA_ADAM.rate:g} in `paper-literal`.",
    f"*Batch, and steps for epochs.* Batches of 16 for {ADAM.steps} epochs would be five million "
    f"steps. We make {ADAM.steps} steps, of {BATCH} points of each kind.",
    f"*Patience.* Of 200 epochs; here of {ADAM.patience} looks, one every {ADAM.look} steps, at "
    "the smoothed objective, whose best weights are kept.",
    f"*L-BFGS.* 10 000 steps for the vanilla network; we make {POLISHED}, "
    "since all take twenty minutes a fit.",
    "*Means or sums.* The loss of the Bayesian network is printed as a sum over points, that of "
    "the d-PINN as a mean. Sums in both, so that the printed weights mean the same.",
    f"*Prior and first scale.* A Laplace prior without a scale: {COORDINATES.prior_scale:g} here. "
    f"Weights set out with a standard deviation of {FIRST_STD:g}, which is not told.",
    f"*Fixed noise.* {FIXED_STD:g} for the homoscedastic networks, taken as a standard deviation "
    "in units of the scaled temperature; the text calls it a variance too.",
    "*Rate of dropout.* 0.05, the best of the paper's study; its table of settings lists 0.1.",
    "*Coverage.* Central intervals; the printed formula counts readings below a quantile, which "
    "is one-sided.",
    "*Noise of the main run.* Not told. Our twins have that of a sensor, larger where it is "
    "hotter; the runs without any noise are below, since the main run may be one of them.",
    "*The equation.* Printed with losses in watts beside terms in W/m³; ours has one unit "
    "throughout, with constants by the nameplate.",
    "*The air in the equation.* The function's own lower end, not the noisy reading.",
)
"""What the paper does not tell, or tells twice, with what we took."""


def text() -> str:
    """Departures and guesses as they stand on the page."""
    listed = "\n".join(f"- {guess}" for guess in GUESSES)
    return f"{DEPARTURES}\n\n**What had to be guessed**, in both readings:\n\n{listed}"
