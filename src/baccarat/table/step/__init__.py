"""Steps: each owns its commands, what it decides, how it changes the state, and what it expects next."""
