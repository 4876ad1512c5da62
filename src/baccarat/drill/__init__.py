"""Drills: exercises for a dealer, made of a rulebook and a seed, and graded by the same functions that run a table.

Nothing here reads a clock or draws random numbers: the caller supplies a seed, and says how long an answer took.
"""
