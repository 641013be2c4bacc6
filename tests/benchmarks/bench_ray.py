"""Measures `cukereuse corpus analyse --strategy auto` on a local Ray with two workers: each stage's efficiency from one
worker to two, and the cost of a step as the corpus grows.

    python -m tests.benchmarks.bench_ray CLUSTERS.parquet --steps 1000000 10000000 --distinct 82545 1000000

CLUSTERS has `canonical_text` and `count`; `corpus synthesise` makes the steps from it. Before each stage some of its
parts, evenly spread, are run one at a time, and as many beside them two at a time: not the same ones, which a process
would know by then. Their throughput gives the efficiency; the whole run is the run on two workers without those extra
parts, the one on a single worker is computed from it. Nothing is cached. On a machine that does other work the wall
times say nothing: look at the CPU ratio.

MB are the most private memory of a worker in the stage, with the interpreter and the models: what processes share, such
as the vectors and what a judge knows, does not count. It must not grow with the corpus.
"""

import argparse
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from corpus_tools.on_ray.cluster import RayCluster, alone, connect
from corpus_tools.on_ray.clusters import finding
from corpus_tools.on_ray.vectors import embedding
from corpus_tools.stages.analyse.run import AnalyseOptions, analyse, strategy
from corpus_tools.stages.synthesise import synthesise
from cukereuse_engine.embedding_models.embedder import coarse
from cukereuse_engine.embedding_models.opening import open_embedder
from cukereuse_engine.index.vector_cache import VectorCache
from cukereuse_engine.progress import SILENT

WORKERS = 2
_WATCHED_EVERY = 0.05
NAMES = {
    "_embed": "embedding", "all_meaning_words": "candidates: meanings", "_lexical": "candidates: wordings",
    "_words": "candidates: words", "_graph": "candidates: graphs", "_search": "candidates: vectors",
    "_vector": "candidates: vectors", "_judged": "judging", "_accepted": "judging what is open", "_linked": "linkage",
}  # fmt: skip


@dataclass
class Figures:
    parts: int = 0
    one_wall: float = 0
    """Seconds for the sample, one part at a time."""
    two_wall: float = 0
    """Seconds for the other sample, two parts at a time."""
    one_cpu: float = 0
    two_cpu: float = 0
    wall: float = 0
    """Seconds of the whole stage on two workers, including the driver's work."""
    cpu: float = 0
    private: float = 0
    """MB"""

    @property
    def efficiency(self) -> float:
        return self.one_wall / (WORKERS * self.two_wall) if self.two_wall else float("nan")

    @property
    def alone(self) -> float:
        """Seconds on one worker, computed."""
        return self.wall * (self.one_wall / self.two_wall if self.two_wall else 1)


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[Any, tuple[float, float, float]]:
    """The result; CPU seconds of all threads, the process's peak memory in GB, its most private memory in MB."""
    began, seen, ended = time.process_time(), [private()], threading.Event()

    def watch() -> None:
        while not ended.wait(_WATCHED_EVERY):
            seen.append(private())

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        result = function(*arguments)
    finally:
        seen.append(private())
        ended.set()
        watching.join()
    return result, (time.process_time() - began, peak(), max(seen))


def private() -> float:
    """MB of this process's memory that belong to no file and are not shared (Linux)."""
    resident, shared = map(int, Path("/proc/self/statm").read_text("ascii").split()[1:3])
    return (resident - shared) * resource.getpagesize() / 1e6


def unchanged(value: Any) -> Any:
    return value


