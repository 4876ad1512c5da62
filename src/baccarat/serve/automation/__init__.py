"""Automation of a table: given the time and the chance, it chooses the next act, but does nothing itself."""
