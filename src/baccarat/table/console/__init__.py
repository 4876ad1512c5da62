"""The work of a table: all that a console shows besides the acts that are due, so that no console knows the game."""