class Measured(RayCluster):
    def __init__(self, cluster: RayCluster, sample: int) -> None:
        super().__init__(cluster.ray, cluster.workers)
        self.sample = sample
        self.figures: dict[str, Figures] = {}
        self.extra = 0.0
        """Seconds spent on samples."""
        self.extra_driver = 0.0
        """CPU seconds of this process for them."""
        self._timed = self.ray.remote(timed)
        self._processors = 1
        self._spent: list[Any] = []
        self.peak = 0.0
        """Memory of the worker that took most, in GB."""
        self._beside: list[Any] = []

    def start(self, function: Callable[..., Any], *arguments: Any) -> Any:
        remote = self._timed.options(num_returns=2, num_cpus=self._processors)
        result, spent = remote.remote(function, *arguments)
        self._spent.append(spent)
        return result

    def aside(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        result, spent = self._timed.options(num_returns=2).remote(alone, function, *arguments)
        self._beside.append(spent)
        return partial(self.ray.get, result)

    def beside(self) -> Figures:
        """What was computed beside the stages, as if the workers shared it evenly."""
        self._spent = self._beside
        cpu, taken = self._cpu()
        return Figures(len(self._beside), cpu, cpu / WORKERS, cpu, cpu, cpu / WORKERS, cpu, taken)

    def results(
        self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], stage: Any, *, fetch: bool = True
    ) -> Iterator[tuple[int, Any]]:
        tasks = list(tasks)
        figures = self.figures.setdefault(NAMES[function.__name__], Figures())
        began, driver = time.monotonic(), time.process_time()
        if len(tasks) >= 2 * WORKERS:
            self.ray.get(self._beside)  # it would disturb the samples
            warming, alone, together = self._samples(self._anew(tasks))
            for processors in (1, WORKERS):  # every process that Ray may choose loads what it needs
                self._run(function, warming, processors)
            figures.one_wall, figures.one_cpu = self._run(function, alone, WORKERS)
            figures.two_wall, figures.two_cpu = self._run(function, together, 1)
        self.extra += time.monotonic() - began
        self.extra_driver += time.process_time() - driver
        began = time.monotonic()
        self._spent.clear()
        yield from super().results(function, tasks, stage, fetch=fetch)
        figures.parts += len(tasks)
        figures.wall += time.monotonic() - began
        cpu, taken = self._cpu()
        figures.cpu += cpu
        figures.private = max(figures.private, taken)

    def _anew(self, tasks: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """The tasks with copies of what workers hold (`held`): the stage begins with a judge that has seen no pair."""
        copy, copies = self.ray.remote(unchanged), dict[int, list[Any]]()

        def own(argument: Any) -> Any:
            if not isinstance(argument, list) or not all(isinstance(each, self.ray.ObjectRef) for each in argument):
                return argument
            return copies.setdefault(id(argument), [copy.remote(each) for each in argument])

        return [tuple(map(own, task)) for task in tasks]

    def _samples(self, tasks: Sequence[tuple[Any, ...]]) -> tuple[list[tuple[Any, ...]], ...]:
        """Tasks to begin with, and two samples, evenly spread: of four adjacent parts, which take about as long, the
        outer and the inner ones. Of few parts, all three are the same."""
        of_both = 2 * WORKERS
        groups = min(self.sample // WORKERS, len(tasks) // (of_both + 1))
        if not groups:
            return tuple([list(tasks[:WORKERS])] * 3)
        starts = [(2 * group + 1) * len(tasks) // (2 * groups) - WORKERS for group in range(groups)]
        places = [[start + offset for start in starts for offset in offsets] for offsets in ((0, 3), (1, 2))]
        rest = [place for place in range(len(tasks)) if place not in {*places[0], *places[1]}]
        return tuple(
            [tasks[place] for place in chosen] for chosen in (rest[:: max(1, len(rest) // WORKERS)][:WORKERS], *places)
        )

    def _run(
        self, function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], processors: int
    ) -> tuple[float, float]:
        """Wall and CPU seconds; a part that needs all processors is alone."""
        self._spent.clear()
        self._processors = processors
        began = time.monotonic()
        with SILENT.stage("") as stage:
            for _ in super().results(function, tasks, stage, fetch=False):
                pass
        wall = time.monotonic() - began
        self._processors = 1
        return wall, self._cpu()[0]

    def _cpu(self) -> tuple[float, float]:
        """CPU seconds of all, and the most private memory of one."""
        spent = self.ray.get(self._spent)
        self.peak = max([self.peak, *(peak for _, peak, _ in spent)])
        return float(sum(cpu for cpu, _, _ in spent)), max([0.0, *(taken for *_, taken in spent)])


def measure(cluster: RayCluster, corpus: Path, steps: int, sample: int) -> float:
    """Print the table of one corpus; returns microseconds per step on two workers."""
    measured = Measured(cluster, sample)
    embedder = open_embedder(allow_download=True)
    options = AnalyseOptions((strategy("exact"), strategy("auto")), model="measured")
    began, driver = time.monotonic(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        exact, finder = (
            embedding(measured, embedder, VectorCache(model.model_hash, model.dim, Path(folder)), coarsely=coarsely)
            for model, coarsely in ((embedder, False), (coarse(embedder) or embedder, True))
        )
        analyse(corpus, options, vectors=exact, find=finding(measured, finder), aside=measured.aside)
    whole = time.monotonic() - began - measured.extra
    driver = time.process_time() - driver - measured.extra_driver
    measured.figures["beside the stages"] = beside = measured.beside()
    whole += beside.wall
    head = f"{'stage':<24}{'parts':>6}{'1 worker s':>12}{'2 workers s':>12}{'efficiency':>11}{'CPU 2/1':>9}{'MB':>6}"
    print(f"\n{steps:,} steps\n{head}")
    rows = dict(measured.figures)
    rows["embedding + candidates"] = total([v for k, v in rows.items() if k.startswith(("embedding", "candidates"))])
    for name, row in rows.items():
        ratio = row.two_cpu / row.one_cpu if row.one_cpu else float("nan")
        walls = f"{row.alone:>12.1f}{row.wall:>12.1f}{row.efficiency:>11.2f}"
        print(f"{name:<24}{row.parts:>6}{walls}{ratio:>9.2f}{row.private:>6.0f}")
    alone = whole + sum(row.alone - row.wall for row in measured.figures.values())
    print(f"{'whole run':<24}{'':>6}{alone:>12.1f}{whole:>12.1f}{alone / (WORKERS * whole):>11.2f}")
    spent = sum(row.cpu for row in measured.figures.values())
    print(f"CPU: workers {spent:.0f} s, driver {driver:.0f} s")
    print(f"peak memory: a worker {measured.peak:.2f} GB, driver {peak():.2f} GB")
    print(f"a step: {whole / steps * 1e6:.1f} µs, {(spent + driver) / steps * 1e6:.1f} µs CPU", flush=True)
    return whole / steps * 1e6


def total(rows: Sequence[Figures]) -> Figures:
    """The sum of several stages; samples weigh as much as their whole stages."""
    whole = Figures(sum(row.parts for row in rows), wall=sum(row.wall for row in rows))
    whole.two_wall, whole.one_wall = whole.wall, sum(row.alone for row in rows)
    whole.private = max([0.0, *(row.private for row in rows)])
    whole.one_cpu = sum(row.cpu for row in rows)
    whole.two_cpu = sum(row.cpu * (row.two_cpu / row.one_cpu if row.one_cpu else 1) for row in rows)
    return whole


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clusters", type=Path)
    parser.add_argument("--steps", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--distinct", type=int, nargs="+", default=[82_545, 1_000_000])
    parser.add_argument("--sample", type=int, default=4, help="parts of each stage that are run twice more")
    parser.add_argument("--folder", type=Path, help="keep the corpora here")
    options = parser.parse_args()
    cluster = connect(WORKERS, None)
    costs = []
    with tempfile.TemporaryDirectory() as temporary:
        for steps, distinct in zip(options.steps, options.distinct, strict=True):
            corpus = (options.folder or Path(temporary)) / f"{steps}-{distinct}"
            if not (corpus / "steps.parquet").is_file():
                synthesise(corpus, options.clusters, steps=steps, distinct=distinct)
            costs.append(measure(cluster, corpus, steps, options.sample))
    for steps, cost in zip(options.steps[1:], costs[1:], strict=True):
        print(f"\na step of {steps:,} costs {cost / costs[0]:.2f} times one of {options.steps[0]:,}")


if __name__ == "__main__":
    main()
