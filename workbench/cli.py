"""The command line: `python -m workbench` or `figmn-workbench`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from figmn import __version__
from figmn.params import plain
from workbench.commands import headline as benchmark
from workbench.commands import parameter_flags
from workbench.commands.option_error import OptionError
from workbench.commands.progress import bar, end_line, show_line
from workbench.run.learn.headless import Result, run
from workbench.run.recipe.model_file import save_model
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.suggestion import suggest_width
from workbench.source.errors import SourceError, words_of
from workbench.source.read.opening import require_regular
from workbench.words.sentences import UserError

SMALLEST, LARGEST = 320, 10_000
INTERRUPTED = 130
"""Exit code after Ctrl+C, as in shells."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = _parser().parse_args(arguments)
    if options.word == "bench":
        return benchmark.run(options)
    if options.word == "run":
        return run_recipe(options)
    return start_window(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="figmn-workbench",
        description="Without a command: the window; without a display, its demo runs headless and prints results.",
    )
    parser.add_argument("--version", action="version", version=f"figmn-workbench {__version__}")
    parser.add_argument("--open", metavar="FILE", type=_existing, help="a data file to open")
    parser.add_argument("--recipe", metavar="FILE", type=_existing, help="a recipe to open and run")
    parser.add_argument("--theme", choices=("light", "dark", "system"), help="theme of the window")
    parser.add_argument("--size", type=_size, metavar="WxH", help="size of the window in pixels, such as 1280x800")
    parser.add_argument("--screenshot", type=_picture, metavar="FILE", help="write a picture of the run, then exit")
    words = parser.add_subparsers(dest="word", metavar="run | bench")
    benchmark.add_options(words.add_parser("bench", help="time the engines against each other"))
    headless = words.add_parser("run", help="run a recipe without a window")
    headless.add_argument("recipe", type=_existing, help="recipe as JSON")
    headless.add_argument("--model", type=benchmark.new_file, metavar="FILE", help="write the model (.figmn)")
    headless.add_argument("--csv", type=benchmark.new_file, metavar="FILE", help="write one line per sample as CSV")
    headless.add_argument(
        "--raw-csv",
        action="store_true",
        help="write labels such as =1+1 as they are, without an apostrophe before them",
    )
    headless.add_argument("--drift", action="store_true", help="watch the stream for drifts (extra: river)")
    headless.add_argument(
        "--suggest", action="store_true", help="compare widths on the first rows, say which predicts best, and use it"
    )
    parameter_flags.add_flags(headless)
    return parser


def start_window(options: argparse.Namespace) -> int:
    """Show the window, or run it headless where there is no display."""
    from workbench.commands import demo
    from workbench.window import application

    start = application.Start(options.theme, options.size, options.recipe, options.open, options.screenshot)
    try:
        return application.show(start) if application.has_display() else demo.unseen(start)
    except (OSError, UserError) as error:  # the picture could not be written
        print(f"figmn-workbench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return INTERRUPTED


def run_recipe(options: argparse.Namespace) -> int:
    """Run a recipe, write the requested files, and print a summary."""
    try:
        recipe = Recipe.from_json(options.recipe).with_parameters(parameter_flags.given(options))
        recipe = recipe.watching_drift() if options.drift else recipe
        recipe = _with_suggestion(recipe, options) if options.suggest else recipe
        result = run(recipe, _progress, csv=options.csv, raw_csv=options.raw_csv)
        if options.model:
            save_model(result.model.snapshot(), result.encoder, options.model)
    except (ValueError, OSError, MemoryError) as error:
        print(f"figmn-workbench: {words_of(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped: nothing was written", file=sys.stderr)
        return INTERRUPTED
    print(summary(result))
    return 0


def _with_suggestion(recipe: Recipe, options: argparse.Namespace) -> Recipe:
    """The recipe with the width that predicts best; the reason is printed."""
    if hasattr(options, "delta"):
        raise UserError("The width is set twice, by --suggest and by --delta: give one of them.")
    found = suggest_width(recipe)
    print(f"δ = {plain(found.delta)} suggested. {found.reason}")
    return recipe.with_parameters({"delta": found.delta})


def summary(result: Result) -> str:
    """The result of a recipe in a few lines."""
    model, merged = result.model, f"merged {result.n_merges:,}   " if result.n_merges else ""
    before = f" after {model.n_seen - result.n_samples:,}" if model.n_seen > result.n_samples else ""
    lines = [
        result.recipe.describe(model.n_features),
        f"samples {result.n_samples:,}{before}   K {model.n_components:,}   born {result.n_births:,}   "
        f"removed {result.n_removals:,}   {merged}{result.microseconds:.2f} µs per sample",
    ]
    if result.held_out is not None:
        lines.append(result.held_out.words())
    lines += [result.left_out] if result.left_out else []
    if result.recipe.choices.drift:
        lines += [f"{drift.words()} {drift.change_words()}".strip() for drift in result.drifts] or ["no drift seen"]
    return "\n".join([*lines, *(f"warning: {text}" for text in result.warnings)])


def _progress(done: int, total: int) -> bool:
    """Show a progress bar; never cancels."""
    if total:
        show_line(f"{bar(done, total)} {done:,} / {total:,}")
    if total and done == total:
        end_line()
    return True


def _existing(text: str) -> str:
    try:
        require_regular(Path(text))
    except SourceError as error:
        raise OptionError("{problem}", problem=error) from None
    except (OSError, ValueError):
        raise OptionError("{value!r} does not exist: give a file that exists.", value=text) from None
    return text


def _picture(text: str) -> str:
    path = benchmark.new_file(text)
    if path.suffix.lower() not in {".png", ".jpg"}:
        raise OptionError("{value!r} is not a picture: give a name that ends with .png.", value=text)
    return str(path)


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)[x×](\d+)", text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(SMALLEST <= side <= LARGEST for side in size):
        raise OptionError(
            "{value!r} is not a size: give one such as 1280x800, each {smallest} or more.",
            value=text,
            smallest=SMALLEST,
        )
    return size
