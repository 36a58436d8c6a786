"""Times the overlay and the whole analysis against geopandas and QGIS, in turn in one process, and prints the ratios.

Run by `make bench`. Targets are those of the design: (a) overlay from arrays in memory at least 40 times as fast as
`geopandas.overlay` from frames in memory; (b) file to class, share and dollars faster than `native:clip` and at least
40 times as fast as `native:intersection`, file to memory; (c) the whole analysis without writing at most 1.5 times
`native:clip` from 50,000 parcels on; (d) ten times the county file under the same territory costs at most one second
more per million rows; (e) the live analysis after a moved vertex takes at most 150 ms and after a signature at most
20 ms at 50,000 parcels. A missed target is printed, not raised.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gc
import importlib.util
import io
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).resolve().parent.parent.parent
COUNTIES = ROOT / "build" / "bench"
PAGE, FENCE = ROOT / "docs" / "performance.md", "```"
PACKAGE = "village_petition"
SIZES = (10_000, 50_000, 200_000)
GROWTH = (20_000, 200_000)
"""Two counties with the same territory, for target (d)."""
MILLION = 1_000_000
LIVE_SIZE = 50_000
LIVE_MS = {"moved vertex": 150, "signature": 20}
"""Milliseconds at most, for target (e)."""
LIVE_CHANGES = 40
LIVE_REACH = 40.0
"""Feet by which a vertex is moved."""
SLIVER_FEET = 1.0

OVERLAY, FILE, WHOLE = "overlay, arrays in memory", "file to class, share, dollars", "whole analysis, not written"
GEOPANDAS, CLIP, INTERSECTION = "geopandas.overlay, in memory", "native:clip, file to memory", "native:intersection"


@dataclass
class Contestant:
    """Something to time: `prepare` makes what `run` takes and is not timed; it runs in the first `rounds` rounds."""

    name: str
    prepare: Callable[[], Any]
    run: Callable[[Any], object]
    rounds: int
    warm: bool = True
    seconds: list[float] = field(default_factory=list)

    def time(self, keep: bool = True) -> None:
        """One run."""
        given = self.prepare()
        gc.collect()
        begin = time.perf_counter()
        result = self.run(given)
        elapsed = time.perf_counter() - begin
        del result, given
        if keep:
            self.seconds.append(elapsed)

    @property
    def median(self) -> float:
        """The middle of the runs' seconds."""
        return statistics.median(self.seconds)


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """Time what the options ask for and print it."""
    options = _options(arguments)
    _load_package()
    if options.memory_of is not None:
        _print_peak(options.memory_of)
    elif options.record:
        _record(options)
    else:
        _bench(options)


