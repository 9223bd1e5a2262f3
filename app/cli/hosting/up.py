"""`mj up`: begins the fork server, then reads the rest of the command: both import for seconds, side by side."""

from app.serving.forks.begin import begin


def main(argv: list[str]) -> int:
    """Serve until stopped. Returns the exit status. Raises StartError with a sentence for the person who started it."""
    if {"-h", "--help"} & {*argv}:
        from app.cli.hosting.starting import parser

        parser().parse_args(argv)
    process, control = begin()
    try:
        from app.cli.hosting.starting import serve

        return serve(argv, process, control)
    finally:
        control.close()
        process.kill()  # where it did not come to a server, nobody else has ended it
        process.wait()
