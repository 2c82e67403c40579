"""TensorFlow Probability: mean-field variational inference in the paper's recipe, compiled by XLA.

Gaussian posterior over the weights, one draw a step, Laplace prior of scale 1, mean and variance
out. What was tried and is slower: forward accumulators (ten times), a compiled call for each step,
XLA's newer runtime for processors, and TensorFlow 2.21.
"""
# The peer lives in an environment of its own, and the type checker knows it by rough stubs only:
# pyright: reportMissingImports=false, reportMissingModuleSource=false
# pyright: reportIndexIssue=false, reportCallIssue=false, reportArgumentType=false

import os
from argparse import Namespace
from collections.abc import Callable
from itertools import pairwise

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["XLA_FLAGS"] = "--xla_cpu_use_thunk_runtime=false"

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp
import tf_keras
from protocol import (
    BATCH,
    BLOCK,
    EVERY,
    INITIAL,
    LAYERS,
    RATE,
    Blocks,
    Curve,
    Problem,
    loaded,
    report,
    task,
)

tfd = tfp.distributions

READINGS, RESIDUALS, RESIDUAL_WEIGHT = 5760, 10_000, 1e-4
"""The paper's counts, which the sums over a batch stand for, and its weight."""
START_RHO = -5.0
"""softplus of it: a posterior that begins narrow, 0.007"""
VARIANCE_FLOOR = 1e-6
SHAPES = [shape for a, b in pairwise(LAYERS) for shape in ((a, b), (b,))]
SIZES = [int(np.prod(shape)) for shape in SHAPES]


def network(weights: tf.Tensor, points: tf.Tensor) -> tf.Tensor:
    """Mean and raw variance at points, from the flat weights."""
    parts = [tf.reshape(w, s) for w, s in zip(tf.split(weights, SIZES), SHAPES, strict=True)]
    for matrix, offset in zip(parts[:-2:2], parts[1:-2:2], strict=True):
        points = tf.tanh(points @ matrix + offset)
    return points @ parts[-2] + parts[-1]


