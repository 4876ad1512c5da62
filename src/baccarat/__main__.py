"""Run as `python -m baccarat`."""

from baccarat.cli import main

if __name__ == "__main__":
    main()
