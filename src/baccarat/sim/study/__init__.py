"""Studies: what a single round cannot show, because it depends on the rounds before it."""

from importlib.util import find_spec

for _package in ("numpy", "numba"):
    if find_spec(_package) is None:
        raise ModuleNotFoundError(f"studies need {_package}: install baccarat[sim]", name=_package)
