"""Speed of the battery: how many shoes a second are shuffled, and tested by each of its tests.

Run: make bench, or .venv/bin/python bench/battery.py

Seconds are the processor's. The ratio compares with shuffling one shoe.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice

from baccarat.audit.battery.battery_run import Battery, feed_battery
from baccarat.audit.battery.series import series, stream
from baccarat.law.rulebook import rulebook

SHOES, BLOCKS, SEED = 1000, 4096, bytes(32)


def timed(act: Callable[[], object]) -> float:
    """The processor seconds of an act."""
    start = time.process_time()
    act()
    return time.process_time() - start


def main() -> None:
    """Print the table."""
    rules = rulebook("ma-midi-4")
    shuffling = timed(lambda: [None for _ in series(rules, SEED, SHOES)]) / SHOES
    shoes = list(series(rules, SEED, SHOES))

    def show(what: str, each: float) -> None:
        print(f"{what:<34} {each * 1e6:>10.0f} µs {1 / each:>12,.0f} a second {each / shuffling:>8.2f}")

    print(f"{f'{SHOES:,} shoes of eight decks':<34} {'each':>13} {'':>21} {'shuffle = 1':>8}")
    show("shuffle a shoe", shuffling)
    whole = timed(lambda: feed_battery(rules, shoes)) / SHOES
    for name in ("frequencies", "adjacency", "arrangements", "repeats", "outcomes"):
        test = getattr(Battery(rules, shoes[0]), name)
        show(f"test: {name}", timed(lambda test=test: [test.add(shoe) for shoe in shoes]) / SHOES)  # type: ignore[misc]
    show("test: all of them", whole)
    show("shuffle and test", shuffling + whole)
    battery = feed_battery(rules, shoes)
    print(f"{'judge all':<34} {timed(lambda: battery.report(source='')) * 1e3:>10.0f} ms")
    taken = timed(lambda: [None for _ in islice(stream(rules, SEED), BLOCKS)])
    print(f"{'export raw words':<34} {BLOCKS * 2048 / taken / 1e6:>10.1f} MB a second")


if __name__ == "__main__":
    main()