def _record(options: argparse.Namespace) -> None:
    """Print as always, and put the same into the page on performance."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        _bench(options)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(f"{FENCE}\n")
    _, _, after = rest.partition(f"{FENCE}\n")
    PAGE.write_text(f"{before}{FENCE}\n{told.getvalue()}{FENCE}\n{after}", encoding="utf-8")
    print(told.getvalue(), end="")


def _bench(options: argparse.Namespace) -> None:
    sizes = SIZES[:1] if options.quick else (*SIZES, MILLION) if options.million else SIZES
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}, {_versions()}")
    with _Qgis() as qgis:
        for size in sizes:
            _bench_size(size, options.rounds, qgis)
        # Still with QGIS: its end takes GDAL's drivers along.
        _bench_live(sizes[0] if options.quick else LIVE_SIZE)
        pairs = () if options.quick else (GROWTH, (MILLION // 10, MILLION)) if options.million else (GROWTH,)
        for pair in pairs:
            _bench_growth(pair, options.rounds)


def _options(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Times the overlay and the analysis against geopandas and QGIS.")
    parser.add_argument("--quick", action="store_true", help="10,000 parcels only")
    parser.add_argument("--million", action="store_true", help="1,000,000 parcels as well")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each; the median counts (7)")
    parser.add_argument("--record", action="store_true", help="put the figures into docs/performance.md")
    parser.add_argument("--memory-of", type=int, metavar="N", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _load_package() -> None:
    spec = importlib.util.spec_from_file_location(PACKAGE, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)])
    if spec is None or spec.loader is None:
        raise RuntimeError(f"{ROOT} holds no package")
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    sys.path.insert(0, str(Path(__file__).resolve().parent))


def _versions() -> str:
    import geopandas
    import numpy
    import shapely
    from osgeo import gdal
    from qgis.core import Qgis

    return (
        f"QGIS {Qgis.QGIS_VERSION}, GDAL {gdal.__version__}, shapely {shapely.__version__} "
        f"(GEOS {shapely.geos_version_string}), geopandas {geopandas.__version__}, numpy {numpy.__version__}"
    )


class _Qgis:
    """QGIS without a window, with its own algorithms."""

    def __enter__(self) -> _Qgis:
        from qgis.analysis import QgsNativeAlgorithms
        from qgis.core import QgsApplication

        self._application = QgsApplication([], False)
        self._application.initQgis()
        QgsApplication.processingRegistry().addProvider(QgsNativeAlgorithms())
        return self

    def __exit__(self, *_: object) -> None:
        self._application.exitQgis()

    def run(self, name: str, county: Path) -> int:
        """Run an algorithm on a county's parcels and territory, file to memory; gives how many features came out."""
        from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingFeedback, QgsProject

        context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
        context.setProject(QgsProject.instance())
        parameters = {
            "INPUT": f"{county / 'parcels.gpkg'}|layername=parcels",
            "OVERLAY": f"{county / 'territory.gpkg'}|layername=territory",
            "OUTPUT": "memory:",
        }
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(name)
        results, done = algorithm.run(parameters, context, feedback)
        if not done:
            raise RuntimeError(f"{name} failed: {feedback.textLog()}")
        layer = context.takeResultLayer(results["OUTPUT"])
        count: int = layer.featureCount()
        del layer
        return count


def _bench_size(size: int, rounds: int, qgis: _Qgis) -> None:
    from make_county import county

    folder = county(COUNTIES, size)
    contestants = _contestants(folder, size, rounds, qgis)
    for contestant in contestants:
        if contestant.warm:
            contestant.time(keep=False)
    # What this bench holds itself is no part of anybody's rubbish.
    gc.freeze()
    for turn in range(rounds):
        for contestant in contestants:
            if turn < contestant.rounds:
                contestant.time()
    by_name = {contestant.name: contestant for contestant in contestants}
    print(f"\n{size:,} parcels, {_ground(folder, size)}")
    _print_table(contestants, by_name[CLIP].median)
    for line in _judged(size, {name: contestant.median for name, contestant in by_name.items()}):
        print(f"  {line}")
    print(f"  peak memory of the whole analysis in a process of its own: {_peak(size)}")


def _contestants(folder: Path, size: int, rounds: int, qgis: _Qgis) -> list[Contestant]:
    import geopandas
    import shapely
    from make_county import CRS, attributes, choose_lots, make_territory, outlines

    lots = choose_lots(size)
    shapes = shapely.polygons(outlines(lots))
    columns = attributes(lots, shapely.area(shapes))
    kept = {name: columns[name] for name in ("SWIS", "PRINT_KEY", "TOTAL_AV", "LAND_AV")}
    frame = geopandas.GeoDataFrame(kept, geometry=shapes, crs=CRS)
    outline = shapely.to_wkb(make_territory(size))
    copy = lambda: (shapes, shapely.from_wkb(outline))  # noqa: E731
    frames = lambda: (frame.copy(), geopandas.GeoDataFrame(geometry=[shapely.from_wkb(outline)], crs=CRS))  # noqa: E731
    nothing = lambda: None  # noqa: E731
    slow = 3 if size <= SIZES[1] else 1
    return [
        Contestant(OVERLAY, copy, lambda given: _place(*given), rounds),
        Contestant(FILE, nothing, lambda _: _file_to_dollars(folder), rounds),
        Contestant(WHOLE, nothing, lambda _: _whole(folder, folder), rounds),
        Contestant(CLIP, nothing, lambda _: qgis.run("native:clip", folder), rounds),
        Contestant(
            GEOPANDAS,
            frames,
            lambda given: geopandas.overlay(*given, how="intersection"),
            min(slow, rounds),
            warm=False,
        ),
        Contestant(INTERSECTION, nothing, lambda _: qgis.run("native:intersection", folder), 1, warm=False),
    ]


