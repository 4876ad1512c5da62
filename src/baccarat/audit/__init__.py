"""Audit: what was played and written down, decided again by the rules, with every difference and its clause."""
