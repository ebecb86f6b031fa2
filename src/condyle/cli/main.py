"""`condyle`: commands load only when they are used, so that help is fast; errors are words, never tracebacks.

Exit codes: 0 done; 1 done, and the answer is no (a check failed, a target is out of reach, a run stopped);
2 wrong use or a bad file; 130 interrupted.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module

import click
from click.shell_completion import CompletionItem

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "demo": "Run a demonstration and leave files to open.",
    "info": "Say what is in a model, joint, arm, trajectory or table file.",
    "check": "Check a model: joints, inertia, energy, inverse dynamics.",
    "simulate": "Simulate a model and save the trajectory.",
    "ik": "Find coordinates that bring bodies to targets.",
    "fit": "Fit a joint to measured poses.",
    "arm": "A person's reach: fit an arm to measurements, pose it.",
    "view": "Show a model, trajectory or arm in the browser.",
    "export": "Write a player, a picture, glTF or a table.",
    "bench": "Time a model's dynamics on this machine.",
    "schema": "Print the JSON schema of model files.",
}


class Lazy(click.Group):
    """A group whose commands are modules of this package, loaded on use."""

    def list_commands(self, ctx):
        return list(COMMANDS)

    def get_command(self, ctx, cmd_name):
        return import_module(f"condyle.cli.{cmd_name}").command if cmd_name in COMMANDS else None

    def format_commands(self, ctx, formatter):
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

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
    from ..errors import CondyleError

    try:
        code = condyle.main(arguments, prog_name="condyle", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        if "--json" in arguments:
            click.echo(json.dumps({"error": "Usage", "message": error.format_message()}))
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except CondyleError as error:
        say_error(error, "--json" in arguments)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:  # a full disk, a folder that cannot be written …
        say_error(error, "--json" in arguments)
        return 2


def say_error(error: Exception, as_json: bool) -> None:
    """An error in words on standard error, and for scripts as JSON on standard output."""
    if as_json:
        click.echo(json.dumps({"error": type(error).__name__, "message": str(error)}))
    click.echo(f"{type(error).__name__}: {error}", err=True)
