"""What the page of the benchmark says around its numbers."""

HEADING = "# Methods on known problems"
"""First line of the page, by which it is known as ours."""
INTRODUCTION = """\
Every method on problems whose solution is known, each on several draws of the noise: how far off it
is, how sure it says it is, and what that costs. Defaults everywhere; no setting was chosen by
these numbers."""
MADE = "Cells that are kept are not worked out again; these commands made them:"
STATES = "Cells by the state of engine and library (a fingerprint of their code):"
GLANCE = """\
## At a glance

Over all problems that a method was tried on: its error over that of the best method there (median
and largest), how often its bands, intervals and readings hold (means), in how many
draws it is *far off and calls itself sound* (z above 3, and nothing found by its own check; a
right posterior has none), and what it costs. Not every method was tried on every problem, so lines
of few problems say little."""
READ = """\
## The table

Columns, from left to right; where a cell was not scored in one, as cells that other benchmarks of
this repository kept, that column rests on the others:

- *relative L2*: the error of the worst function over its size, all over the box: the median of the
  draws, and the worst.
- *CRPS*, over the size of the function: error and doubt in one number, the smaller the better. In
  closed form of a normal distribution for `laplace`, `vi` and `exact`; over the drawn functions as
  they are for all that draw; of `map`, which has no doubt, the mean absolute error.
- *bands hold*: the share of the box in which central bands of 50, 90 and 95 % (mean and standard
  deviations of what is not known, no noise) hold the true function; the mean of the draws.
- *z*: root mean square of error over stated epistemic standard deviation, 1 where the doubt is
  right; below 1 bands are too wide.
- *readings in 95 %*: the share of new noisy readings that a band of both uncertainties holds.
  `+conformal` and `+local` have such bands alone: one factor for all places, or one by the nearest
  readings; half of the readings are kept from their fit.
- *noise*: stated over true variance of a noise that was learned.
- *constants in 90 %*: intervals that hold the true constant, over all constants and draws.
  `+simulated` has such intervals alone: the method's own, scaled by how far it is off in readings
  that were made from its fit.
- *sound*: draws in which the fit's own check finds nothing wrong.
- *s*, *CPU s*, *MiB*: median time by the clock and on processors, and the largest memory of the
  process, some 350 MiB of which are Python and JAX. `map`, `laplace` and `vi` share a fit, and
  each bears its whole time. Where the machine has other work, CPU s says more than s."""
CAPTIONS = {
    "errors": "Relative errors, the median of the draws that all methods of a line have, often one "
    "or two; the table has all. An exclamation mark: in some draw the fit says itself that it "
    "cannot be trusted. A dash: not run.",
    "doubts": "Error over stated doubt, z, the median of the same draws: 1 is right, 3 and more is "
    "too sure, 0.3 and less too careful. An exclamation mark: in some draw the fit says itself "
    "that it cannot be trusted. Where equations are exact and nothing is read, doubt is that of "
    "the declared scales, ten times and more what a good fit is off.",
    "coverage": "How often bands hold, one dot for each problem; red where it is more than 0.1 too "
    "seldom. The bar is the mean.",
    "constants": "Unknown constants with 90 % of what each method thinks likely, one mark for each "
    "draw; red where the truth (line) is missed. Grey: no interval is stated. Bars that are far "
    "longer than those of other methods leave the picture.",
}
"""What is said of each picture."""
JUDGED = """\
## Does each system do what was published of it?

One rule for all, worked out from the cells: a claim about a number holds if its mean over draws,
with its 95 % interval (Student), lies within the stated bounds, and cannot be told if that interval
crosses a bound or there are too few draws. A figure that came from one draw of noise holds if it is
one that our draws would give (95 %), and its standard deviation is within a factor of two of
ours."""
NO_CLAIM = "No published claim is about what was run here."
LEFT = "Claims about methods on problems that were not run here:"
