"""Irregularities: what goes wrong with the cards, reported by the dealer and answered by its clause."""
