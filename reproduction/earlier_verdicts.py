"""What the verdicts were before there was one rule for all, and why some of them changed.

Under `paper` stands what the printed equations said then with the weight on the residual that was
best in our units, which was the preset of that name in most experiments."""

from collections.abc import Iterable
from dataclasses import dataclass

from reproduction.families import VARIANT_TEXT, Variant
from reproduction.tables import table
from reproduction.verdict import OUTCOMES, Verdict

SCATTER = "within the scatter of the repeats, where means alone decided before"
ONE = "judged on every repeat that is kept, where the first alone decided before"
"""Reasons that several verdicts share."""
READING = "paper is the reading that is chosen now, and was the literal one at its best weight"
ANEW = "fitted anew with the networks of today"
"""Reasons that need not stand beside each."""


@dataclass(frozen=True)
class Earlier:
    """A verdict as it was: on means, with a test for some claims only."""

    claim: str
    """Its sentence on the page today."""
    published: str
    """What the paper says, which tells claims of the same words apart."""
    outcomes: dict[Variant, bool | None]
    """What each preset said then; None where it could not be told."""
    why: str = ""
    """Why the one rule says something else of the same cells; empty where it does not."""


EARLIER = (
    Earlier(
        "The heteroscedastic B-PINN beats the homoscedastic one in CRPS",
        "0.58 against 0.66",
        {"literal": None, "paper": False, "default": True},
    ),
    Earlier(
        "and in NLL",
        "11.6 % lower",
        {"literal": True, "paper": None, "default": True},
    ),
    Earlier(
        "The B-PINN beats the vanilla network in RMSE",
        "57.3 % lower",
        {"literal": True, "paper": False, "default": True},
        "the vanilla network is cut short, so a win over it is none",
    ),
    Earlier(
        "The B-PINN beats the d-PINN in RMSE",
        "42.6 % lower",
        {"literal": False, "paper": None, "default": True},
    ),
    Earlier(
        "and in CRPS",
        "40.2 % lower",
        {"literal": False, "paper": True, "default": True},
    ),
    Earlier(
        "and in NLL",
        "1.75 against 1.80",
        {"literal": False, "paper": True, "default": True},
    ),
    Earlier(
        "It beats both in every score",
        "yes",
        {"literal": False, "paper": False, "default": False},
    ),
    Earlier(
        "At 50 h the d-PINN's RMSE is several times the B-PINN's (over 100 % more)",
        "645 % more",
        {"literal": False, "paper": True, "default": True},
        SCATTER,
    ),
    Earlier(
        "The d-PINN's mean follows the vanilla network's",
        "seen in a figure; no number",
        {"literal": False, "paper": False, "default": False},
        ONE,
    ),
    Earlier(
        "The heteroscedastic B-PINN is better calibrated than the homoscedastic one",
        "area 0.196 against 0.214",
        {"literal": True, "paper": True, "default": True},
    ),
    Earlier(
        "It is sharper on average",
        "0.526 against 0.560 K",
        {"literal": False, "paper": False, "default": False},
    ),
    Earlier(
        "but its sharpness varies more",
        "± 0.337 against ± 0.089",
        {"literal": True, "paper": True, "default": True},
    ),
    Earlier(
        "The d-PINN's bands are wider than the B-PINN's",
        "variances 0.2 to 1.8 and 0.5 to 5.5 against 0.001 to 0.016 and 0.10 to 1.4",
        {"literal": False, "paper": True, "default": True},
        SCATTER,
    ),
    Earlier(
        "The epistemic part of the heteroscedastic B-PINN tracks its error",
        "seen at 6 and 25 h; no number",
        {"literal": False, "paper": False, "default": False},
        SCATTER,
    ),
    Earlier(
        "The standard deviation of the d-PINN's ageing exceeds its mean, the B-PINN's does not",
        "13.09 against 8.65 min; B-PINN 1.48 against 8.83 min",
        {"literal": True, "paper": True, "default": False},
        "judged on the contrast: the B-PINN's exceeds its mean too, or may by chance",
    ),
    Earlier(
        "The variance of the d-PINN's error grows about ten times faster: the oil's",
        "an order of magnitude",
        {"literal": False, "paper": False, "default": False},
        SCATTER,
    ),
    Earlier(
        "and that of ageing",
        "an order of magnitude",
        {"literal": False, "paper": False, "default": True},
        ONE,
    ),
    Earlier(
        "Aleatoric variance follows the injected noise",
        "yes; no number",
        {"paper": False, "default": True},
    ),
    Earlier(
        "while the epistemic part stays as it is",
        "yes; no number",
        {"paper": False, "default": False},
        SCATTER,
    ),
    Earlier(
        "CRPS is lowest with 10 000 points of the equation and all readings",
        "yes; shown in a figure",
        {"paper": True},
        SCATTER,
    ),
    Earlier(
        "The number of initial points hardly matters (below 10 %)",
        "yes; no number",
        {"paper": True},
    ),
    Earlier(
        "Too few points of the equation raise the epistemic part",
        "yes at 5000; no number",
        {"paper": True},
    ),
    Earlier(
        "and too many the aleatoric part",
        "yes at 20 000; no number",
        {"paper": False},
        SCATTER,
    ),
    Earlier(
        "The residual of the equation converges last (B-PINN)",
        "yes; shown in a figure",
        {"literal": True, "paper": False, "default": False},
        SCATTER,
    ),
    Earlier(
        "The posterior contracts towards the prior",
        "yes; shown in a figure",
        {"literal": True, "paper": True, "default": False},
        ONE,
    ),
    Earlier(
        "0.05 is the best rate of dropout",
        "in RMSE, CRPS and NLL",
        {"paper": True},
        SCATTER,
    ),
    Earlier(
        "and more dropout is worse",
        "RMSE × 1.82 from 0.05 to 0.25",
        {"paper": True},
    ),
    Earlier(
        "The d-PINN's chosen settings are the best",
        "eight, each from a grid",
        {"paper": False},
    ),
    Earlier(
        "The Laplace prior is the one to take",
        "chosen from earlier experience; no number",
        {"paper": False, "default": True},
        SCATTER,
    ),
    Earlier(
        "Physics helps where data are few: RMSE [K] with and without",
        "the reason given for physics; no number",
        {"paper": None, "default": True},
    ),
    Earlier(
        "A network saves effort over the numerical solver",
        "the reason given for networks; no number",
        {"literal": False, "paper": False, "default": False},
    ),
)
"""All of them, in the order of the page."""


