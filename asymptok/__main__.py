"""python -m asymptok: the command line."""

from asymptok.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
