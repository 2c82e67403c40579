"""DeepXDE on PyTorch: a deterministic PINN, written as its users write theirs.

The ambient inside the source is the measured series (an auxiliary variable), not the network's own
bottom, which `pde` cannot see: a forward pass that the others pay for and this one does not. The
second output is unused. The points of every step are drawn anew by DeepXDE's own resampler.
"""
# The peer lives in an environment of its own, out of the type checker's sight:
# pyright: reportMissingImports=false

import os
from collections.abc import Callable

os.environ["DDE_BACKEND"] = "pytorch"

import deepxde as dde
import numpy as np
import torch
from protocol import (
    BATCH,
    BLOCK,
    EVERY,
    LAYERS,
    RATE,
    Blocks,
    Curve,
    Problem,
    loaded,
    report,
    task,
)

ENDLESS = 10**9
"""steps: what ends training is time"""


class Watch(dde.callbacks.Callback):
    """Every so many steps, ask whether to stop."""

    def __init__(self, every: int, finished: Callable[[], bool]):
        super().__init__()
        self.every, self.finished, self.steps = every, finished, 0

    def on_epoch_end(self) -> None:
        self.steps += 1
        if self.steps % self.every == 0 and self.finished():
            self.model.stop_training = True


def pinn(problem: Problem, *, with_start: bool) -> dde.Model:
    """The model, compiled, with DeepXDE's own weights: one for each mean square."""

    instants, ambient = problem.end(0)

    def source(points: np.ndarray) -> np.ndarray:
        t = points[:, 1:]
        held = problem.rise[np.ceil(t * (problem.rise.size - 1)).astype(int)]
        return np.interp(t, instants, ambient) + held

    def pde(points: torch.Tensor, y: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        u_t = dde.grad.jacobian(y, points, i=0, j=1)
        u_xx = dde.grad.hessian(y, points, component=0, i=0, j=0)
        return problem.relaxation * u_t - problem.conduction * u_xx + y[:, :1] - source

    readings = dde.icbc.PointSetBC(problem.points, problem.values[:, None], batch_size=BATCH)
    points, values = problem.start()
    start = [dde.icbc.PointSetBC(points, values[:, None])] if with_start else []
    data = dde.data.PDE(
        dde.geometry.Rectangle([0, 0], [1, 1]),
        pde,
        [readings, *start],
        num_domain=BATCH,
        train_distribution="pseudo",
        auxiliary_var_function=source,
    )
    model = dde.Model(data, dde.nn.FNN(list(LAYERS), "tanh", "Glorot normal"))
    model.compile("adam", lr=RATE, verbose=0)
    return model


def train(model: dde.Model, watch: Watch, *, anew: bool = True) -> None:
    """Train until the watch says stop; other points every step, or the same."""
    resampler = dde.callbacks.PDEPointResampler(period=1, bc_points=True)
    callbacks = [watch, resampler] if anew else [watch]
    model.train(ENDLESS, display_every=ENDLESS, callbacks=callbacks, verbose=0)


def milliseconds(problem: Problem, limit: float, *, anew: bool) -> float:
    """Of a step."""
    blocks = Blocks(limit)
    train(pinn(problem, with_start=False), Watch(BLOCK, blocks.finished), anew=anew)
    return blocks.milliseconds()


def curve(problem: Problem, limit: float) -> list[tuple[float, float]]:
    """Error over the seconds of a fit."""
    course = Curve(problem, limit)
    model = pinn(problem, with_start=True)
    points = problem.truth_points.astype(np.float32)
    train(model, Watch(EVERY, lambda: course.finished(lambda: model.predict(points)[:, 0])))
    return course.pairs


def main() -> None:
    """Do the task and print its line."""
    asked = task()
    torch.set_num_threads(asked.threads)
    torch.set_num_interop_threads(1)
    dde.config.set_random_seed(asked.seed)
    problem = loaded(asked.problem)
    name = f"DeepXDE {dde.__version__}, PINN"
    if asked.what == "fit":
        report(name, curve=curve(problem, asked.limit))
    else:
        step = milliseconds(problem, asked.limit, anew=True)
        fixed = milliseconds(problem, asked.limit, anew=False)
        report(name, ms_per_step=step, variants={"the same points every step": fixed})


if __name__ == "__main__":
    main()