def _place(shapes: Any, territory: Any) -> object:
    from village_petition.core.overlay import place

    return place(shapes, territory, SLIVER_FEET)


def _file_to_dollars(folder: Path) -> int:
    """The parcels and the territory from their files to each parcel's class, share and dollars."""
    from village_petition.core.analysis import uncollected
    from village_petition.core.assessment import assess
    from village_petition.core.crs import working_crs
    from village_petition.core.editions import load_edition
    from village_petition.core.overlay import INSIDE, SPLIT
    from village_petition.core.parcel_source import open_parcels
    from village_petition.core.parcels import near_parcels
    from village_petition.core.readers import read_layer
    from village_petition.core.roll import read_roll
    from village_petition.core.schema import detect_fields
    from village_petition.core.territory import read_territory

    source = open_parcels(str(folder / "parcels.gpkg"))
    with uncollected(), source.held():
        fields = detect_fields(source.source, source.names, {})
        crs = working_crs(source.crs, [], source.source)
        tolerance = crs.tolerance(str(SLIVER_FEET))
        layer = read_layer(str(folder / "territory.gpkg"), "territory")
        territory, _ = read_territory(layer, crs, tolerance, load_edition("2004"), "")
        near = near_parcels(source, fields, read_roll(source, fields), crs, territory, tolerance)
        counted = [index for index, place in enumerate(near.placement.place.tolist()) if place in (INSIDE, SPLIT)]
        return sum(parcel.inside or 0 for parcel in assess(near, counted, True, {}))


def _whole(parcels: Path, territory: Path) -> object:
    """The whole analysis of a county's parcels, with the territory and the signers of another of the same make."""
    from village_petition.core.analysis import analyze

    return analyze(_inputs(parcels, territory))


def _inputs(parcels: Path, territory: Path) -> Any:
    from village_petition.core.inputs import load_inputs

    return load_inputs(
        {
            "parcels": str(parcels / "parcels.gpkg"),
            "towns": str(parcels / "towns.gpkg"),
            "territory": str(territory / "territory.gpkg"),
            "rates": str(parcels / "rates.csv"),
            "signers": str(territory / "signers.csv"),
        }
    )


def _ground(folder: Path, size: int) -> str:
    from make_county import TERRITORY_VERTICES

    proof: Any = getattr(_whole(folder, folder), "proof")  # noqa: B009
    met = proof.inside + proof.split
    return (
        f"territory of {TERRITORY_VERTICES:,} vertices, {met:,} met ({100 * met / size:.1f} %), "
        f"{proof.split:,} cut ({100 * proof.split / size:.2f} %)"
    )


def _print_table(contestants: Sequence[Contestant], clip: float) -> None:
    print(f"  {'':32}{'median s':>10}{'least':>10}{'most':>10}{'runs':>6}{'of clip':>10}")
    for one in contestants:
        low, high = min(one.seconds), max(one.seconds)
        times = f"{one.median:>10.3f}{low:>10.3f}{high:>10.3f}{len(one.seconds):>6}"
        print(f"  {one.name:32}{times}{one.median / clip:>9.2f}x")


def _judged(size: int, median: dict[str, float]) -> list[str]:
    by_geopandas = median[GEOPANDAS] / median[OVERLAY]
    by_clip = median[CLIP] / median[FILE]
    by_intersection = median[INTERSECTION] / median[FILE]
    whole = median[WHOLE] / median[CLIP]
    lines = [
        f"(a) overlay {by_geopandas:.0f} times as fast as geopandas.overlay, 40 wanted: {_word(by_geopandas >= 40)}",
        f"(b) file to dollars {by_clip:.2f} times as fast as native:clip, more than 1 wanted: {_word(by_clip > 1)}",
        f"(b) and {by_intersection:.0f} times native:intersection, 40 wanted: {_word(by_intersection >= 40)}",
    ]
    wanted = f"1.5 wanted: {_word(whole <= 1.5)}" if size >= SIZES[1] else "no target at this size"
    return [*lines, f"(c) whole analysis {whole:.2f} times native:clip, {wanted}"]


