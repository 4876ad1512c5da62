"""Simulation: whole shoes by the million, every one of which can be dealt again card by card."""