def with_derivatives(weights: tf.Tensor, points: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Outputs, u_t and u_xx: reverse mode over reverse mode."""
    x, t = points[:, :1], points[:, 1:]
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch([x, t])
            outputs = network(weights, tf.concat([x, t], axis=1))
            u = outputs[:, 0]
        u_x, u_t = inner.gradient(u, [x, t])
    return outputs, u_t[:, 0], outer.gradient(u_x, x)[:, 0]


def log_likelihood(values: tf.Tensor, outputs: tf.Tensor) -> tf.Tensor:
    """Of values, given the network's mean and raw variance."""
    std = tf.sqrt(tf.nn.softplus(outputs[:, 1]) + VARIANCE_FLOOR)
    return tfd.Normal(outputs[:, 0], std).log_prob(values)


class MeanField(tf.Module):
    """The posterior's location and spread, and what trains them."""

    def __init__(self, problem: Problem, seed: int, *, with_start: bool):
        super().__init__()
        rng = np.random.default_rng(seed)
        glorot = [
            rng.normal(0, np.sqrt(2 / sum(s)), s) if len(s) > 1 else np.zeros(s) for s in SHAPES
        ]
        self.location = tf.Variable(np.concatenate([w.ravel() for w in glorot]), dtype=tf.float32)
        self.rho = tf.Variable(tf.fill(self.location.shape, START_RHO))
        self.optimiser = tf_keras.optimizers.Adam(RATE)
        self.optimiser.build([self.location, self.rho])
        self.points, self.values, self.rise = (
            tf.constant(a, tf.float32) for a in (problem.points, problem.values, problem.rise)
        )
        count = INITIAL if with_start else 0
        self.start_points, self.start_values = (tf.constant(a[:count]) for a in problem.start())
        self.problem, self.seed = problem, seed

    def loss(self, step: tf.Tensor) -> tf.Tensor:
        """The free energy of one draw: log q - log p and the weighted negative log-likelihoods."""
        seeds = [tf.stack([self.seed, 3 * step + k]) for k in range(3)]
        posterior = tfd.Normal(self.location, tf.nn.softplus(self.rho))
        weights = posterior.sample(seed=seeds[0])
        divergence = posterior.log_prob(weights) - tfd.Laplace(0.0, 1.0).log_prob(weights)
        rows = tf.random.stateless_uniform([BATCH], seeds[1], 0, len(self.values), tf.int32)
        inside = tf.random.stateless_uniform([BATCH, 2], seeds[2])
        bottom = inside * tf.constant([0.0, 1.0])
        points = tf.concat([tf.gather(self.points, rows), bottom, self.start_points], axis=0)
        data, bottom, start = tf.split(network(weights, points), [BATCH, BATCH, -1])
        readings = log_likelihood(tf.gather(self.values, rows), data)
        residuals = self.residual_log_likelihood(weights, inside, bottom[:, 0])
        return (
            tf.reduce_sum(divergence)
            - READINGS * tf.reduce_mean(readings)
            - RESIDUAL_WEIGHT * RESIDUALS * tf.reduce_mean(residuals)
            - tf.reduce_sum(log_likelihood(self.start_values, start))
        )

    def residual_log_likelihood(
        self, weights: tf.Tensor, points: tf.Tensor, ambient: tf.Tensor
    ) -> tf.Tensor:
        """Of the equation at points, given the network's own bottom."""
        outputs, u_t, u_xx = with_derivatives(weights, points)
        minute = tf.cast(tf.math.ceil(points[:, 1] * (len(self.rise) - 1)), tf.int32)
        drive = ambient + tf.gather(self.rise, minute)
        losses = self.problem.relaxation * u_t - self.problem.conduction * u_xx + outputs[:, 0]
        return log_likelihood(drive - losses, tf.stack([0 * drive, outputs[:, 1]], axis=1))

    def step(self, number: tf.Tensor) -> None:
        """Loss, gradient and update."""
        with tf.GradientTape() as tape:
            loss = self.loss(number)
        variables = [self.location, self.rho]
        self.optimiser.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))


def trainer(posterior: MeanField, count: int) -> Callable[[int], None]:
    """A compiled call that takes so many steps, from a number on."""

    @tf.function(jit_compile=True)
    def steps(first: tf.Tensor) -> tf.Tensor:
        for number in tf.range(count):
            posterior.step(first + number)
        return posterior.location[0]

    def call(first: int) -> None:
        steps(tf.constant(first)).numpy()  # waits

    return call


def milliseconds(problem: Problem, asked: Namespace, *, in_call: int) -> float:
    """Of a step, with so many of them in a compiled call."""
    call = trainer(MeanField(problem, asked.seed, with_start=False), in_call)
    blocks, first = Blocks(asked.limit), 0
    while not blocks.finished():
        for number in range(first, first + BLOCK, in_call):
            call(number)
        first += BLOCK
    return blocks.milliseconds()


def curve(problem: Problem, asked: Namespace) -> list[tuple[float, float]]:
    """Error of the function of the posterior's mean weights, over the seconds of a fit."""
    course, first = Curve(problem, asked.limit), 0
    posterior = MeanField(problem, asked.seed, with_start=True)
    call = trainer(posterior, EVERY)
    points = tf.constant(problem.truth_points, tf.float32)
    while not course.finished(lambda: network(posterior.location, points)[:, 0].numpy()):
        call(first)
        first += EVERY
    return course.pairs


def main() -> None:
    """Do the task and print its line."""
    asked = task()
    tf.config.threading.set_intra_op_parallelism_threads(asked.threads)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    problem = loaded(asked.problem)
    name = f"TensorFlow Probability {tfp.__version__}, mean-field VI"
    if asked.what == "fit":
        report(name, curve=curve(problem, asked))
    else:
        step = milliseconds(problem, asked, in_call=BLOCK)
        single = milliseconds(problem, asked, in_call=1)
        report(name, ms_per_step=step, variants={"a compiled call for every step": single})


if __name__ == "__main__":
    main()
