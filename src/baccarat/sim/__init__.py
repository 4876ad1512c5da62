"""Simulation: whole shoes by the million, every one of which can be dealt again card by card."""

from baccarat.sim.engine import NoEngine as NoEngine
from baccarat.sim.engine import simulate as simulate
from baccarat.sim.estimate import Estimate as Estimate
from baccarat.sim.tally import Tally as Tally
