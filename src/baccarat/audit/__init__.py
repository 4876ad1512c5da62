"""Audit: recorded play decided again by the rules, with every difference and its clause."""
