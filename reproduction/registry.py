"""All experiments in the order of the page; a new one is registered here."""

from types import ModuleType

from agewise.errors import InputError
from reproduction import (
    ageing,
    calibration,
    confirmation,
    decomposition,
    dropout_rate,
    dynamics,
    effort,
    errors,
    five_configurations,
    head_to_head,
    hyperparameters,
    inputs,
    joint,
    noise,
    noiseless,
    numbers_of_points,
    posterior,
    priors,
    profiles,
    readings,
    residual_weight,
    scarcity,
)
from reproduction.experiment import Experiment


def _of(module: ModuleType, name: str, title: str, source: str) -> Experiment:
    """The experiment in a module, which has functions `configurations` and `section`."""
    return Experiment(name, title, source, module.configurations, module.section)


# Readings and the weight on the residual stand before all that use them, since there they are
# chosen.
EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        _of(inputs, "inputs", "The data", "figures of inputs and reference"),
        _of(readings, "readings", "What the recipe does not say", "ours"),
        _of(residual_weight, "residual-weight", "The weight on the residual", "ours"),
        _of(five_configurations, "configurations", "Five configurations", "main table"),
        _of(confirmation, "confirmation", "The chosen reading", "main table"),
        _of(head_to_head, "head-to-head", "Default against the best of the paper's", "ours"),
        _of(profiles, "profiles", "From bottom to top", "figure of profiles"),
        _of(calibration, "calibration", "Calibration and sharpness", "table of both"),
        _of(joint, "joint", "Both uncertainties together", "figure of joint densities"),
        _of(decomposition, "decomposition", "The split at two instants", "figure of the split"),
        _of(ageing, "ageing", "Ageing", "figure of ageing fields"),
        _of(errors, "errors", "Where the errors are", "figure of errors"),
        _of(noise, "noise", "More noise", "figure of noise levels"),
        _of(noiseless, "noiseless", "No noise", "ours"),
        _of(numbers_of_points, "sampling", "How many points", "figure of 36 combinations"),
        _of(dynamics, "dynamics", "How training goes", "figures of losses"),
        _of(posterior, "posterior", "Posterior and prior", "figure of the posterior"),
        _of(dropout_rate, "dropout-rate", "The rate of dropout", "appendix, table"),
        _of(hyperparameters, "hyperparameters", "The d-PINN's settings", "appendix, table"),
        _of(priors, "priors", "Priors", "named in the setup"),
        _of(scarcity, "scarcity", "Physics and less data", "claimed in the text"),
        _of(effort, "effort", "What it costs", "claimed in the text"),
    )
}


def experiments(name: str) -> list[Experiment]:
    """The experiment of that name, or all of them."""
    if name == "all":
        return list(EXPERIMENTS.values())
    if name not in EXPERIMENTS:
        raise InputError(
            f"There is no experiment {name!r}.",
            hint=f"experiments: all, {', '.join(EXPERIMENTS)}.",
        )
    return [EXPERIMENTS[name]]
