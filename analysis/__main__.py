"""``python -m analysis`` is the command ``tarocchino``."""

import sys


def main() -> None:
    """Run the command and exit as ``analysis.cli.main`` does, also when interrupted on the way."""
    try:
        from analysis.cli import main as run

        run()
    except KeyboardInterrupt:
        print("tarocchino: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
