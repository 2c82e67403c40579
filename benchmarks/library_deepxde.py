"""The library's problems solved by DeepXDE: errors and seconds as JSON, by name.

    build/bench-deepxde/bin/python benchmarks/library_deepxde.py build/library.npz --limit 60

One recipe for all, in double precision on one thread: three layers of 50 units, tanh, coordinates
scaled, hard conditions where DeepXDE's own examples have them; Adam for 30 % of the time with
points drawn anew every 200 steps, then L-BFGS. Seconds are the processor's, so that others on the
machine do not count.
"""
# The peer lives in an environment of its own, out of the type checker's sight:
# pyright: reportMissingImports=false

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from time import process_time

os.environ["DDE_BACKEND"] = "pytorch"

import deepxde as dde
import numpy as np
import torch
from deepxde.optimizers.config import LBFGS_options
from deepxde_statements import STATEMENTS, Statement

HIDDEN = (50, 50, 50)
RATE, LAST_RATE = 2e-3, 2e-4
"""Of Adam, at first and at the end of its share, to which it falls exponentially."""
ADAM_SHARE = 0.3
"""Of the seconds; L-BFGS has the rest."""
INSIDE = {1: 200, 2: 1000}
"""Points of the equation, by the number of coordinates."""
RENEWED, LOOK = 200, 20
"""Steps after which points are drawn anew, and after which the clock is looked at."""
ENDLESS = 10**7


class Clock(dde.callbacks.Callback):
    """Stops training when its processor time is over."""

    def __init__(self, seconds: float, every: int):
        super().__init__()
        self.end, self.every, self.steps = process_time() + seconds, every, 0

    def on_epoch_end(self) -> None:
        self.steps += 1
        if self.steps % self.every == 0 and process_time() > self.end:
            self.model.stop_training = True


def features(statement: Statement) -> Callable:
    """Coordinates between minus and plus the stretch; a ring by its sines and cosines."""
    lower, upper = (torch.tensor(ends) for ends in zip(*statement.axes, strict=True))

    def scaled(x):
        inner = statement.stretch * (2 * (x - lower) / (upper - lower) - 1)
        if not statement.ring:
            return inner
        turns = [torch.pi * n * x[:, :1] for n in (1, 2, 3)]
        waves = [wave(turn) for turn in turns for wave in (torch.cos, torch.sin)]
        return torch.cat([*waves, inner[:, 1:]], dim=1)

    return scaled


def network(statement: Statement) -> dde.nn.NN:
    """A network for all functions; their outputs are of order one before the transform."""
    inputs = 6 + len(statement.axes) - 1 if statement.ring else len(statement.axes)
    sizes = [inputs, *HIDDEN, len(statement.functions)]
    net = dde.nn.FNN(sizes, "tanh", "Glorot normal")
    net.apply_feature_transform(features(statement))
    if statement.transform is not None:
        net.apply_output_transform(statement.transform)
    return net


def model(statement: Statement, kept: dict[str, np.ndarray], numbers: dict) -> dde.Model:
    """The problem with its readings; `numbers` stand for the unknown constants."""

    def constants():
        return {name: of(numbers[name]) for name, of in statement.constants.items()}

    pde = statement.pde
    conditions = statement.conditions({})
    for name, reads in statement.sensors.items():
        points, values = kept[f"sensor|{name}|points"], kept[f"sensor|{name}|values"]
        conditions.append(
            dde.icbc.PointSetOperatorBC(
                points, values[:, None], lambda x, y, _, reads=reads: reads(x, y, constants())[0]
            )
        )
    lower, upper = zip(*statement.axes, strict=True)
    box = dde.geometry.Interval if len(lower) == 1 else dde.geometry.Rectangle
    corners = (lower[0], upper[0]) if len(lower) == 1 else (lower, upper)
    data = dde.data.PDE(
        box(*corners),
        None if pde is None else lambda x, y: pde(x, y, constants()),
        conditions,
        num_domain=0 if pde is None else INSIDE[len(lower)],
        train_distribution="pseudo",
    )
    return dde.Model(data, network(statement))


def trained(made: dde.Model, numbers: dict, limit: float) -> int:
    """Adam, then L-BFGS; how many steps they took."""
    free = list(numbers.values())
    adam = Clock(ADAM_SHARE * limit, LOOK)
    # The rate falls by steps of Adam that fit into the time, which the first ones tell.
    made.compile("adam", lr=RATE, external_trainable_variables=free, verbose=0)
    start = process_time()
    made.train(LOOK, display_every=ENDLESS, verbose=0)
    steps = max(int(ADAM_SHARE * limit / ((process_time() - start) / LOOK)), 1)
    decay = ("exponential", (LAST_RATE / RATE) ** (1 / steps))
    made.compile("adam", lr=RATE, decay=decay, external_trainable_variables=free, verbose=0)
    renewal = [dde.callbacks.PDEPointResampler(period=RENEWED)] if made.data.pde else []
    made.train(ENDLESS, display_every=ENDLESS, callbacks=[adam, *renewal], verbose=0)
    dde.optimizers.set_LBFGS_options(maxcor=50, ftol=0, gtol=1e-10, maxiter=ENDLESS)
    LBFGS_options["iter_per_step"], LBFGS_options["fun_per_step"] = LOOK, LOOK * 2
    # It may end early, at a line search that fails; begun again it forgets its memory and goes on.
    while (left := limit - (process_time() - start)) > 0:
        before = made.train_state.step
        made.compile("L-BFGS", external_trainable_variables=free, verbose=0)
        made.train(display_every=ENDLESS, callbacks=[Clock(left, 1)], verbose=0)
        if made.train_state.step - before <= LOOK:
            break
    return made.train_state.step


def solved(name: str, kept: dict[str, np.ndarray], limit: float, seed: int) -> dict:
    """Relative L2 of every function, constants, seconds of the processor, steps."""
    dde.config.set_random_seed(seed)
    statement = STATEMENTS[name]
    numbers = {constant: dde.Variable(0.0) for constant in statement.constants}
    start = process_time()
    made = model(statement, kept, numbers)
    steps = trained(made, numbers, limit)
    seconds = process_time() - start
    found = made.predict(kept["points"])
    errors = {}
    for column, function in enumerate(statement.functions):
        truth = kept[f"truth|{function}"]
        errors[function] = float(np.linalg.norm(found[:, column] - truth) / np.linalg.norm(truth))
    constants = {key: float(of(numbers[key]).detach()) for key, of in statement.constants.items()}
    return {
        "relative_l2": errors,
        "constants": constants,
        "true_constants": {key: float(kept[f"constant|{key}"]) for key in constants},
        "seconds": round(seconds, 1),
        "steps": steps,
    }


def main() -> None:
    """Solve the problems in turn and print one JSON object."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("file", help="what library_truth.py wrote")
    parser.add_argument("--names", default=",".join(STATEMENTS))
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of each problem")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    dde.config.set_default_float("float64")
    arrays, results = dict(np.load(chosen.file)), {}
    for name in chosen.names.split(","):
        own = {key.split("|", 1)[1]: arrays[key] for key in arrays if key.split("|")[0] == name}
        results[name] = solved(name, own, chosen.limit, chosen.seed)
        print(name, json.dumps(results[name]), file=sys.stderr, flush=True)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
