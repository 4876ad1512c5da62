"""Pictures, all of them SVG: cards, chips, the felt, roads, the steps of a table, win bands and the plots of odds."""
