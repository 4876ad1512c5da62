"""Studies: what a single round cannot tell, because it depends on the rounds before it."""