def _bench_growth(pair: tuple[int, int], rounds: int) -> None:
    from make_county import county

    small, large = (county(COUNTIES, size) for size in pair)
    runs = [
        Contestant(f"{size:,} parcels", lambda: None, lambda _, folder=folder: _whole(folder, small), rounds)
        for size, folder in zip(pair, (small, large))
    ]
    for turn in range(-1, rounds):
        for run in runs:
            run.time(keep=turn >= 0)
    more = (runs[1].median - runs[0].median) / (pair[1] - pair[0]) * MILLION
    print(f"\nTen times the county, the territory and signers of the county of {pair[0]:,}, whole analysis")
    for run in runs:
        print(f"  {run.name:32}{run.median:>10.3f}{min(run.seconds):>10.3f}{max(run.seconds):>10.3f}{rounds:>6}")
    print(f"  (d) {more:.2f} s more per million rows, 1 wanted: {_word(more <= 1)}")


def _bench_live(size: int) -> None:
    """Milliseconds from a change to the whole analysis, and whether that is the analysis of everything anew."""
    import numpy
    import shapely
    from make_county import county

    from village_petition.core import tables
    from village_petition.core.analysis import analyze
    from village_petition.core.document import as_json
    from village_petition.core.live import Live

    folder = county(COUNTIES, size)
    inputs = _inputs(folder, folder)
    corners = shapely.get_coordinates(inputs.territory.geometry[0])
    lines = tables.signers(inputs.signers)
    live = Live(inputs)
    live.update()
    seconds: dict[str, list[float]] = {name: [] for name in LIVE_MS}
    chances = numpy.random.default_rng(LIVE_CHANGES)
    while len(seconds["moved vertex"]) < LIVE_CHANGES:
        changed = corners.copy()
        changed[int(chances.integers(1, len(corners) - 1))] += chances.uniform(-LIVE_REACH, LIVE_REACH, 2)
        line = shapely.Polygon(changed)
        if not line.is_valid:
            continue
        corners = changed
        seconds["moved vertex"].append(_timed(lambda line=line: live.update(line)))
        without = int(chances.integers(len(lines)))
        signed = (*lines[:without], *lines[without + 1 :])
        seconds["signature"].append(_timed(lambda signed=signed: live.sign(signed)))
    last = dataclasses.replace(inputs.territory, geometry=numpy.array([line], dtype=object))
    live.sign(lines)
    same = as_json(live.analysis) == as_json(analyze(dataclasses.replace(inputs, territory=last)))
    print(f"\n{size:,} parcels, territory of {len(corners) - 1:,} vertices, live, in ms")
    print(f"  {'':32}{'median':>10}{'least':>10}{'most':>10}{'runs':>6}")
    for name, times in seconds.items():
        spread = f"{1000 * min(times):>10.1f}{1000 * max(times):>10.1f}{len(times):>6}"
        print(f"  {name:32}{1000 * statistics.median(times):>10.1f}{spread}")
    for name, most in LIVE_MS.items():
        middle = 1000 * statistics.median(seconds[name])
        wanted = f"{most} wanted: {_word(middle <= most)}" if size == LIVE_SIZE else "no target at this size"
        print(f"  (e) {name} to the whole analysis in {middle:.0f} ms, {wanted}")
    print(f"  (e) the last one {'equals' if same else 'DIFFERS FROM'} the analysis of everything anew")


def _timed(run: Callable[[], object]) -> float:
    gc.collect()
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def _word(met: bool) -> str:
    return "met" if met else "MISSED"


def _peak(size: int) -> str:
    command = [sys.executable, str(Path(__file__).resolve()), "--memory-of", str(size)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def _print_peak(size: int) -> None:
    import fiona  # noqa: F401
    import geopandas  # noqa: F401
    from make_county import county
    from osgeo import ogr  # noqa: F401

    before = _most_resident()
    folder = county(COUNTIES, size)
    _whole(folder, folder)
    print(f"{_most_resident() / 1024:.0f} MB, of which {before / 1024:.0f} MB are the libraries")


def _most_resident() -> int:
    """The most memory that this process has held, in kB; what `getrusage` gives counts the parent's as well."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise RuntimeError("/proc/self/status tells no VmHWM")


if __name__ == "__main__":
    main()