def changes(verdicts: Iterable[Verdict]) -> list[list[str]]:
    """Rows of claims that some preset answers otherwise than before: was, is, and why."""
    now = {(verdict.claim, verdict.published): verdict for verdict in verdicts}
    rows = []
    for earlier in EARLIER:
        verdict = now.get((earlier.claim, earlier.published))
        moved = _moved(earlier, verdict) if verdict else {}
        if moved:
            phrases = (f"{VARIANT_TEXT[variant]}: {text}" for variant, text in moved.items())
            rows.append([earlier.claim, "; ".join(phrases), _reasons(earlier, moved)])
    return rows


def _moved(earlier: Earlier, verdict: Verdict) -> dict[Variant, str]:
    """Presets whose answer is another one, with both."""
    known = {finding.variant: finding.holds for finding in verdict.findings}
    return {
        variant: f"{OUTCOMES[was]}, now {OUTCOMES[known[variant]]}"
        for variant, was in earlier.outcomes.items()
        if variant in known and known[variant] is not was
    }


def _reasons(earlier: Earlier, moved: Iterable[Variant]) -> str:
    """Why they answer otherwise: another reading of the recipe, the rule, or new cells."""
    ruled = [earlier.why or ANEW] if set(moved) - {"paper"} else []
    return "; ".join([*ruled, *([READING] if "paper" in set(moved) else [])])


def text(verdicts: list[Verdict]) -> str:
    """How many verdicts changed, and which."""
    rows = changes(verdicts)
    return (
        "## Verdicts that changed\n\nBefore there was one rule, most claims were judged by means "
        "over repeats, and most experiments had the literal reading at its best weight where they "
        f"have the preset paper now. {len(rows)} of the {len(EARLIER)} verdicts changed under some "
        "preset:\n\n" + table(["claim", "what changed", "why"], rows)
    )
