"""For the operator of a house: a check of everything that the house needs, whether or not it is running."""
