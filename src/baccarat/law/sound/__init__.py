"""The checks that an edition must pass when it is loaded, by what they look at."""
