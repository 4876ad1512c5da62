"""Bundles: one file about a round, a shoe or a day that anyone can check, without us and without a network."""
