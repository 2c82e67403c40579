"""The list of an assessed made fleet against its truth, beside lists by age, plain IEC and load.

    .venv/bin/python benchmarks/fleet.py --assets 60 --jobs 2 --days 5 --seed 0 --out /tmp/ranking
    .venv/bin/python benchmarks/fleet_ranking.py /tmp/ranking/fleet-60 /tmp/ranking/run-60-2

Two truths, for there are two lists:

- **years left**, as the twin knows them: what is left of the unit's own paper over what the coming
  year uses. It is what `--by life` claims to order by.
- **risk**, which `--by risk` claims to order by: criticality times the chance of an end within ten
  years. A unit of which everything is known today still has years to come that nobody knows; the
  twin lets the years before the window differ from today's by a factor of 30 % (standard deviation
  of its logarithm), and so they may differ after it: the chance is that of the true years left
  times such a factor being below ten. Lists by one number get the criticality too, as a factor.

Units without an answer are not left out: our list names them first, to be looked at before all
others, in the order of their names; in other lists they have their numbers. Files that can only be
refused are nobody's, and count for no list.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import log_ndtr
from scipy.stats import spearmanr

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import RunRow
from agewise.fleet.plan import CHANCE_YEARS
from agewise.fleet.ranking.order import order_of
from agewise.fleet.ranking.place import By
from agewise.twin.fleet.fleet_folder import TRUTH
from agewise.twin.fleet.truth import PAST_SPREAD

WORST, FIRST = 0.10, 0.20
"""Share of the fleet that is truly worst, and share of the list in which it is looked for."""
SHORTEST = 0.01
"""Years left that count as none at all."""
BEYOND = 60.0
"""Years for an end by plain IEC beyond those that are looked at, for which a run has no number."""


def main() -> None:
    """Read the command line and print a line of JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("fleet", type=Path, help="folder of the made fleet")
    parser.add_argument("out", type=Path, help="folder that it was assessed into")
    asked = parser.parse_args()
    known = json.loads((asked.fleet / TRUTH).read_text("utf-8"))["units"]
    with Catalogue(asked.out, make=False) as catalogue:
        runs = {n: run for n, run in catalogue.latest_runs().items() if run.status == "done"}
        weight = pd.Series({asset.id: asset.criticality for asset in catalogue.assets()})
        ours = {by: _ours(catalogue, asked.out, by) for by in ("life", "risk")}
    units = {unit["id"]: unit for unit in known if unit["id"] in runs}
    plain = plain_lists(units, runs)
    years = pd.Series({name: float(unit["years_left"]) for name, unit in units.items()})
    weight = weight[years.index]
    risk = true_log_risk(years, weight)
    table = {
        "units": len(units),
        "with an answer": sum(run.action != "cannot tell" for run in runs.values()),
        "with an end within ten years": int((years <= CHANCE_YEARS).sum()),
        "by years left": scored(-years, {"agewise, life": ours["life"]} | plain),
        "by risk": scored(
            risk, {"agewise, risk": ours["risk"]} | {n: s * weight for n, s in plain.items()}
        ),
    }
    print(json.dumps(table))


def true_log_risk(years: pd.Series, criticality: pd.Series) -> pd.Series:
    """Logarithm of the true risk of units of which all is known but the future.

    By its logarithm, which tells apart even units whose end is far beyond the horizon.
    """
    far = np.log(np.maximum(years.to_numpy(), SHORTEST) / CHANCE_YEARS) / PAST_SPREAD
    return pd.Series(np.log(criticality.to_numpy()) + log_ndtr(-far), index=years.index)


def _ours(catalogue: Catalogue, out: Path, by: By) -> pd.Series:
    """Scores that put a fleet into our order."""
    order = order_of(catalogue, out, by)
    names = [*order.look_first, *(place.asset.id for place in order.places)]
    return pd.Series({name: -float(n) for n, name in enumerate(names)})


def plain_lists(
    units: Mapping[str, Mapping[str, float]], runs: Mapping[str, RunRow]
) -> dict[str, pd.Series]:
    """Scores of simpler lists; more is worse, and none is negative."""

    def column(name: str) -> pd.Series:
        cells = {asset: getattr(runs[asset], name) for asset in units}
        return pd.Series(cells, dtype=float)

    return {
        "age": pd.Series({name: unit["age_years"] for name, unit in units.items()}),
        "plain IEC, years left": 1 / column("years_left_iec").fillna(BEYOND).clip(lower=SHORTEST),
        "plain IEC, life used": column("life_used_iec"),
        "mean load": column("load_mean"),
        "peak load": column("load_peak"),
    }


def scored(true: pd.Series, lists: Mapping[str, pd.Series]) -> dict[str, dict[str, float]]:
    """Spearman's rank correlation of every list, and the share of the worst among its first."""
    table = {}
    for name, scores in lists.items():
        ranks = scores.rank()
        full = ranks.reindex(true.index).fillna(ranks.median())
        rho = float(spearmanr(true, full).statistic)
        table[name] = {"spearman": round(rho, 2), "worst found": round(found(true, full), 2)}
    return table


def found(true: pd.Series, scores: pd.Series) -> float:
    """Share of the true worst that a list has among its first."""
    worst = set(true.nlargest(max(1, round(WORST * len(true)))).index)
    first = set(scores.nlargest(max(1, round(FIRST * len(scores)))).index)
    return float(np.mean([name in first for name in worst]))


if __name__ == "__main__":
    main()
