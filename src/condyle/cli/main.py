"""`condyle`: commands load only when they are used, so that help is fast; errors are words, never tracebacks."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from importlib import import_module

import click
from click.shell_completion import CompletionItem

COMMANDS = {
    "demo": "Run a demonstration and leave files to open.",
    "info": "Say what is in a model, joint, arm, motion or table file.",
    "check": "Check a model: joints, inertia, energy, inverse dynamics.",
    "simulate": "Simulate a model and save the trajectory.",
    "ik": "Find coordinates that bring bodies to targets.",
    "fit": "Fit a joint to measured poses.",
    "identify": "Find what is unknown of a model from markers, or from motion and torques.",
    "ensemble": "Run a model or a function for many sets of parameters.",
    "trial": "Angles and moments of a trial: scaling, inverse kinematics and dynamics.",
    "muscles": "Lengths, moment arms and activations of muscles in a motion.",
    "arm": "A person's reach: fit an arm to measurements, pose it.",
    "view": "Show a model, motion, joint or arm in the browser.",
    "export": "Write a player, a picture, glTF or a table.",
    "bench": "Time a model's dynamics on this machine.",
    "warmup": "Compile the kernels of everyday calls, all at once.",
    "schema": "Print the JSON schema of model files.",
}
CODES = {
    "0": "done",
    "1": "done, and the answer is no: a check failed, a target is out of reach, a run stopped",
    "2": "wrong use, a bad file, or a file that cannot be written",
    "70": "a mistake in condyle itself; CONDYLE_DEBUG=1 shows where",
    "130": "interrupted (128 and the number of the signal: 129 hang-up, 143 terminated)",
}
MISTAKE = 70  # as sysexits.h has it


class Lazy(click.Group):
    """A group whose commands are modules of `condyle.cli.commands`, loaded on use."""

    def list_commands(self, ctx):
        return list(COMMANDS)

    def get_command(self, ctx, cmd_name):
        return import_module(f"condyle.cli.commands.{cmd_name}").command if cmd_name in COMMANDS else None

    def format_commands(self, ctx, formatter):
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        with formatter.section("Exit codes"):
            formatter.write_dl(list(CODES.items()))

    def shell_complete(self, ctx, incomplete):
        found = [CompletionItem(name, help=about) for name, about in COMMANDS.items() if name.startswith(incomplete)]
        return found or click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(self, ctx, args):
        if args and args[0] not in COMMANDS:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"no command {args[0]!r}.{hint} See condyle --help.")
        return super().resolve_command(ctx, args)


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="condyle", message="condyle %(version)s")
def condyle() -> None:
    """Articulated bodies whose joints move like real ones."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """The exit code of a command; what went wrong is printed."""
    try:
        code = condyle.main(arguments, prog_name="condyle", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except Exception as error:
        with contextlib.suppress(OSError):  # a terminal that is gone hears nothing
            return said(error, "--json" in arguments)
        return 2


def said(error: Exception, as_json: bool) -> int:
    """Print an error in words on standard error, and for scripts as JSON on standard output; its exit code."""
    from ..errors import CondyleError

    if isinstance(error, click.ClickException):
        if as_json:
            click.echo(json.dumps({"error": "Usage", "message": error.format_message()}))
        error.show()
        return 2
    expected = isinstance(error, (CondyleError, OSError, MemoryError))
    full = isinstance(error, MemoryError)
    name = "OutOfMemory" if full else type(error).__name__
    words = f"there is not enough memory for this; try less at once. {error}" if full else str(error)
    if as_json:
        click.echo(json.dumps({"error": name, "message": words}))
    click.echo(f"{name}: {words}", err=True)
    if expected:
        return 2
    if os.environ.get("CONDYLE_DEBUG"):
        raise error
    click.echo("this is a mistake in condyle; run the command again with CONDYLE_DEBUG=1 to see where", err=True)
    return MISTAKE
