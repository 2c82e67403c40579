"""One thread where more would be slower: loops over small matrices, processes side by side."""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

XLA_ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
"""Flags by which XLA, which reads them when it starts, splits no operation between threads."""
ONE_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NPROC")
"""Variables by which BLAS libraries and XLA, which read them when they start, use one thread.

The last one is XLA's: it has a pool of as many threads, one for each core if nothing is said, and
hands them parts of its programs in spite of its flags.
"""
LOOKS_AFTER_PARENT = 1.0
"""Time between two looks of a worker at whether its parent is still there [s]."""

Result = TypeVar("Result")


def side_by_side(
    function: Callable[..., Result],
    arguments: Iterable[tuple[Any, ...]],
    *,
    jobs: int,
    ordered: bool = True,
) -> Iterator[Result]:
    """Call a function with each of several arguments, in processes of one thread each.

    Side by side, each process on one core is faster than all on all. A process ends by itself when
    the one that started it is gone, however that ended.

    Args:
        function: A function of a module, since processes find it by its name.
        arguments: What it is called with, once for each tuple.
        jobs: Processes at a time; 1 does the work here, with all threads.
        ordered: Whether results come in the order of the arguments, or as they are done.

    Returns:
        What the function returned, one result at a time.
    """
    # Loading joblib takes a while, and most commands do without.
    from joblib import Parallel, delayed, parallel_config

    worker = {"initializer": begin_worker, "initargs": (os.getpid(),)}
    with parallel_config(backend="loky", inner_max_num_threads=1, **worker):
        kind = "generator" if ordered else "generator_unordered"
        pool = Parallel(n_jobs=jobs, return_as=kind, batch_size=1)  # pyright: ignore[reportArgumentType]
    # Outside the context, which would otherwise stay set for the caller between two results.
    yield from pool(delayed(function)(*call) for call in arguments)  # pyright: ignore[reportReturnType]


def in_step(
    answers: Callable[[list[Any]], list[Any]],
    seekers: Sequence[Callable[[Callable[[Any], Any]], Result]],
) -> list[Result]:
    """Let several seekers ask one question at a time each, and answer those of a turn together.

    For searches whose function costs little more for many points than for one. A seeker's answers
    do not depend on the others, and questions are answered in the thread of the caller.

    Args:
        answers: Called with the questions of a turn, one of each seeker that is not done yet.
        seekers: Each is called with a function to ask by; returns what it has found.

    Returns:
        What each has found, in their order.
    """
    asked, told = ([SimpleQueue() for _ in seekers] for _ in range(2))

    def sought(number: int) -> Result:
        def ask(question: Any) -> Any:
            asked[number].put((question,))
            (answer,) = told[number].get()
            return answer

        try:
            return seekers[number](ask)
        finally:
            asked[number].put(())

    with ThreadPoolExecutor(len(seekers)) as pool:
        found = [pool.submit(sought, number) for number in range(len(seekers))]
        seeking = list(range(len(seekers)))
        try:
            while seeking:
                questions = {number: asked[number].get() for number in seeking}
                seeking = [number for number in seeking if questions[number]]
                turn = answers([questions[number][0] for number in seeking]) if seeking else []
                for number, answer in zip(seeking, turn, strict=True):
                    told[number].put((answer,))
        finally:
            # Nothing to unpack: where a question could not be answered, its seeker ends too.
            for queue in told:
                queue.put(())
    return [each.result() for each in found]


def begin_worker(parent: int) -> None:
    """Prepare a process that works for another, before anything of JAX is loaded there."""
    hold_to_one_thread()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def hold_to_one_thread() -> None:
    """Keep XLA and BLAS to one thread in this process, as far as they have not been loaded yet."""
    os.environ.update(one_thread_environment())


def one_thread_environment() -> dict[str, str]:
    """The variables of a process of one thread, the user's own flags of XLA among them."""
    given = os.environ.get("XLA_FLAGS", "")
    flags = given if XLA_ONE_THREAD in given else f"{given} {XLA_ONE_THREAD}".strip()
    return {**dict.fromkeys(ONE_THREAD_VARIABLES, "1"), "XLA_FLAGS": flags}


def _end_with(parent: int) -> None:
    """Wait for the parent's end, then end this process at once.

    Nobody else does: a killed parent cannot tell, and its workers would go on for minutes.
    """
    if os.name == "nt":
        # There an orphan keeps the number of its parent, but a process can be waited for.
        watched = multiprocessing.parent_process()
        if watched is None:
            return
        watched.join()
    else:
        # Elsewhere an orphan is handed to another process, so its parent's number changes.
        while os.getppid() == parent:
            time.sleep(LOOKS_AFTER_PARENT)
    # Not sys.exit, which would end this thread alone.
    os._exit(1)


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS to one thread.

    Matrices of a hundred rows gain nothing from threads, those of a thousand hardly anything, and
    they lose up to a hundredfold where others compete for cores: idle threads spin.
    """
    with _controller().limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _controller() -> "ThreadpoolController":
    # Looking for the libraries takes milliseconds, so it is done once, after they are loaded.
    import numpy.linalg  # noqa: F401
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
