"""The paper's numbers. Its data are its own, so they compare in order, not in size."""

INSTANTS = ("0", "3", "6", "18", "25", "50", "total")
"""Columns of the main table: hours from the start, and all of them together."""

TABLE: dict[str, dict[str, tuple[float | None, ...]]] = {
    "bpinn-het": {
        "rmse": (0.03, 0.31, 0.32, 0.34, 0.42, 0.45, 1.09),
        "total_crps": (0.03, 0.19, 0.21, 0.22, 0.26, 0.28, 0.58),
        "total_nll": (-1.25, 0.41, 1.61, 0.63, 0.93, 0.72, 1.75),
    },
    "dpinn-het": {
        "rmse": (0.14, 1.65, 2.15, 1.30, 2.04, 3.35, 1.90),
        "total_crps": (0.23, 0.96, 1.24, 0.88, 1.18, 2.06, 0.97),
        "total_nll": (0.84, 1.92, 2.13, 1.94, 2.12, 2.76, 1.80),
    },
    "bpinn-hom": {
        "rmse": (0.02, 0.33, 0.30, 0.67, 0.57, 1.07, 1.12),
        "total_crps": (0.12, 0.20, 0.20, 0.41, 0.35, 0.71, 0.66),
        "total_nll": (0.16, 0.40, 0.49, 1.07, 1.39, 2.06, 1.98),
    },
    "dpinn-hom": {
        "rmse": (0.20, 1.77, 1.86, 1.16, 1.81, 3.47, 1.96),
        "total_crps": (0.38, 1.06, 1.13, 0.61, 1.07, 0.89, 1.10),
        "total_nll": (1.38, 2.00, 2.07, 1.59, 2.01, 1.86, 2.10),
    },
    "vanilla": {
        "rmse": (1.47, 1.45, 2.17, 3.29, 1.78, 2.27, 2.55),
        "total_crps": (None,) * 7,
        "total_nll": (None,) * 7,
    },
}
"""RMSE [K], CRPS [K] and NLL [nats] of the five configurations, by `INSTANTS`."""

MISCALIBRATION = {"bpinn-het": (0.1956, 0.1616), "bpinn-hom": (0.2135, 0.0591)}
"""Mean and standard deviation of the miscalibration area [1]."""
SHARPNESS = {"bpinn-het": (0.5258, 0.3369), "bpinn-hom": (0.5603, 0.0892)}
"""Mean and standard deviation of the sharpness [K]."""

EPISTEMIC = {"bpinn-het": (0.001, 0.016), "dpinn-het": (0.2, 1.8)}
"""Range of the epistemic variance over four days, printed without a unit, taken as [K²]."""
ALEATORIC = {"bpinn-het": (0.10, 1.4), "dpinn-het": (0.5, 5.5)}
"""Range of the aleatoric variance over four days, printed without a unit, taken as [K²]."""

AGEING = {"bpinn-het": (8.83, 1.48), "dpinn-het": (8.65, 13.09)}
"""Life used at the height where it is largest: mean and standard deviation [min]."""

DROPOUT = {
    0.05: (2.051, 1.205, 2.219),
    0.10: (2.091, 1.207, 2.289),
    0.15: (2.685, 1.484, 2.341),
    0.20: (3.228, 1.744, 2.475),
    0.25: (3.723, 1.801, 2.505),
}
"""RMSE [K], CRPS [K] and NLL [nats] of the d-PINN by rate of dropout."""

HYPERPARAMETERS = {
    "layers": 2,
    "nodes": 50,
    "activation": "tanh",
    "dropout": 0.1,
    "rate": 0.01,
    "batch": 16,
    "steps": 15_000,
    "draws": 200,
}
"""The d-PINN's chosen values (0.05 was its best rate of dropout, 0.1 is listed)."""
