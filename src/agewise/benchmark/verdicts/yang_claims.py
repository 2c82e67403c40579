"""What was published of Bayesian networks, on the problems that the field tries all of them on."""

from collections.abc import Iterator
from functools import partial
from math import inf

from agewise.benchmark.results import Results
from agewise.benchmark.verdicts.claim import TINY, Claim
from agewise.benchmark.verdicts.rules import Ruling, as_often, mean_within, typical
from agewise.library.poisson_inverse import YANG, PoissonInverse

OWN_NAMES = {
    "Hamiltonian Monte Carlo": ("hmc", "nuts"),
    "variational inference": ("vi",),
    "dropout 1 %": ("dropout",),
    "PINN": ("map",),
    "20 PINNs": ("ensemble",),
}
"""Our methods for each that Yang et al. tried."""
OWN_NOISE = "0.01"
"""Noise of the inverse problem where its name tells none."""
FAILS = 0.8
"""Share of the box in 95 % bands [1] below which a method counts as failed."""


def inverse_claims() -> Iterator[Claim]:
    """The unknown rate of Yang's inverse problem, which every method was tried on."""
    for figure in PoissonInverse.PUBLISHED:
        # The last word of "k at noise 0.1".
        noise = figure.quantity.rpartition(" ")[2]
        problem = "poisson-inverse" + ("" if noise == OWN_NOISE else f"@{noise}")
        doubt = "" if figure.std is None else f" ± {figure.std:g}"
        for method in OWN_NAMES[figure.method]:
            yield Claim(
                f"{figure.method} (`{method}`)",
                problem,
                f"k = {figure.value:g}{doubt}, on one draw of the noise",
                YANG,
                partial(_typical_rate, problem, method, figure.value, figure.std),
            )


def _typical_rate(
    problem: str, method: str, value: float, std: float | None, results: Results
) -> Ruling:
    row = results.row(problem, method)
    # A network without doubt states zero, which is no standard deviation to compare.
    stds = [each for each in row.values("constants", "k", "std") if each > TINY]
    return typical(row.values("constants", "k", "mean"), stds, value, std)


def linear_claims() -> Iterator[Claim]:
    """The problem on which mean-field variational inference is said to fail."""
    for problem in ("poisson", "poisson@0.1"):
        yield Claim(
            "variational inference (`vi`)",
            problem,
            f"mean-field fails: 95 % bands hold less than {FAILS:g} of the line",
            YANG,
            lambda results, p=problem: mean_within(
                results.row(p, "vi").coverage("0.95"), -inf, FAILS
            ),
        )
        for method in OWN_NAMES["Hamiltonian Monte Carlo"]:
            yield Claim(
                f"Hamiltonian Monte Carlo (`{method}`)",
                problem,
                "errors stay within two standard deviations: 95 % bands hold 0.9 or more",
                YANG,
                lambda results, p=problem, m=method: mean_within(
                    results.row(p, m).coverage("0.95"), 0.9, inf
                ),
            )
    for method in OWN_NAMES["Hamiltonian Monte Carlo"]:
        yield Claim(
            f"Hamiltonian Monte Carlo (`{method}`)",
            "linka",
            "finds c, k and x0 of an oscillator: 90 % intervals hold them so often",
            "Linka et al. 2022",
            lambda results, m=method: as_often(results.row("linka", m).held("0.9"), 0.9),
        )
