"""Pictures, all of them SVG: cards, chips, the felt, roads, the steps of a table, win bands and the plots of odds."""

DRAWING = 1
"""The number of this way of drawing: raise it whenever a picture changes, for browsers keep pictures by it."""
