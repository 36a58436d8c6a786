"""The command line: `python -m core analyze …` and `python -m core traverse …`.

Exit 0 complete, 2 an input cannot be used, 3 the proof fails or a traverse does not close, 1 any other fault of the
program.
"""

from __future__ import annotations

import argparse
import logging
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, Optional

from .model import InputError, ProofError

FILES = {
    "parcels": "tax parcels with the roll's values: F or F|layer",
    "towns": "town polygons with NAME and SWIS",
    "territory": "the boundary of the proposed village",
    "rates": "equalization rates, a CSV",
    "owners": "owners by parcel, a CSV",
    "signers": "signature lines, a CSV",
    "inhabitants": "regular inhabitants, a CSV",
    "buildings": "building footprints or points",
    "cities-villages": "cities and villages with NAME, KIND and SWIS",
    "districts": "school, fire and improvement districts",
    "unmapped": "roll rows without polygon, a CSV",
    "overrides": "the assessor's own figures, a CSV",
    "petition": "facts of the petition, a JSON file",
}
REQUIRED = ("parcels", "towns", "territory", "rates")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the options in one line, as every other refusal."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message[:1].upper()}{message[1:]}. See {self.prog} --help.\n")


if TYPE_CHECKING:
    _Commands = argparse._SubParsersAction[_Parser]


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command line and give its exit code; refusals go to standard error, one line each."""
    options, unknown = _parser().parse_known_args(arguments)
    if unknown:
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        with _libraries_are_quiet():
            return int(options.run(options))
    except InputError as error:
        sys.stderr.writelines(f"{problem}\n" for problem in error.problems)
        return 2
    except ProofError as error:
        sys.stderr.write(f"{error}\n")
        return 3
    except Exception as error:
        words = " ".join(f"{type(error).__name__} {error}".split())
        sys.stderr.write(f"{options.subject} stopped by a fault of the program, please report this: {words}\n")
        return 1


@contextmanager
def _libraries_are_quiet() -> Iterator[None]:
    """Standard error is for refusals alone: what libraries warn of by themselves is not part of the answer."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m core", description="The tests of Village Law § 2-202 for a proposed village.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser, metavar="analyze|traverse")
    _add_analyze(commands)
    _add_traverse(commands)
    return parser


def _add_analyze(commands: _Commands) -> None:
    analyze = commands.add_parser("analyze", help="a boundary over parcels gives the verdict", allow_abbrev=False)
    for name, text in FILES.items():
        analyze.add_argument(f"--{name}", metavar="FILE", help=text, required=name in REQUIRED)
    analyze.add_argument("--edition", default="2004", help="edition of the law (2004 unless given)")
    analyze.add_argument(
        "--field",
        action="append",
        default=[],
        metavar="NAME=FIELD",
        help="which field is which, e.g. total_av=TOTAL_AV or towns.swis=MUNI; may be repeated",
    )
    analyze.add_argument(
        "--sliver-width-ft", default="1.0", metavar="FEET", help="pieces this narrow are slivers (1.0)"
    )
    analyze.add_argument("--summary", action="store_true", help="print the verdict as a table")
    analyze.add_argument("--out", required=True, metavar="DIR", help="folder for the results")
    analyze.set_defaults(run=_analyze, subject="The analysis", parser=analyze)


def _add_traverse(commands: _Commands) -> None:
    traverse = commands.add_parser("traverse", help="metes and bounds give a polygon", allow_abbrev=False)
    traverse.add_argument("file", metavar="FILE", help="the description, a text file")
    traverse.add_argument("--crs", required=True, metavar="CRS", help="a projected system, e.g. EPSG:2262")
    traverse.add_argument("--start", required=True, metavar="E,N", help="where the text begins, in units of the system")
    traverse.add_argument(
        "--basis", metavar="BASIS", help="what bearings start from: grid, true, or magnetic:DECLINATION (east positive)"
    )
    traverse.add_argument(
        "--foot", choices=("survey", "international"), default="survey", help="which foot the text means (survey)"
    )
    traverse.add_argument("--grid-factor", default="1", metavar="F", help="grid length over ground length (1)")
    traverse.add_argument(
        "--first-bearing", metavar="BEARING", help="direction of the first course of a figure told by interior angles"
    )
    traverse.add_argument("--azimuths", action="store_true", help="angles without quadrant are azimuths from north")
    traverse.add_argument("--confirm-crs", action="store_true", help="use a system that distorts lengths all the same")
    traverse.add_argument("--allow-open", action="store_true", help="write the figure even where it does not close")
    traverse.add_argument("--out", required=True, metavar="DIR", help="folder for the results")
    traverse.set_defaults(run=_traverse, subject="The traverse", parser=traverse)


def _analyze(options: argparse.Namespace) -> int:
    from .analysis import analyze
    from .document import write
    from .inputs import load_inputs
    from .summary import summary

    inputs = load_inputs(
        {name.replace("-", "_"): getattr(options, name.replace("-", "_")) for name in FILES},
        edition=options.edition,
        fields=_fields(options.field),
        sliver_width_ft=options.sliver_width_ft,
    )
    analysis = analyze(inputs)
    write(analysis, options.out)
    text = summary(analysis) if options.summary else f"{analysis.verdict}\n"
    sys.stdout.buffer.write(text.encode("utf-8"))
    return 0


def _traverse(options: argparse.Namespace) -> int:
    from pathlib import Path

    from . import bearings

    source = Path(options.file).name
    text = bearings.read_text(options.file)
    foot = bearings.SURVEY_FOOT if options.foot == "survey" else bearings.INTERNATIONAL_FOOT
    frame = bearings.frame(
        options.crs,
        bearings.start_point(options.start),
        options.basis or "grid",
        foot,
        bearings.factor(options.grid_factor),
    )
    if frame.doubtful and not options.confirm_crs:
        raise InputError(f"{frame.doubtful} Add --confirm-crs to use it all the same.")
    first = None if options.first_bearing is None else bearings.azimuth_of_text(options.first_bearing)
    result = bearings.traverse(
        text,
        frame,
        bearings.Options(azimuth=options.azimuths, foot_m=foot),
        orientation=first,
        basis_chosen=options.basis is not None,
    )
    bearings.refuse_empty(result, source)
    bearings.write(result, frame, source, options.out, options.allow_open)
    problems = [*result.problems, *(one for parcel in result.results for one in parcel.problems)]
    lines = [*bearings.summary(result), *(one.line_of(source) for one in problems)]
    sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode("utf-8"))
    if result.usable:
        return 0
    reasons = [f"{one.parcel.label}: {one.why_not}" for one in result.results if one.why_not]
    reasons = reasons or ["The parcels do not make one boundary: an exception or a crossing stands against it."]
    sys.stderr.writelines(f"{source}: {reason}\n" for reason in reasons)
    return 3


def _fields(assignments: Sequence[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for assignment in assignments:
        name, equals, field = assignment.partition("=")
        if not equals or not name.strip() or not field.strip():
            raise InputError(f"--field “{assignment}” is not NAME=FIELD. Write for example total_av=TOTAL_AV.")
        if name.strip() in fields:
            raise InputError(f"--field {name.strip()} is given twice. Give it once.")
        fields[name.strip()] = field.strip()
    return fields


if __name__ == "__main__":
    sys.exit(main())
