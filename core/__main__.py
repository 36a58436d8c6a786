"""The command line: `python -m core analyze …`. Exit 0 complete, 2 an input cannot be used, 3 the proof
fails, 1 any other fault of the program."""

from __future__ import annotations

import argparse
import logging
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn, Optional

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
        self.exit(2, f"{message[:1].upper()}{message[1:]}. See python -m core analyze --help.\n")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command line and give its exit code; refusals go to standard error, one line each."""
    options = _parser().parse_args(arguments)
    try:
        with _libraries_are_quiet():
            return _analyze(options)
    except InputError as error:
        sys.stderr.writelines(f"{problem}\n" for problem in error.problems)
        return 2
    except ProofError as error:
        sys.stderr.write(f"{error}\n")
        return 3
    except Exception as error:
        words = " ".join(f"{type(error).__name__} {error}".split())
        sys.stderr.write(f"The analysis stopped by a fault of the program, please report this: {words}\n")
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
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser, metavar="analyze")
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
    return parser


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
